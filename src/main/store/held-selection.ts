import type { HeldSelection } from '#shared/model/held-decision.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

/** One held change that a person means, without its content. */
export interface SelectedChange {
  readonly n: number;
  readonly table: string;
  readonly reason: HeldReason;
  readonly isMigration: boolean;
  readonly isQuarantined: boolean;
  readonly bytes: number;
  /** Tells rows apart. */
  readonly row: string;
}

/** What a row of `_concord_held` has to be for a selection to mean it; with the values of `heldBound`. */
export const HELD_WANTED = `(@ids is null or n in (select value from json_each(@ids)))
  and (@table is null or table_name = @table collate nocase) and (@reason is null or reason = @reason)`;

/** What `HELD_WANTED` is bound to. */
export const heldBound = ({
  ids,
  table,
  reason,
}: HeldSelection): Readonly<Record<string, string | null>> => ({
  ids: ids === undefined ? null : JSON.stringify(ids),
  table: table ?? null,
  reason: reason ?? null,
});

/** The held changes that a selection means, oldest HLC first. */
export function selectHeld(
  { db }: Pick<ReplicaStore, 'db'>,
  selection: HeldSelection,
): readonly SelectedChange[] {
  return db
    .prepareRaw<unknown[], readonly [bigint, string, HeldReason, string, bigint, bigint, string]>(
      `select n, table_name, reason, op, quarantined, size_bytes, table_id || ' ' || quote(key) from _concord_held
       where ${HELD_WANTED} order by hlc, n`,
    )
    .all(heldBound(selection))
    .map(([n, table, reason, op, quarantined, bytes, row]) => ({
      n: toNumber(n),
      table,
      reason,
      isMigration: op === 'migration',
      isQuarantined: quarantined === 1n,
      bytes: toNumber(bytes),
      row,
    }));
}

/** Changes by the name of their table, in the order of the tables. */
export function byTable(changes: readonly SelectedChange[]): ReadonlyMap<string, readonly SelectedChange[]> {
  const tables = new Map<string, SelectedChange[]>();
  for (const change of changes) {
    const list = tables.get(change.table);
    if (list === undefined) tables.set(change.table, [change]);
    else list.push(change);
  }
  return tables;
}

/** How many rows they are of. */
export const rowsIn = (changes: readonly SelectedChange[]): number =>
  new Set(changes.map(({ row }) => row)).size;
