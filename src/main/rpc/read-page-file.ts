import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';

export interface PageFile {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * A file of the renderer by the path of its address. Both hosts serve it: over HTTP and as `app://`.
 *
 * A path without an extension is a screen and gives the page itself. Null when there is no such file; nothing
 * outside `root` is ever read.
 */
export async function readPageFile(root: string, urlPath: string): Promise<PageFile | null> {
  const path = decodePath(urlPath);
  if (path === null) return null;
  const extension = extname(path);
  const file = resolve(join(root, extension === '' ? 'index.html' : path));
  const type = extension === '' ? TYPES['.html'] : TYPES[extension];
  if (type === undefined || !file.startsWith(resolve(root) + sep)) return null;

  try {
    return { body: await readFile(file), headers: { 'content-type': type, 'cache-control': caching(path) } };
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
}

/** Names under assets/ hold a hash of their content. */
function caching(path: string): string {
  return path.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-cache';
}

function decodePath(urlPath: string): string | null {
  try {
    const path = decodeURIComponent(urlPath);
    return path.includes('\0') || path.includes('\\') ? null : path;
  } catch {
    return null;
  }
}

function isMissing(cause: unknown): boolean {
  return (
    cause instanceof Error &&
    'code' in cause &&
    (cause.code === 'ENOENT' || cause.code === 'EISDIR' || cause.code === 'ENOTDIR')
  );
}
