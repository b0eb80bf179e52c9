import type { ConsoleDatabase } from '../store/console-database.ts';

export interface Sample {
  readonly head: number;
  readonly lag: number;
  readonly held: number;
  readonly blocked: number;
  readonly sizeBytes: number;
}

export interface SampleRecords {
  /** One per replica and minute; the last of a minute stays. */
  readonly add: (ref: string, atMs: number, sample: Sample) => void;
  readonly prune: (nowMs: number) => void;
}

const MINUTE_MS = 60_000;
const KEPT_MINUTES = 30 * 24 * 60;

/** How replicas fared over the last 30 days, for charts. */
export function createSampleRecords(db: ConsoleDatabase): SampleRecords {
  return {
    add: (ref, atMs, { head, lag, held, blocked, sizeBytes }) =>
      void db.run(
        `insert into sample (ref, minute, head, lag, held, blocked, size_bytes) values (?, ?, ?, ?, ?, ?, ?)
         on conflict do update set head = excluded.head, lag = excluded.lag, held = excluded.held,
           blocked = excluded.blocked, size_bytes = excluded.size_bytes`,
        [ref, Math.floor(atMs / MINUTE_MS), head, lag, held, blocked, sizeBytes],
      ),
    prune: (nowMs) =>
      void db.run('delete from sample where minute < ?', [Math.floor(nowMs / MINUTE_MS) - KEPT_MINUTES]),
  };
}
