import type { Log } from '../engine/ports.ts';

export interface CollectedLog {
  readonly log: Log;
  readonly lines: () => readonly string[];
}

/** A log that keeps its lines: the event, then the facts as JSON where there are any. */
export function createCollectedLog(): CollectedLog {
  const lines: string[] = [];
  const write = (event: string, facts?: Readonly<Record<string, unknown>>): void => {
    lines.push(facts === undefined ? event : `${event} ${JSON.stringify(facts, bigintAsText)}`);
  };
  return { log: { info: write, warn: write, error: write }, lines: () => lines };
}

function bigintAsText(_key: string, value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message;
  return typeof value === 'bigint' ? value.toString() : value;
}
