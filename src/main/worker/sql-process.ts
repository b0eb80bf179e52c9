import { runReadOnlySql } from '../store/run-read-only-sql.ts';
import type { SqlAnswer, SqlTask } from './sql-process-messages.ts';

// Entry of the process that runs SQL people type. It may hang in a statement: then it is killed.
// Node gives a forked process `process.send`; Electron gives a utility process `process.parentPort`.

interface UtilityPort {
  readonly postMessage: (message: SqlAnswer) => void;
  readonly on: (event: 'message', listener: (event: { readonly data: SqlTask }) => void) => void;
}

const utilityPort = (process as { readonly parentPort?: UtilityPort }).parentPort;

if (utilityPort === undefined) {
  process.on('message', (task: SqlTask) => process.send?.(answer(task)));
  // Whoever asked is gone: nobody waits for an answer any more.
  process.on('disconnect', () => process.exit(0));
} else {
  utilityPort.on('message', ({ data }) => utilityPort.postMessage(answer(data)));
}

function answer({ id, path, sql, limits }: SqlTask): SqlAnswer {
  return { id, outcome: runReadOnlySql(path, sql, limits) };
}
