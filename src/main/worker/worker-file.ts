/** Files that run beside the main thread. Each is an input of the build. */
export type WorkerName = 'writer-worker' | 'reader-worker' | 'example-worker' | 'sql-process';

/**
 * Where a worker's file lies: beside this one, as source while developing and testing, else as what the build made.
 */
export function workerFile(name: WorkerName): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, import.meta.url);
}
