import type { HeldReason } from '#shared/model/vocabulary.ts';

import { attemptWithin } from './admission-attempt.ts';
import { admitBlock } from './admission-block.ts';
import type { Admission, DrainedFact } from './admission-context.ts';
import { admitMigrations } from './admission-migrations.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { isRefusedValue } from './constraint-failure.ts';
import {
  readEntry,
  releaseHeld,
  releaseMany,
  waitingMigrations,
  waitingOf,
  waitingOfRow,
  waitingTables,
  type HeldEntry,
} from './held-entries.ts';
import { alikeRuns, joinRun } from './held-runs.ts';
import { knowInsertedRows, rowsWritten, type WrittenRows } from './held-written.ts';
import { forgetMeta, readMeta, writeMeta } from './replica-meta.ts';
import { settleCollisions, touchFreedKeys } from './settle-collisions.ts';
import type { TrackedTable } from './table-registry.ts';

/** What may go in once the catalog has changed. What belongs to a dropped life never does by itself. */
const BY_CATALOG: readonly HeldReason[] = [
  'unknownTable',
  'unknownColumn',
  'notNull',
  'refusedValue',
  'setAside',
];

/**
 * Lets held changes in that have a place now, in the transaction of what made room (HELD-001).
 *
 * Each is tried by itself: what still has no place stays as it is, with its age, and fails neither the rest nor the
 * admission. A change of a table's shape has all tried that wait for the table; what was written since the last drain has
 * those of its rows tried, so that the cost follows what was written and not what is held.
 *
 * `before`: newest seq before the work of this admission; what programs wrote since the last drain lies up to there.
 */
export function drainHeld(admission: Admission, before: number): void {
  const { store } = admission;
  if (waitingTables(store.db).length === 0) {
    if (readMeta(store.db, 'drainedSeq') !== null) forgetMeta(store.db, 'drainedSeq');
    return;
  }
  const drained = readMeta(store.db, 'drainedSeq');
  let from = drained === null ? before : Number(drained);
  const written = { from, to: before };
  touchFreedKeys(admission, written);
  if (written.to > written.from) knowInsertedRows(admission, written, waitingRowsHere(admission));
  // Each round takes entries out of held, or brings them further; the bound is for a bug of ours.
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    drainNames(admission);
    drainChanged(admission);
    const to = store.logWriter.head();
    if (to <= from && !isTouched(admission)) break;
    drainRows(admission, rowsWritten(admission, { from, to }, waitingRowsHere(admission)));
    from = to;
  }
  writeMeta(store.db, 'drainedSeq', BigInt(from));
}

/** A change goes in at most once, and few wait for another that waits. */
const ROUNDS_MAX = 1_000;

const isTouched = ({ namesFreed, changedTables, touchedKeys }: Admission): boolean =>
  namesFreed || changedTables.size > 0 || touchedKeys.size > 0;

function drainNames(admission: Admission): void {
  if (!admission.namesFreed) return;
  admission.namesFreed = false;
  drainMigrations(admission);
}

/** Tables of another shape, or in which a unique key came free. */
function drainChanged(admission: Admission): void {
  const changed = [...admission.changedTables];
  const touched = [...admission.touchedKeys].filter((tbl) => !changed.includes(tbl));
  admission.changedTables.clear();
  admission.touchedKeys.clear();
  for (const tbl of changed) drainTable(admission, tbl, BY_CATALOG);
  for (const tbl of [...changed, ...touched]) settleCollisions(admission, tbl);
}

function drainRows(admission: Admission, written: readonly WrittenRows[]): void {
  for (const { table, ids, keys } of written) {
    // A row that waits for its key may be one that was written here.
    if (keys === 'many') drainTable(admission, table.tbl, [...BY_CATALOG, 'uniqueCollision']);
    else {
      for (const key of keys)
        for (const tableId of ids)
          for (const n of waitingOfRow(admission.store, { tableId, key })) tryEntry(admission, n);
    }
  }
}

/** Tables that are here and of which changes wait, with the IDs under which they do. */
function waitingRowsHere({ store }: Admission): ReadonlyMap<TrackedTable, readonly string[]> {
  const here = new Map<TrackedTable, string[]>();
  for (const id of waitingTables(store.db)) {
    const table = store.registry.byId(id);
    if (typeof table?.name !== 'string') continue;
    const ids = here.get(table);
    if (ids === undefined) here.set(table, [id]);
    else ids.push(id);
  }
  return here;
}

/** Tries what waits for a table with one of these reasons, under its own ID and those of twins. */
function drainTable(admission: Admission, tbl: number, reasons: readonly HeldReason[]): void {
  const { store } = admission;
  const table = store.registry.byTbl(tbl);
  if (table === null) return;
  const tried = table.name === null ? BY_DROP : reasons;
  const aside = store.setAside();
  for (const tableId of idsOfTable(admission, table)) {
    if (aside.has(tableId)) continue;
    if (table.name === null) endWithTable(admission, tableId);
    const waiting = waitingOf(store, { tableId, reasons: tried });
    for (let at = 0; at < waiting.length; at += READ_MAX) tryAll(admission, waiting.slice(at, at + READ_MAX));
  }
}

/** Tries the held changes that a person chose, whatever they wait for. */
export function drainChosen(admission: Admission, numbers: readonly number[]): void {
  for (let at = 0; at < numbers.length; at += READ_MAX)
    tryAll(admission, numbers.slice(at, at + READ_MAX).map(BigInt));
  for (const id of waitingTables(admission.store.db)) {
    const table = admission.store.registry.byId(id);
    if (typeof table?.name === 'string') admission.touchedKeys.add(table.tbl);
  }
}

/** Entries that are read at once: bounds memory, whatever is held. */
const READ_MAX = 2_000;

function tryAll(admission: Admission, numbers: readonly bigint[]): void {
  const entries = numbers.flatMap((n) => readEntry(admission.store, n) ?? []);
  for (const run of alikeRuns(entries)) {
    if (run.length > 1 && tryRun(admission, run)) continue;
    for (const { n } of run) tryEntry(admission, BigInt(n));
  }
}

/** Gives many alike rows their place at once; where one of them has none, everything is left as it was. */
function tryRun(admission: Admission, run: readonly HeldEntry[]): boolean {
  const [first] = run;
  if (first === undefined) return false;
  const { inner, drained } = drainOf(admission, first);
  drained.isOneOfMany = true;
  const group = joinRun(run);
  const isIn = attemptWithin(admission, () => {
    releaseMany(admission, run);
    return (
      isAdmitted(() => {
        for (const block of group.blocks) admitBlock(inner, group, block);
      }) && !drained.isAsBefore
    );
  });
  const { drainedTables } = admission;
  if (isIn) drainedTables.set(first.tableName, (drainedTables.get(first.tableName) ?? 0) + run.length);
  return isIn;
}

/** Of a dropped table this is looked at again: the drop, or another one at the same time, may have known of it. */
const BY_DROP: readonly HeldReason[] = [
  'unknownTable',
  'unknownColumn',
  'notNull',
  'refusedValue',
  'droppedTable',
];

/** Rows that waited for a value or a key, on every replica, were out of the drop's sight: they belong to the dropped life. */
function endWithTable({ store }: Admission, tableId: string): void {
  store.db
    .prepare<[string]>(
      `update _concord_held set reason = 'droppedTable'
       where table_id = ? and op = 'row' and reason in ('uniqueCollision', 'notNull')`,
    )
    .run(tableId);
}

/** Own ID and those of twins: facts wait under the ID that they came with. */
function idsOfTable({ store }: Admission, table: TrackedTable): readonly string[] {
  const aliases = store.db
    .preparePluck<[bigint], string>(`select id from _concord_alias where tbl = ? and kind = 't'`)
    .all(BigInt(table.tbl));
  return [table.id, ...aliases];
}

/** Gives one held change its place, or leaves everything as it was. Whether anything of it went in, or came further. */
function tryEntry(admission: Admission, n: bigint): boolean {
  const entry = readEntry(admission.store, n);
  if (entry === null || entry.op === 'migration') return false;
  const { inner, drained } = drainOf(admission, entry);
  const isIn = attemptWithin(admission, () => {
    releaseHeld(admission, entry.n);
    return (
      isAdmitted(() => {
        for (const block of entry.group.blocks) admitBlock(inner, entry.group, block);
      }) && !drained.isAsBefore
    );
  });
  if (isIn) countDrained(admission, entry);
  return isIn;
}

/** The admission of one held change: by whom it came, and that it may be the replica's own. */
function drainOf(
  admission: Admission,
  entry: HeldEntry,
): { readonly inner: Admission; readonly drained: DrainedFact } {
  const { via } = entry;
  const drained: DrainedFact = { ...entry, isAsBefore: false, isOneOfMany: false };
  const originOf: Admission['originOf'] = (group, hlc, site) => ({
    ...admission.originOf(group, hlc, site),
    via,
  });
  return { inner: { ...admission, via, acceptsOwn: true, drained, originOf }, drained };
}

function isAdmitted(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (cause) {
    if (cause instanceof AdmissionRefused || isRefusedValue(cause)) return false;
    throw cause;
  }
}

function countDrained({ store, drainedTables }: Admission, entry: HeldEntry): void {
  const isHeldStill = readEntry(store, BigInt(entry.n)) !== null;
  if (isHeldStill) return;
  drainedTables.set(entry.tableName, (drainedTables.get(entry.tableName) ?? 0) + 1);
}

/** Migrations of objects that were set aside: with the name free, they may be in force now. */
function drainMigrations(admission: Admission): void {
  const { store } = admission;
  for (const n of waitingMigrations(store)) {
    const entry = readEntry(store, n);
    if (entry === null) continue;
    const { inner, drained } = drainOf(admission, entry);
    const isIn = attemptWithin(admission, () => {
      releaseHeld(admission, entry.n);
      return (
        isAdmitted(() => {
          admitMigrations(inner, entry.group.migrations);
        }) &&
        !drained.isAsBefore &&
        entry.group.migrations.every((migration) => store.migrations.has(migration.id))
      );
    });
    if (!isIn) continue;
    admission.namesFreed ||= inner.namesFreed;
    store.endSetAside(entry.tableId);
    countDrained(admission, entry);
  }
}
