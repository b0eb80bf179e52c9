import type { Log } from '../engine/ports.ts';
import type { WorkerLogLine } from './worker-messages.ts';

/** A log that sends its lines to the main thread, which writes them. */
export function createPostingLog(send: (line: WorkerLogLine) => void): Log {
  const at =
    (level: WorkerLogLine['level']) =>
    (event: string, facts: Readonly<Record<string, unknown>> = {}): void =>
      send({ kind: 'log', level, event, facts: Object.fromEntries(Object.entries(facts).map(toSendable)) });
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** Not everything survives the way between threads; a log line must never be what fails. */
function toSendable([name, value]: [string, unknown]): [string, unknown] {
  if (value instanceof Error) return [name, value.stack ?? value.message];
  try {
    return [name, structuredClone(value)];
  } catch {
    return [name, 'cannot be shown'];
  }
}
