import type { Result } from '#shared/result.ts';
import type { ReadOnlyError, ReadOnlyLimits, ReadOnlyRows } from '../store/run-read-only-sql.ts';

/** What the SQL process is asked to run. It only reads, whatever the SQL says. */
export interface SqlTask {
  readonly id: number;
  readonly path: string;
  readonly sql: string;
  readonly limits: ReadOnlyLimits;
}

export interface SqlAnswer {
  readonly id: number;
  readonly outcome: Result<ReadOnlyRows, ReadOnlyError>;
}
