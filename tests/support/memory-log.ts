import type { Log } from '#main/engine/ports.ts';

export interface MemoryLog extends Log {
  /** Names of what was logged, with its level before it: `error peers.sync-threw`. */
  readonly events: () => readonly string[];
}

/** A log that a test can read. */
export function createMemoryLog(): MemoryLog {
  const events: string[] = [];
  const at = (level: string) => (event: string) => {
    events.push(`${level} ${event}`);
  };
  return { info: at('info'), warn: at('warn'), error: at('error'), events: () => [...events] };
}
