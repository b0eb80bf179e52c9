import type Database from 'better-sqlite3';

import type { SyncOutcome, SyncStory } from '../sync-story.ts';
import { INSERT_W } from '../workload.ts';

/** A statement that runs for each of these values, part by part in transactions. */
export interface PlayedStatement {
  readonly sql: string;
  readonly parts: readonly (readonly (readonly unknown[])[])[];
}

/** Runs a statement for its values and carries each part over. */
export function playIn(raw: Database.Database, { sql, parts }: PlayedStatement, carry: () => void): void {
  const statement = raw.prepare(sql);
  for (const part of parts) {
    raw.transaction(() => {
      for (const values of part) statement.run(...values);
    })();
    carry();
  }
}

/** The statements of a story, with its values as they are bound. */
export function statementsOf(
  { inserts, updates, deletes }: SyncStory,
  bind: (value: unknown) => unknown = (value) => value,
): readonly PlayedStatement[] {
  const bound = (parts: readonly (readonly (readonly unknown[])[])[]): PlayedStatement['parts'] =>
    parts.map((part) => part.map((values) => values.map(bind)));
  return [
    { sql: INSERT_W, parts: bound(inserts) },
    { sql: 'update w set d = ? where k = ?', parts: bound(updates) },
    { sql: 'delete from w where k = ?', parts: bound(deletes.map((part) => part.map((key) => [key]))) },
  ];
}

/** What the workload's table has. */
export function outcomeIn(raw: Database.Database): SyncOutcome {
  const [rows, sum] = raw.prepare<[], [number, number]>('select count(*), total(d) from w').raw().get() ?? [
    0, 0,
  ];
  return { rows, sum };
}
