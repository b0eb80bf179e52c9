import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { Admission } from './admission-context.ts';
import { planBlock, type PlannedBlock } from './admission-plan.ts';
import { readGroupBody } from './group-body.ts';
import { releaseHeld } from './held-entries.ts';
import { holdFact } from './held-facts.ts';
import type { KeyValue } from './key-expression.ts';
import { currentDefinition } from './live-table.ts';
import { readRowState, rowStateAsFact, type FactInGroup, type RowState } from './row-state.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

// A row that has no place in its table waits as a whole, in one entry per identity: what is written to it later joins
// it there, so that it is one row still, with the stamps that it would have in the table.

/** A row that waits for a value or for a unique key. */
export interface WaitingRow {
  readonly n: number;
  readonly reason: HeldReason;
  readonly via: number | null;
  readonly sinceMs: bigint;
  readonly isQuarantined: boolean;
  readonly identity: KeyValue;
  readonly state: RowState;
}

interface StoredRow {
  readonly n: bigint;
  readonly reason: HeldReason;
  readonly via: bigint | null;
  readonly since_ms: bigint;
  readonly quarantined: bigint;
  readonly key: KeyValue;
  readonly body: Uint8Array;
}

/** Rows of one table by all of its IDs: facts wait under the ID that they came with. */
const OF_TABLE = `table_id in (select id from _concord_table where tbl = @tbl union all
  select id from _concord_alias where tbl = @tbl and kind = 't') and op = 'row' and reason in ('uniqueCollision', 'notNull', 'refusedValue')`;

/** The row of an identity that waits; null where none does. */
export function findWaitingRow(
  store: ReplicaStore,
  table: TrackedTable,
  identity: KeyValue,
): WaitingRow | null {
  const row = store.db
    .prepare<[{ tbl: number; identity: KeyValue }], StoredRow>(
      `select n, reason, via, since_ms, quarantined, key, body from _concord_held where ${OF_TABLE} and key = @identity limit 1`,
    )
    .get({ tbl: table.tbl, identity });
  return row === undefined ? null : waitingRow(store, table, row);
}

/** Rows that wait for a unique key and are not quarantined, oldest first. */
export function readCollidingRows(store: ReplicaStore, table: TrackedTable): readonly WaitingRow[] {
  return store.db
    .prepare<[{ tbl: number }], StoredRow>(
      `select n, reason, via, since_ms, quarantined, key, body from _concord_held
       where ${OF_TABLE} and reason = 'uniqueCollision' and quarantined = 0 order by hlc, n`,
    )
    .all({ tbl: table.tbl })
    .map((row) => waitingRow(store, table, row));
}

function waitingRow(store: ReplicaStore, table: TrackedTable, row: StoredRow): WaitingRow {
  const group = readGroupBody(row.body);
  const [block] = group.blocks;
  if (block === undefined) throw new Error('A held row has no block.');
  return {
    n: Number(row.n),
    reason: row.reason,
    via: row.via === null ? null : Number(row.via),
    sinceMs: row.since_ms,
    isQuarantined: row.quarantined === 1n,
    identity: row.key,
    state: readRowState({ table, resolveColumn: store.registry.resolveColumn }, { group, block, row: 0 }),
  };
}

/** Lets a row wait that stood in its table until now, or that took something in: everybody may want it. */
export function letWait(
  admission: Admission,
  table: TrackedTable,
  { row, reason }: { readonly row: RowState; readonly reason: HeldReason },
): void {
  holdFact(admission, { ...rowStateAsFact(table, row), reason, wasHere: true });
  admission.touchedKeys.add(table.tbl);
}

/** A row that waited longer than what replaces it keeps its age, and stays quarantined. */
export function keepWaitingSince(admission: Admission, table: TrackedTable, row: WaitingRow): void {
  admission.store.db
    .prepare<unknown[]>(
      `update _concord_held set since_ms = min(since_ms, @since), quarantined = max(quarantined, @quarantined)
       where ${OF_TABLE} and key = @identity`,
    )
    .run({
      tbl: table.tbl,
      identity: row.identity,
      since: row.sinceMs,
      quarantined: row.isQuarantined ? 1n : 0n,
    });
}

/** Ends the waiting of a row whose life was ended. */
export function endWaiting(
  admission: Admission,
  table: TrackedTable,
  deleted: { readonly identity: KeyValue; readonly life: number },
): void {
  const row = findWaitingRow(admission.store, table, deleted.identity);
  if (row !== null && row.state.life < deleted.life) releaseHeld(admission, row.n);
}

/** A row apart from its table, planned as a block that an admission takes in. */
export function planRowState(
  store: ReplicaStore,
  table: TrackedTable,
  row: RowState,
): { readonly planned: PlannedBlock; readonly fact: FactInGroup } {
  const fact = rowStateAsFact(table, row);
  const [reference] = fact.group.tables;
  if (reference === undefined) throw new Error('A row names no table.');
  const plan = planBlock({
    table,
    block: fact.block,
    reference,
    resolveColumn: store.registry.resolveColumn,
    definition: currentDefinition(store, table.name ?? ''),
  });
  return { planned: { group: fact.group, block: fact.block, plan }, fact };
}
