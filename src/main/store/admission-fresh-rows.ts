import { isRawText } from '#shared/model/json-sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { isFormerlyDeleted } from './admission-former-key.ts';
import { writesKey, type PlannedBlock } from './admission-plan.ts';
import { keyOf } from './admission-row-read.ts';
import { recordUnwritten, unwrittenValues } from './admission-unwritten.ts';
import { readFormerKeys } from './former-keys.ts';
import { keyValueOf } from './key-expression.ts';
import type { RowPlace } from './log-write.ts';
import { isFaultOfRow } from './silence-triggers.ts';
import { TABLE_KIND } from './table-registry.ts';

/** Rows per INSERT: past 50 nothing is gained (performance-facts.md, section 3.1). */
const ROWS_PER_INSERT = 50;

/**
 * Inserts the rows of a block that are new here, many at a time, and records them as ranges.
 *
 * Returns the places of the rows that were left for the slow path: those with a key that is here already, was
 * deleted before, or that some constraint refuses.
 */
export function admitFreshRows(admission: Admission, planned: PlannedBlock): readonly number[] {
  const { block, plan } = planned;
  const everyIndex = block.rows.map((_row, index) => index);
  if (block.lives.length > 0 || plan.known.length === 0 || writesKey(plan)) return everyIndex;
  muteInserts(admission, plan.table.tbl);
  const mayHaveLives =
    admission.store.clocks.hasLives(plan.table.tbl) ||
    readFormerKeys(admission.store.db, plan.table).length > 0;
  const fresh = everyIndex.filter((index) =>
    mayHaveLives ? !hadLife(admission, planned, index) : hasKey(planned, index),
  );
  const isFresh = new Set(fresh);
  const slow = everyIndex.filter((index) => !isFresh.has(index));
  const placed: PlacedRows = { indexes: [], rids: [] };
  for (let from = 0; from < fresh.length; from += ROWS_PER_INSERT) {
    const chunk = fresh.slice(from, from + ROWS_PER_INSERT);
    const rids = insertChunk(admission, planned, chunk);
    if (rids === null) {
      slow.push(...chunk);
    } else {
      placed.indexes.push(...chunk);
      placed.rids.push(...rids);
    }
  }
  recordPlaced(admission, planned, placed);
  admission.report.applied += placed.rids.length;
  return slow.sort((left, right) => left - right);
}

/** Rows that went in, and where they lie now, in the order of the block. */
interface PlacedRows {
  readonly indexes: number[];
  readonly rids: RowPlace[];
}

/** With the mark below every rowid, the insert trigger costs a look-up a row and never enters its body. */
function muteInserts(admission: Admission, tbl: number): void {
  if (admission.mutedTables.has(tbl)) return;
  admission.mutedTables.add(tbl);
  admission.store.logWriter.muteInserts(tbl);
}

/** Rows that were written under another key may have no value for the one here. */
const hasKey = ({ block, plan }: PlannedBlock, index: number): boolean =>
  (plan.keyPlaces ?? []).every((place) => (block.rows[index]?.[place] ?? null) !== null);

function hadLife(admission: Admission, planned: PlannedBlock, index: number): boolean {
  const { table } = planned.plan;
  const key = keyValueOf(table, keyOf(admission, planned, planned.block.rows[index] ?? []));
  return (
    key === null ||
    admission.store.clocks.life(table.tbl, key) !== null ||
    isFormerlyDeleted(admission, planned, index)
  );
}

/**
 * The rids of the inserted rows in order, or null when not all of them were new and nothing was inserted.
 *
 * OR ABORT undoes the whole statement by the journal that its triggers demand anyhow; a savepoint would copy every page
 * a second time. It also overrules conflict clauses that the application gave its constraints.
 */
function insertChunk(
  admission: Admission,
  planned: PlannedBlock,
  chunk: readonly number[],
): readonly RowPlace[] | null {
  const { table, known } = planned.plan;
  const filled = unwrittenValues(admission, planned);
  const columns = [
    ...known.map(({ column }) => quoteIdentifier(column.name)),
    ...filled.map(({ column }) => column),
  ].join(', ');
  const tuple = `(${[...known.map(() => '?'), ...filled.map(({ sql }) => sql)].join(', ')})`;
  const statement = admission.store.db.prepare<unknown[]>(
    `insert or abort into ${quoteIdentifier(table.name ?? '')} (${columns}) values ${chunk.map(() => tuple).join(', ')}`,
  );
  const values: unknown[] = [];
  for (const index of chunk) {
    const row = planned.block.rows[index] ?? [];
    for (const { place } of known) {
      const value = row[place] ?? null;
      // Text that is no UTF-8 needs a statement of its own.
      if (isRawText(value)) return null;
      values.push(value);
    }
  }
  try {
    const { lastInsertRowid } = statement.run(...values);
    return ridsOf(admission, planned, { chunk, last: BigInt(lastInsertRowid) });
  } catch (cause) {
    if (!isFaultOfRow(admission.store, table.name ?? '', cause)) throw cause;
    return null;
  }
}

function ridsOf(
  admission: Admission,
  planned: PlannedBlock,
  inserted: { readonly chunk: readonly number[]; readonly last: bigint },
): readonly RowPlace[] {
  const { table } = planned.plan;
  const { chunk, last } = inserted;
  // SQLite gives max(rowid) + 1, so the rows of one INSERT lie side by side.
  if (table.kind === TABLE_KIND.rowid) return chunk.map((_index, at) => last - BigInt(chunk.length - 1 - at));
  const [keyPlace = -1] = planned.plan.keyPlaces ?? [];
  return chunk.map((index) => {
    const rowid = planned.block.rows[index]?.[keyPlace];
    if (table.kind === TABLE_KIND.integerKey && typeof rowid === 'bigint') return rowid;
    const key = keyValueOf(table, keyOf(admission, planned, planned.block.rows[index] ?? []));
    if (key === null) throw new Error('A row without a key was inserted.');
    return typeof key === 'number' && table.kind === TABLE_KIND.integerKey ? BigInt(key) : key;
  });
}

/** One range where the rows came in ascending and above all that is sealed, else an entry per row. */
function recordPlaced(admission: Admission, planned: PlannedBlock, placed: PlacedRows): void {
  if (placed.rids.length === 0) return;
  const { block, group, plan } = planned;
  const { logWriter } = admission.store;
  const origin = admission.originOf(group, block.hlc, block.site);
  const { tbl } = plan.table;
  const stretch = stretchOf(placed.rids);
  if (stretch !== null && stretch.lo > logWriter.sealedMark(tbl)) logWriter.appendRange(tbl, stretch, origin);
  else for (const rid of placed.rids) logWriter.appendInsert(tbl, rid, origin);
  recordOwnClocks(admission, planned, placed);
  if (plan.known.length < plan.table.columns.length) {
    for (const rid of placed.rids) recordUnwritten(admission, planned, rid);
  }
}

function recordOwnClocks(
  admission: Admission,
  { block, group, plan }: PlannedBlock,
  placed: PlacedRows,
): void {
  if (block.clocks.length === 0) return;
  const ridByIndex = new Map(placed.indexes.map((index, at) => [index, placed.rids[at]]));
  for (const [index, place, hlc, site] of block.clocks) {
    const rid = ridByIndex.get(index);
    const target = plan.targets[place];
    if (rid === undefined || target?.kind !== 'column') continue;
    const origin = admission.originOf(group, hlc, site);
    admission.store.logWriter.appendCells(plan.table.tbl, { rid, columns: [target.column.col] }, origin);
  }
}

/** First and last rowid of rows that ascend; null where they do not, or have no rowids. */
function stretchOf(rids: readonly RowPlace[]): { readonly lo: bigint; readonly hi: bigint } | null {
  let lo: bigint | null = null;
  let hi: bigint | null = null;
  for (const rid of rids) {
    if (typeof rid !== 'bigint' || (hi !== null && rid <= hi)) return null;
    lo ??= rid;
    hi = rid;
  }
  return lo === null || hi === null ? null : { lo, hi };
}
