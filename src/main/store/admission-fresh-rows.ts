import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { keyOf } from './admission-row-read.ts';
import { recordUnwritten } from './admission-unwritten.ts';
import { constraintOf } from './constraint-failure.ts';
import { keyValueOf } from './key-expression.ts';
import type { RowPlace } from './log-write.ts';
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
  if (block.lives.length > 0 || plan.known.length === 0) return everyIndex;
  muteInserts(admission, plan.table.tbl);
  const mayHaveLives = admission.store.clocks.hasLives(plan.table.tbl);
  const [fresh, rest] = partition(
    everyIndex,
    (index) => isPlain(block.rows[index] ?? []) && !(mayHaveLives && hadLife(admission, planned, index)),
  );
  const slow = [...rest];
  const placed: Placed[] = [];
  for (let from = 0; from < fresh.length; from += ROWS_PER_INSERT) {
    const chunk = fresh.slice(from, from + ROWS_PER_INSERT);
    const rids = insertChunk(admission, planned, chunk);
    if (rids === null) slow.push(...chunk);
    else chunk.forEach((index, at) => placed.push({ index, rid: rids[at] ?? 0n }));
  }
  recordPlaced(admission, planned, placed);
  admission.report.applied += placed.length;
  return slow.sort((left, right) => left - right);
}

/** With the mark below every rowid, the insert trigger costs a look-up a row and never enters its body. */
function muteInserts(admission: Admission, tbl: number): void {
  if (admission.mutedTables.has(tbl)) return;
  admission.mutedTables.add(tbl);
  admission.store.logWriter.muteInserts(tbl);
}

interface Placed {
  readonly index: number;
  readonly rid: RowPlace;
}

/** Text that is no UTF-8 needs a statement of its own. */
const isPlain = (row: readonly SqlValue[]): boolean =>
  row.every((value) => typeof value !== 'object' || value === null || !('textBytes' in value));

function hadLife(admission: Admission, planned: PlannedBlock, index: number): boolean {
  const { table } = planned.plan;
  const key = keyValueOf(table, keyOf(admission, planned, planned.block.rows[index] ?? []));
  return key === null || admission.store.clocks.life(table.tbl, key) !== null;
}

/** The rids of the inserted rows in order, or null when not all of them were new and nothing was inserted. */
function insertChunk(
  admission: Admission,
  planned: PlannedBlock,
  chunk: readonly number[],
): readonly RowPlace[] | null {
  const { table, known } = planned.plan;
  const tuple = `(${known.map(() => '?').join(', ')})`;
  const { db } = admission.store;
  const statement = db.prepare<unknown[]>(
    `insert into ${quoteIdentifier(table.name ?? '')} (${known.map(({ column }) => quoteIdentifier(column.name)).join(', ')}) values ${chunk
      .map(() => tuple)
      .join(', ')} on conflict do nothing`,
  );
  const values: unknown[] = [];
  for (const index of chunk) {
    const row = planned.block.rows[index] ?? [];
    for (const { place } of known) values.push(row[place] ?? null);
  }
  db.prepare<[]>('savepoint _concord_chunk').run();
  try {
    const { changes, lastInsertRowid } = statement.run(...values);
    if (changes === chunk.length) {
      db.prepare<[]>('release _concord_chunk').run();
      return ridsOf(admission, planned, { chunk, last: BigInt(lastInsertRowid) });
    }
  } catch (cause) {
    if (constraintOf(cause) === null) throw cause;
  }
  db.prepare<[]>('rollback to _concord_chunk').run();
  db.prepare<[]>('release _concord_chunk').run();
  return null;
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
  return chunk.map((index) => {
    const key = keyValueOf(table, keyOf(admission, planned, planned.block.rows[index] ?? []));
    if (key === null) throw new Error('A row without a key was inserted.');
    return typeof key === 'number' && table.kind === TABLE_KIND.integerKey ? BigInt(key) : key;
  });
}

/** One range where the rows came in ascending and above all that is sealed, else an entry per row. */
function recordPlaced(admission: Admission, planned: PlannedBlock, placed: readonly Placed[]): void {
  if (placed.length === 0) return;
  const { block, group, plan } = planned;
  const { logWriter } = admission.store;
  const origin = admission.originOf(group, block.hlc, block.site);
  const { tbl } = plan.table;
  const stretch = stretchOf(placed);
  if (stretch !== null && stretch.lo > logWriter.sealedMark(tbl)) logWriter.appendRange(tbl, stretch, origin);
  else for (const row of placed) logWriter.appendInsert(tbl, row.rid, origin);
  recordOwnClocks(admission, planned, placed);
  for (const row of placed) recordUnwritten(admission, planned, row.rid);
}

function recordOwnClocks(
  admission: Admission,
  { block, group, plan }: PlannedBlock,
  placed: readonly Placed[],
): void {
  if (block.clocks.length === 0) return;
  const ridByIndex = new Map(placed.map((row) => [row.index, row.rid]));
  for (const [index, place, hlc, site] of block.clocks) {
    const rid = ridByIndex.get(index);
    const target = plan.targets[place];
    if (rid === undefined || target?.kind !== 'column') continue;
    const origin = admission.originOf(group, hlc, site);
    admission.store.logWriter.appendCells(plan.table.tbl, { rid, columns: [target.column.col] }, origin);
  }
}

/** First and last rowid of rows that ascend; null where they do not, or have no rowids. */
function stretchOf(placed: readonly Placed[]): { readonly lo: bigint; readonly hi: bigint } | null {
  let lo: bigint | null = null;
  let hi: bigint | null = null;
  for (const { rid } of placed) {
    if (typeof rid !== 'bigint' || (hi !== null && rid <= hi)) return null;
    lo ??= rid;
    hi = rid;
  }
  return lo === null || hi === null ? null : { lo, hi };
}

function partition<T>(
  items: readonly T[],
  belongs: (item: T) => boolean,
): readonly [readonly T[], readonly T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const item of items) (belongs(item) ? yes : no).push(item);
  return [yes, no];
}
