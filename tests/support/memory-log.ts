import type { Log } from '#main/engine/ports.ts';

/** One line of the log. */
export interface LogRecord {
  readonly level: string;
  readonly event: string;
  readonly fields: Parameters<Log['info']>[1];
}

export interface MemoryLog extends Log {
  /** Names of what was logged, with its level before it: `error peers.sync-threw`. */
  readonly events: () => readonly string[];
  /** What was logged under a name. */
  readonly of: (event: string) => readonly LogRecord[];
}

/** A log that a test can read. */
export function createMemoryLog(): MemoryLog {
  const records: LogRecord[] = [];
  const at =
    (level: string): Log['info'] =>
    (event, fields) => {
      records.push({ level, event, fields });
    };
  return {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    events: () => records.map(({ level, event }) => `${level} ${event}`),
    of: (event) => records.filter((record) => record.event === event),
  };
}
