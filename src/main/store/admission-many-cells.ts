import { isRawText } from '#shared/model/json-sql-value.ts';
import { present } from '#shared/assert.ts';
import type { Stamp } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { writesKey, type PlannedBlock } from './admission-plan.ts';
import { isLater, keyOf } from './admission-row-read.ts';
import { touchClaims } from './admission-row-write.ts';
import { isRefusedValue } from './constraint-failure.ts';
import { isSameValue } from './is-same-value.ts';
import { keyExpression, keyValueOf } from './key-expression.ts';
import { appendCellsOfRows } from './log-cells.ts';
import type { RowPlace } from './log-write.ts';
import type { StoredValue, StoreStatement } from './store-database.ts';
import { TABLE_KIND, type TrackedColumn, type TrackedTable } from './table-registry.ts';

/** Rows looked up by one statement: past 50 nothing is gained. */
const ROWS_PER_LOOKUP = 50;

/**
 * Takes in the changed cells of many rows: rows and their clocks are looked up together, and what wins is recorded by
 * a few statements for all of them.
 *
 * Returns the places of the facts that were left for the rule of one row, `takeInRow`: those whose row is not here as it was
 * meant, of which only some cells win, or that some constraint refuses.
 */
export function admitManyCells(admission: Admission, planned: PlannedBlock): readonly number[] {
  const { block, plan } = planned;
  const everyIndex = block.rows.map((_row, index) => index);
  const columns = plan.known.filter(({ column }) => column.pk === 0);
  if (block.lives.length > 0 || block.clocks.length > 0 || columns.length === 0) return everyIndex;
  if (writesKey(plan)) return everyIndex;
  const work = openWork(admission, planned, columns);
  for (let from = 0; from < everyIndex.length; from += ROWS_PER_LOOKUP) {
    const facts = withKeys(work, everyIndex.slice(from, from + ROWS_PER_LOOKUP));
    const found = lookUp(work, facts);
    for (const [at, fact] of facts.entries()) takeIn(work, fact, found[at] ?? []);
  }
  recordPlaced(work);
  return work.slow.sort((left, right) => left - right);
}

/** The cells of a block on their way in, all with the stamp of the block. */
interface CellsUnderWay {
  readonly admission: Admission;
  readonly planned: PlannedBlock;
  readonly columns: readonly { readonly place: number; readonly column: TrackedColumn }[];
  readonly stamp: Stamp;
  /** Writes the cells: their values, then what finds the row. */
  readonly update: StoreStatement<unknown[], unknown>;
  /** Places of rows that were looked up: of two facts about one row the second has to see what the first wrote. */
  readonly seen: Set<unknown>;
  /** Places of rows in which cells were written. */
  readonly written: RowPlace[];
  readonly slow: number[];
}

function openWork(
  admission: Admission,
  planned: PlannedBlock,
  columns: CellsUnderWay['columns'],
): CellsUnderWay {
  const { group, block, plan } = planned;
  const site = present(group.sites[block.site], 'a block names a site of its group');
  const sets = columns.map(({ column }) => `${quoteIdentifier(column.name)} = ?`);
  const finds = isByKey(plan.table)
    ? plan.table.key.map(({ name }) => quoteIdentifier(name))
    : [plan.table.ridExpression];
  const update = admission.store.db.prepare<unknown[]>(
    `update or fail ${quoteIdentifier(plan.table.name ?? '')} set ${sets.join(', ')} where ${finds.map((name) => `${name} = ?`).join(' and ')}`,
  );
  return {
    admission,
    planned,
    columns,
    stamp: { hlc: block.hlc, site },
    update,
    seen: new Set(),
    written: [],
    slow: [],
  };
}

const isByKey = ({ kind }: TrackedTable): boolean => kind === TABLE_KIND.withoutRowid;

interface KeyedFact {
  readonly index: number;
  readonly row: readonly SqlValue[];
  readonly key: readonly SqlValue[];
}

/** Facts that can be looked up by their key; those without one, or of a key that was deleted before, are left. */
function withKeys(work: CellsUnderWay, indexes: readonly number[]): readonly KeyedFact[] {
  const { admission, planned, slow } = work;
  const { table } = planned.plan;
  const { clocks } = admission.store;
  const hasLives = clocks.hasLives(table.tbl);
  const facts: KeyedFact[] = [];
  for (const index of indexes) {
    const row = planned.block.rows[index] ?? [];
    const key = keyOf(admission, planned, row);
    const identity = row.some(isRawText) ? null : keyValueOf(table, key);
    const isFirstLife = identity !== null && (!hasLives || clocks.life(table.tbl, identity) === null);
    if (isFirstLife) facts.push({ index, row, key });
    else slow.push(index);
  }
  return facts;
}

/** What was found of a row, once for each of its cells that has an entry of its own. Empty where it is not here. */
type FoundRow = readonly (readonly StoredValue[])[];

/** Where in a line of what was found the fact's number, the row's place and its key stand; before them what `RowClocks.row` takes. */
const FOUND = { fact: 4, rid: 5, key: 6 } as const;

function lookUp({ admission, planned }: CellsUnderWay, facts: readonly KeyedFact[]): readonly FoundRow[] {
  if (facts.length === 0) return [];
  const found = facts.map((): (readonly StoredValue[])[] => []);
  const lines = admission.store.db
    .prepareRaw<unknown[]>(lookUpSql(planned.plan.table, facts.length))
    .all(...facts.flatMap(({ key }) => key));
  for (const line of lines) found[Number(line[FOUND.fact])]?.push(line);
  return found;
}

function lookUpSql(table: TrackedTable, rows: number): string {
  const rid = isByKey(table) ? keyExpression(table.key, 't.') : `t.${table.ridExpression}`;
  const key = table.key.map(({ name }) => `t.${quoteIdentifier(name)}`);
  const tuple = table.key.map(() => '?').join(', ');
  const wanted = Array.from({ length: rows }, (_row, at) => `(${at}, ${tuple})`).join(', ');
  return (
    `with v (n, ${key.map((_column, place) => `k${place}`).join(', ')}) as (values ${wanted})` +
    ` select c.col, l.hlc, l.site, l.seq, v.n, ${rid}, ${key.join(', ')}` +
    ` from v cross join main.${quoteIdentifier(table.name ?? '')} as t` +
    ` on ${key.map((column, place) => `${column} = v.k${place}`).join(' and ')}` +
    // The plus takes the column's affinity away: with it, SQLite would not look the place up.
    ` left join _concord_cell as c on c.tbl = ${table.tbl} and c.rid = +${rid}` +
    ` left join _concord_log as l on l.seq = c.seq`
  );
}

function takeIn(work: CellsUnderWay, fact: KeyedFact, found: FoundRow): void {
  const { admission, slow, written } = work;
  const rid = found[0]?.[FOUND.rid] ?? null;
  const outcome = rid === null ? 'apart' : decide(work, { ...fact, rid, found });
  if (rid === null || outcome === 'apart') slow.push(fact.index);
  else if (outcome !== 'wins') admission.report[outcome] += 1;
  else if (writeCells(work, { ...fact, rid })) written.push(rid);
  else slow.push(fact.index);
}

/** Whether a place was looked up before; it was from now on. */
function hasSeen(seen: Set<unknown>, rid: RowPlace): boolean {
  // Bytes have no identity of their own in JavaScript.
  const name = rid instanceof Uint8Array ? `bytes ${Buffer.from(rid).toString('hex')}` : rid;
  const isKnown = seen.has(name);
  seen.add(name);
  return isKnown;
}

function decide(
  { admission, planned, columns, stamp, seen }: CellsUnderWay,
  fact: KeyedFact & { readonly rid: RowPlace; readonly found: FoundRow },
): 'wins' | 'superseded' | 'duplicates' | 'apart' {
  const { key, rid, found } = fact;
  const [line = []] = found;
  // A key that its collation takes for equal may be spelled differently, which is a cell too.
  const isAlike = key.every((value, place) => isSameValue(line[FOUND.key + place] ?? null, value));
  if (hasSeen(seen, rid) || !isAlike) return 'apart';
  const clock = admission.store.clocks.row(planned.plan.table.tbl, rid, line[0] === null ? [] : found);
  const stamps = columns.map(({ column }) => clock.cell(column));
  const wins = stamps.filter((known) => isLater(stamp, known)).length;
  if (wins === columns.length) return 'wins';
  if (wins > 0) return 'apart';
  return stamps.some((known) => isLater(known, stamp)) ? 'superseded' : 'duplicates';
}

/** Whether the cells went in. */
function writeCells(
  { planned, columns, update }: CellsUnderWay,
  { row, key, rid }: Omit<KeyedFact, 'index'> & { readonly rid: RowPlace },
): boolean {
  const finds = isByKey(planned.plan.table) ? key : [rid];
  try {
    update.run(...columns.map(({ place }) => row[place] ?? null), ...finds);
    return true;
  } catch (cause) {
    if (!isRefusedValue(cause)) throw cause;
    return false;
  }
}

function recordPlaced({ admission, planned, columns, written }: CellsUnderWay): void {
  if (written.length === 0) return;
  const { group, block, plan } = planned;
  const { tbl } = plan.table;
  const cells = columns.map(({ column }) => column);
  const changed = { tbl, rids: written, columns: cells.map(({ col }) => col) };
  appendCellsOfRows(admission.store.db, changed, admission.originOf(group, block.hlc, block.site));
  touchClaims(admission, plan.table, cells);
  admission.report.applied += written.length;
}
