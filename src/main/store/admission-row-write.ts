import type { Stamp } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { isFormerlyDeleted } from './admission-former-key.ts';
import { holdCellsLaterThan } from './admission-left-out.ts';
import { moveRow } from './admission-moved-row.ts';
import { cellPlaces, type PlannedBlock } from './admission-plan.ts';
import { blockStamp, restampRow } from './admission-restamp.ts';
import {
  deleteQuietly,
  findRow,
  isLater,
  keyOf,
  stampOf,
  whereRow,
  type LocalRow,
  type RowFact,
} from './admission-row-read.ts';
import { recordUnwritten, unwrittenValues } from './admission-unwritten.ts';
import { constraintOf } from './constraint-failure.ts';
import { holdFact } from './held-facts.ts';
import { isSameValue } from './is-same-value.ts';
import { joinWaitingRow } from './join-waiting-row.ts';
import { keyValueOf, type KeyValue } from './key-expression.ts';
import type { EntryOrigin, RowPlace } from './log-write.ts';
import { rowAsState } from './row-as-fact.ts';
import { joinRowStates, readRowState } from './row-state.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';
import { isForgottenThere } from './is-forgotten-there.ts';
import { claimedColumns } from './unique-keys.ts';
import { isFaultOfRow } from './silence-triggers.ts';
import { findWaitingRow, letWait } from './waiting-row.ts';

/** A cell of a fact that goes into a column here. */
interface IncomingCell {
  readonly place: number;
  readonly column: TrackedColumn;
  readonly value: SqlValue;
  readonly stamp: Stamp;
  readonly origin: EntryOrigin;
}

/** Takes in one row or the changed cells of one row, by the rules of `decideRow`. */
export function takeInRow(admission: Admission, planned: PlannedBlock, fact: RowFact): void {
  const { report } = admission;
  const row = planned.block.rows[fact.index] ?? [];
  const key = keyToTakeIn(admission, planned, fact);
  if (key === null) return;
  const local = findRow(admission, planned, row);
  const localLife = lifeBeside(admission, planned, { fact, key, isHere: local !== null });
  const cells = cellsOf(admission, planned, fact);
  if (fact.life < localLife) {
    report.superseded += 1;
    return;
  }
  if (local !== null && fact.life === localLife) {
    const isMoved = moveRow(admission, planned, { fact, local, takeIn: takeInRow });
    if (!isMoved) mergeRow(admission, planned, { fact, local, cells });
    return;
  }
  if (isLeftOutSince(admission, planned, { fact, key, localLife })) return;
  if (local === null && hasJoinedWaiting(admission, planned, { fact, key })) return;
  beginLife(admission, planned, { fact, cells, key, local, isLifeKnown: localLife !== 0 });
}

/** Whether a row of that key waits and took the fact in. */
function hasJoinedWaiting(
  admission: Admission,
  planned: PlannedBlock,
  { fact, key }: { readonly fact: RowFact; readonly key: KeyValue },
): boolean {
  const waiting = findWaitingRow(admission.store, planned.plan.table, key);
  return waiting !== null && joinWaitingRow(admission, { planned, fact, waiting }, takeInRow);
}

/** Whether a row was left out of the life that it has here, later than the fact was written. */
function isLeftOutSince(
  admission: Admission,
  planned: PlannedBlock,
  row: { readonly fact: RowFact; readonly key: KeyValue; readonly localLife: number },
): boolean {
  const { store, report } = admission;
  const { fact, key, localLife } = row;
  if (fact.life !== localLife) return false;
  const stamp = store.clocks.leftOut(planned.plan.table.tbl, key);
  if (stamp === null || !isLater(stamp, blockStamp(planned))) return false;
  holdCellsLaterThan(admission, planned, { fact, stamp });
  report.superseded += 1;
  return true;
}

/** A row that is not here in its life: it comes, and one of an earlier life goes. */
function beginLife(
  admission: Admission,
  planned: PlannedBlock,
  row: {
    readonly fact: RowFact;
    readonly cells: readonly IncomingCell[];
    readonly key: KeyValue;
    readonly local: LocalRow | null;
    readonly isLifeKnown: boolean;
  },
): void {
  const { store, report } = admission;
  const { table } = planned.plan;
  const { fact, cells, key, local } = row;
  if (planned.block.kind === 'cells') {
    // They wait for the row.
    holdFact(admission, { group: planned.group, block: planned.block, row: fact.index, reason: 'notNull' });
    return;
  }
  if (local !== null) {
    deleteQuietly(admission, table, local);
    admission.touchedKeys.add(table.tbl);
  }
  const rid = insertRow(admission, planned, { fact, cells });
  if (rid === null) return;
  const seq = recordInsert(admission, planned, { rid, cells });
  if (fact.life !== 1 || row.isLifeKnown) store.logWriter.setLife(table.tbl, { key, life: fact.life, seq });
  // Cells of it may have come before it and wait.
  admission.touchedKeys.add(table.tbl);
  report.applied += 1;
}

/** Null where nothing is taken in: a row without a value for the key waits, one that was deleted under an earlier key is gone. */
function keyToTakeIn(admission: Admission, planned: PlannedBlock, fact: RowFact): KeyValue | null {
  const { group, block, plan } = planned;
  const key = keyValueOf(plan.table, keyOf(admission, planned, block.rows[fact.index] ?? []));
  if (key === null) holdFact(admission, { group, block, row: fact.index, reason: 'notNull' });
  if (key === null || !isFormerlyDeleted(admission, planned, fact.index)) return key;
  admission.report.superseded += 1;
  return null;
}

/** Life of a key here as a fact finds it: one whose deletion its source has pruned begins anew. */
function lifeBeside(
  admission: Admission,
  { plan, block }: PlannedBlock,
  row: { readonly fact: RowFact; readonly key: KeyValue; readonly isHere: boolean },
): number {
  const { tbl } = plan.table;
  const known = localLifeOf(admission, tbl, row);
  const isBeaten = !row.isHere && block.kind === 'rows' && row.fact.life < known;
  return isBeaten && isForgottenThere(admission, { tbl, key: row.key }) ? 0 : known;
}

/** Life of a key here: 0 never seen, odd alive, even deleted. */
export function localLifeOf(
  admission: Admission,
  tbl: number,
  row: { readonly key: KeyValue; readonly isHere: boolean },
): number {
  const known = admission.store.clocks.life(tbl, row.key);
  if (!row.isHere) return known ?? 0;
  return known !== null && known % 2 === 1 ? known : 1;
}

function cellsOf(admission: Admission, planned: PlannedBlock, fact: RowFact): readonly IncomingCell[] {
  const row = planned.block.rows[fact.index] ?? [];
  return cellPlaces(planned.plan).map(({ place, column }) => {
    const { stamp, site } = stampOf(planned, fact.clocks, place);
    return {
      place,
      column,
      value: row[place] ?? null,
      stamp,
      origin: admission.originOf(planned.group, stamp.hlc, site),
    };
  });
}

/** Null when the row found no place and is held. */
function insertRow(
  admission: Admission,
  planned: PlannedBlock,
  input: { readonly fact: RowFact; readonly cells: readonly IncomingCell[] },
): RowPlace | null {
  const { table } = planned.plan;
  const filled = unwrittenValues(admission, planned);
  const names = [
    ...input.cells.map((cell) => quoteIdentifier(cell.column.name)),
    ...filled.map(({ column }) => column),
  ];
  const values = [
    ...input.cells.map((cell) => admission.placeholder(cell.value)),
    ...filled.map(({ sql }) => sql),
  ];
  const sql = `insert into ${quoteIdentifier(table.name ?? '')} (${names.join(', ')}) values (${values.join(', ')}) returning ${table.ridExpression}`;
  const collided = (): void => {
    holdFact(admission, {
      group: planned.group,
      block: planned.block,
      row: input.fact.index,
      reason: 'uniqueCollision',
    });
  };
  // A statement that cannot be prepared is a mistake of ours, and no fault of the row.
  const insert = admission.store.db.preparePluck<unknown[], RowPlace>(sql);
  return attempt(admission, { planned, fact: input.fact, collided }, () => {
    const rid = insert.get(...input.cells.map((cell) => admission.bindable(cell.value)));
    if (rid === undefined) throw new Error(`A row of ${table.name ?? ''} was inserted and has no place.`);
    return rid;
  });
}

/** Runs a write; a value that is missing or a unique key that is taken makes the fact wait instead. */
function attempt<T>(
  admission: Admission,
  subject: {
    readonly planned: PlannedBlock;
    readonly fact: RowFact;
    /** Puts the row where rows wait for a unique key; who keeps the key is settled once everything is in. */
    readonly collided: () => void;
  },
  write: () => T,
): T | null {
  const { planned, fact, collided } = subject;
  try {
    return write();
  } catch (cause) {
    const failure = constraintOf(cause);
    if (failure !== 'unique') {
      if (!isFaultOfRow(admission.store, planned.plan.table.name ?? '', cause)) throw cause;
      const reason = failure === 'notNull' ? 'notNull' : 'refusedValue';
      holdFact(admission, { group: planned.group, block: planned.block, row: fact.index, reason });
      return null;
    }
    collided();
    admission.touchedKeys.add(planned.plan.table.tbl);
    return null;
  }
}

/** The row's stamp is the block's; cells with a stamp of their own keep it. */
function recordInsert(
  admission: Admission,
  planned: PlannedBlock,
  row: { readonly rid: RowPlace; readonly cells: readonly IncomingCell[] },
): number {
  const { logWriter } = admission.store;
  const { tbl } = planned.plan.table;
  const origin = admission.originOf(planned.group, planned.block.hlc, planned.block.site);
  const seq = logWriter.appendInsert(tbl, row.rid, origin);
  const apart = row.cells.filter((cell) => !isSameOrigin(cell.origin, origin));
  recordCells(admission, tbl, { rid: row.rid, cells: apart });
  recordUnwritten(admission, planned, row.rid);
  return seq;
}

const isSameOrigin = (left: EntryOrigin, right: EntryOrigin): boolean =>
  left.hlc === right.hlc && left.site === right.site;

function recordCells(
  admission: Admission,
  tbl: number,
  row: { readonly rid: RowPlace; readonly cells: readonly Pick<IncomingCell, 'column' | 'origin'>[] },
): void {
  const byOrigin = new Map<string, Pick<IncomingCell, 'column' | 'origin'>[]>();
  for (const cell of row.cells) {
    const name = `${String(cell.origin.hlc)} ${String(cell.origin.site)}`;
    byOrigin.set(name, [...(byOrigin.get(name) ?? []), cell]);
  }
  for (const cells of byOrigin.values()) {
    const [first] = cells;
    if (first === undefined) continue;
    admission.store.logWriter.appendCells(
      tbl,
      { rid: row.rid, columns: cells.map((cell) => cell.column.col) },
      first.origin,
    );
  }
}

function mergeRow(
  admission: Admission,
  planned: PlannedBlock,
  input: { readonly fact: RowFact; readonly local: LocalRow; readonly cells: readonly IncomingCell[] },
): void {
  const { report, store } = admission;
  const { table } = planned.plan;
  const { local } = input;
  const candidates = input.cells.filter(
    (cell) => cell.column.pk === 0 || isRespelled(cell, local, table.columns),
  );
  const clocks = store.clocks.row(table.tbl, local.rid);
  const winners = candidates.filter((cell) => isLater(cell.stamp, clocks.cell(cell.column)));
  const isRowLater = isOfRow(admission, planned) && isLater(blockStamp(planned), clocks.row());
  if (winners.length === 0 && !isRowLater) {
    const isDuplicate = candidates.every((cell) => !isLater(clocks.cell(cell.column), cell.stamp));
    report[isDuplicate ? 'duplicates' : 'superseded'] += 1;
    return;
  }
  const changed = winners.filter(
    (cell) => !isSameValue(cell.value, local.values[table.columns.indexOf(cell.column)] ?? null),
  );
  if (changed.length > 0) {
    const sets = changed.map(
      (cell) => `${quoteIdentifier(cell.column.name)} = ${admission.placeholder(cell.value)}`,
    );
    const where = whereRow(admission, table, local);
    const sql = `update ${quoteIdentifier(table.name ?? '')} set ${sets.join(', ')} where ${where.sql}`;
    const collided = (): void => {
      waitWith(admission, planned, input);
    };
    const update = store.db.prepare<unknown[]>(sql);
    const done = attempt(admission, { planned, fact: input.fact, collided }, () =>
      update.run(...changed.map((cell) => admission.bindable(cell.value)), ...where.values),
    );
    if (done === null) return;
  }
  const { fact, cells } = input;
  const stamped = isRowLater
    ? restampRow(admission, planned, { fact, rid: local.rid, cells, clocks })
    : winners;
  recordCells(admission, table.tbl, { rid: local.rid, cells: stamped });
  touchClaims(admission, table, [...(isRowLater ? table.key : []), ...winners.map(({ column }) => column)]);
  report.applied += 1;
}

/** Whether a fact speaks of the row as such, and not of cells of it alone. */
const isOfRow = ({ isByEarlierKey }: Admission, { block }: PlannedBlock): boolean =>
  block.kind === 'rows' && !isByEarlierKey;

/** Where one of these columns is in a unique key, a key came free, or a claim on it is a later one now. */
export function touchClaims(
  admission: Admission,
  table: TrackedTable,
  written: readonly TrackedColumn[],
): void {
  const claimed = claimedColumns(admission, table);
  if (written.some(({ col }) => claimed.has(col))) admission.touchedKeys.add(table.tbl);
}

/** A row that cannot be what it is to be goes out of its table and waits, with all that was written in it. */
function waitWith(
  admission: Admission,
  planned: PlannedBlock,
  { fact, local }: { readonly fact: RowFact; readonly local: LocalRow },
): void {
  const { group, block, plan } = planned;
  const { resolveColumn } = admission.store.registry;
  const row = rowAsState(admission, plan.table, local);
  const arriving = readRowState({ table: plan.table, resolveColumn }, { group, block, row: fact.index });
  deleteQuietly(admission, plan.table, local);
  const joined = joinRowStates(row, arriving, block.kind === 'rows') ?? row;
  letWait(admission, plan.table, { row: joined, reason: 'uniqueCollision' });
}

/** Keys that a collation takes for equal may be spelled differently; the later spelling stays. */
function isRespelled(cell: IncomingCell, local: LocalRow, columns: readonly TrackedColumn[]): boolean {
  return !isSameValue(cell.value, local.values[columns.indexOf(cell.column)] ?? null);
}
