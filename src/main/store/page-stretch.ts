import { assert } from '#shared/assert.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { PAGE_BYTES_MAX } from '#shared/wire/limits.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { bindValue } from './bind-value.ts';
import { isUnnameable, readExactly } from './exact-values.ts';
import { readKeysOfEntries } from './earlier-keys.ts';
import type { StoredClock } from './earlier-keys.ts';
import { wholeRowFact } from './fact-shape.ts';
import { keyExpression } from './key-expression.ts';
import type { KeyValue } from './key-expression.ts';
import type { LogEntry } from './log-entry.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { PageEvent } from './page-events.ts';
import {
  factEvent,
  asPlace,
  groupClocks,
  lifeExpression,
  selectColumns,
  sizeOfValues,
} from './page-facts.ts';

import type { PageReader } from './page-facts.ts';
import type { PagePlace } from './page-place.ts';
import { toNumber } from './store-database.ts';
import type { StoredValue } from './store-database.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';

/** Rows that are read at once, and bytes after which no more are: bounds memory with rows of any width. */
const SLICE_ROWS = 250;
const SLICE_BYTES = PAGE_BYTES_MAX;

/**
 * Reads the rows of a range or baseline whose clock it still is, after a row of it or from its beginning.
 * A baseline begins and ends with a boundary, because its rows have no transaction in common.
 */
export function* readStretch(
  reader: PageReader,
  entry: LogEntry,
  after: readonly SqlValue[] | null,
): Generator<PageEvent> {
  const isBaseline = entry.kind === LOG_KIND.baseline;
  if (isBaseline && after === null) yield { type: 'boundary', place: placeOf(entry.seq - 1, isBaseline) };
  const table = reader.tableOf(entry);
  if (table !== null) yield* readRows(reader, { entry, table, isBaseline }, after);
  const end = placeOf(entry.seq, false);
  yield isBaseline ? { type: 'boundary', place: end } : { type: 'passed', place: end };
}

const placeOf = (seq: number, isBaseline: boolean): PagePlace => ({ seq, inside: null, isBaseline });

interface Stretch {
  readonly entry: LogEntry;
  readonly table: TrackedTable;
  readonly isBaseline: boolean;
}

const NO_CLOCKS: readonly StoredClock[] = [];

function* readRows(
  reader: PageReader,
  stretch: Stretch,
  start: readonly SqlValue[] | null,
): Generator<PageEvent> {
  const { entry, table, isBaseline } = stretch;
  const columns = reader.shapes.wholeRow(table, entry.seq);
  const added = reader.shapes.addedSince(table, entry.seq);
  const keys = readKeysOfEntries(reader, table);
  const selected = added.length === 0 ? columns : [...columns, ...added];
  let after = start;
  for (;;) {
    const { slice, isEnd } = readSlice(reader, { ...stretch, columns: selected }, after);
    const clocks = readSliceClocks(reader, table, slice);
    let named = 0;
    for (const { rid, life, values, place } of slice) {
      if (isUnnameable(reader, table, rid)) continue;
      after = place;
      named += 1;
      // Most slices have none, and a place as text costs as much as reading a value.
      const clocked = clocks.size === 0 ? NO_CLOCKS : (clocks.get(clockOwner(rid)) ?? NO_CLOCKS);
      yield factEvent(
        { seq: entry.seq - 1, inside: { entry: entry.seq, after: place }, isBaseline },
        {
          kind: 'rows',
          ...wholeRowFact(reader.shapes, {
            table,
            keyed: keys.of(clocked),
            columns,
            seq: entry.seq,
            added,
            clocked,
            read: { columns: selected, values },
          }),
          hlc: entry.hlc,
          site: reader.siteOf(entry.site),
          life,
        },
      );
    }
    if (isEnd || named === 0) return;
  }
}

interface SliceRow {
  readonly rid: KeyValue;
  readonly life: number;
  readonly values: readonly SqlValue[];
  /** What the next slice begins after. */
  readonly place: readonly SqlValue[];
}

function readSlice(
  reader: PageReader,
  stretch: Stretch & { readonly columns: readonly TrackedColumn[] },
  after: readonly SqlValue[] | null,
): { readonly slice: readonly SliceRow[]; readonly isEnd: boolean } {
  const { table, columns } = stretch;
  const order = table.kind === TABLE_KIND.withoutRowid ? keyOrder(table, after) : rowidOrder(stretch, after);
  const sql =
    `select ${order.rid}, ${lifeExpression(reader, table, null)}, ${selectColumns(columns)}` +
    // Left alone, SQLite may take the key's index for IS NOT NULL and sort the whole table for every slice.
    ` from ${quoteIdentifier(table.name ?? '')} as t${table.kind === TABLE_KIND.withoutRowid ? '' : ' not indexed'}` +
    ` where ${order.where}` +
    ` and ${keyExpression(table.key, 't.')} is not null` +
    // The plus takes the column's affinity away: with it, SQLite would not look the place up but read the table's clocks.
    ` and not exists (select 1 from _concord_cell as c where c.tbl = ${table.tbl} and c.rid = +${order.rid} and c.col = -1)` +
    ` order by ${order.by} limit ${SLICE_ROWS}`;
  const slice: SliceRow[] = [];
  let bytes = 0;
  for (const [ridValue, life, ...stored] of reader.db.prepareRaw<unknown[]>(sql).iterate(...order.bounds)) {
    const rid = asPlace(ridValue);
    const values = readExactly(reader, { table, columns, rid, values: stored });
    slice.push({
      rid,
      life: life === null || life === undefined ? 1 : toNumber(life),
      values,
      place: table.kind === TABLE_KIND.withoutRowid ? values.slice(0, table.key.length) : [rid],
    });
    bytes += sizeOfValues(values);
    if (bytes >= SLICE_BYTES) return { slice, isEnd: false };
  }
  return { slice, isEnd: slice.length < SLICE_ROWS };
}

interface Order {
  readonly rid: string;
  readonly where: string;
  readonly by: string;
  readonly bounds: readonly unknown[];
}

function rowidOrder({ entry, table }: Stretch, after: readonly SqlValue[] | null): Order {
  const rid = `t.${table.ridExpression}`;
  const [last] = after ?? [];
  // The first row of a stretch may have the lowest rowid that there is.
  if (last === undefined)
    return { rid, where: `${rid} between ? and ?`, by: rid, bounds: [entry.rid, entry.hi] };
  return { rid, where: `${rid} > ? and ${rid} <= ?`, by: rid, bounds: [last, entry.hi] };
}

function keyOrder(table: TrackedTable, after: readonly SqlValue[] | null): Order {
  const columns = table.key.map(({ name }) => `t.${quoteIdentifier(name)}`);
  const rid = keyExpression(table.key, 't.');
  const by = columns.join(', ');
  if (after === null) return { rid, where: 'true', by, bounds: [] };
  const values = after.map(bindValue);
  return {
    rid,
    where: `(${by}) > (${values.map(({ sql }) => sql).join(', ')})`,
    by,
    bounds: values.map(({ bound }) => bound),
  };
}

function readSliceClocks(
  reader: PageReader,
  table: TrackedTable,
  slice: readonly SliceRow[],
): ReadonlyMap<string, readonly StoredClock[]> {
  const first = slice.at(0)?.rid;
  const last = slice.at(-1)?.rid;
  if (first === undefined || last === undefined) return new Map();
  if (table.kind === TABLE_KIND.withoutRowid) return readClocksOneByOne(reader, table, slice);
  const found = reader.db
    .prepareRaw<[number, KeyValue, KeyValue]>(
      `select c.rid, c.col, x.hlc, x.site, x.seq from _concord_cell as c cross join _concord_log as x on x.seq = c.seq
       where c.tbl = ? and c.rid between ? and ? and c.col >= 0`,
    )
    .all(table.tbl, first, last);
  return groupClocks(found, clockOwnerOf, reader.siteOf);
}

/** Identities are not in the order of their keys, so a slice of keys is no stretch of the clocks. */
function readClocksOneByOne(
  reader: PageReader,
  table: TrackedTable,
  slice: readonly SliceRow[],
): ReadonlyMap<string, readonly StoredClock[]> {
  const find = reader.db.prepareRaw<[number, KeyValue]>(
    `select c.rid, c.col, x.hlc, x.site, x.seq from _concord_cell as c cross join _concord_log as x on x.seq = c.seq
     where c.tbl = ? and c.rid = ? and c.col >= 0`,
  );
  return groupClocks(
    slice.flatMap(({ rid }) => find.all(table.tbl, rid)),
    clockOwnerOf,
    reader.siteOf,
  );
}

/** Places as keys of a Map: bytes have no identity of their own in JavaScript. */
function clockOwner(rid: KeyValue): string {
  return rid instanceof Uint8Array
    ? `b${Buffer.from(rid).toString('hex')}`
    : `${typeof rid} ${rid.toString()}`;
}

function clockOwnerOf(value: StoredValue): string {
  assert(value !== null, 'a cell has the place of its row');
  return clockOwner(value);
}
