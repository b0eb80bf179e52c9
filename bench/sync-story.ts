import { workloadRows, type WorkloadRow } from './workload.ts';

/** Of the rows that are inserted, every tenth is updated, every hundredth deleted. */
const UPDATED = 10;
const DELETED = 100;
const ROWS_PER_TRANSACTION = 1_000;

/** What is written at one replica and has to come to the other, in transactions. */
export interface SyncStory {
  readonly inserts: readonly (readonly WorkloadRow[])[];
  /** New value of `d`, and key. */
  readonly updates: readonly (readonly [bigint, string | bigint][])[];
  readonly deletes: readonly (readonly (string | bigint)[])[];
}

/** The story of so many inserted rows with text keys. */
export function makeSyncStory(rows: number): SyncStory {
  const inserted = [...workloadRows('uuid', rows)];
  const updated = inserted
    .filter((_row, at) => at % UPDATED === 0)
    .map(([key], at): [bigint, string | bigint] => [BigInt(at + 7), key]);
  const deleted = inserted.filter((_row, at) => at % DELETED === 1).map(([key]) => key);
  return {
    inserts: inTransactions(inserted),
    updates: inTransactions(updated),
    deletes: inTransactions(deleted),
  };
}

/** How many rows, cells and deletions a story carries over. */
export const changesOf = ({ inserts, updates, deletes }: SyncStory): number =>
  [inserts, updates, deletes].reduce((sum, parts) => sum + parts.flat().length, 0);

/** What the other replica has at the end, by which a contender is told from one that lost something. */
export function outcomeOf({ inserts, updates, deletes }: SyncStory): SyncOutcome {
  const values = new Map(inserts.flat().map(([key, , , , d]) => [key, d]));
  for (const [d, key] of updates.flat()) values.set(key, d);
  for (const key of deletes.flat()) values.delete(key);
  return { rows: values.size, sum: [...values.values()].reduce((sum, d) => sum + Number(d), 0) };
}

export interface SyncOutcome {
  readonly rows: number;
  /** Of the column `d`. */
  readonly sum: number;
}

function inTransactions<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / ROWS_PER_TRANSACTION) }, (_part, at) =>
    items.slice(at * ROWS_PER_TRANSACTION, (at + 1) * ROWS_PER_TRANSACTION),
  );
}
