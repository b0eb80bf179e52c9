import { assert, present } from '#shared/assert.ts';
import type { Cursor } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { isUnnameable, readExactly, readKeyExactly } from './exact-values.ts';
import { bitsOf } from './fold-cells.ts';
import type { OutgoingFact } from './group-builder.ts';
import { keyExpression } from './key-expression.ts';
import type { KeyValue } from './key-expression.ts';
import { decodeKey, keyLookup } from './key-lookup.ts';
import { readKeysOfEntries } from './earlier-keys.ts';
import type { StoredClock } from './earlier-keys.ts';
import { readFormerKeys } from './former-keys.ts';
import type { LogEntry } from './log-entry.ts';
import type { FactEvent } from './page-events.ts';
import type { PagePlace } from './page-place.ts';
import { createRowClocks } from './row-clock.ts';
import type { RowClocks } from './row-clock.ts';
import { createShapes, wholeRowFact } from './fact-shape.ts';
import type { Shapes } from './fact-shape.ts';
import type { SiteRegistry } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { TableRegistry, TrackedColumn, TrackedTable } from './table-registry.ts';

/** A run of like entries, by its ends. */
export interface EntryRun {
  readonly entries: readonly LogEntry[];
  readonly first: LogEntry;
  readonly last: LogEntry;
}

/** Reads the facts of entries that still hold, a run by one or two statements. */
export interface PageReader {
  readonly db: StoreDatabase;
  readonly clocks: RowClocks;
  readonly shapes: Shapes;
  /** The table of an entry while it can be sent: there, with a key. */
  readonly tableOf: (entry: LogEntry) => TrackedTable | null;
  readonly siteOf: (ordinal: number | null) => SiteId;
  /** Whole rows of entries that are their row's latest. */
  readonly rows: (run: EntryRun) => Generator<FactEvent>;
  /** Changed cells of entries that are some cell's latest. */
  readonly cells: (run: EntryRun) => Generator<FactEvent>;
  /** Deletions that are their key's latest. `place` overrides where the reader stands after each. */
  readonly deletes: (run: EntryRun, place: PagePlace | null) => Generator<FactEvent>;
}

/** What the facts of a page are read from. */
type Source = Omit<PageReader, 'rows' | 'cells' | 'deletes'>;

/** Makes the reader of one page. */
export function createPageReader(
  db: StoreDatabase,
  deps: {
    readonly registry: TableRegistry;
    readonly sites: SiteRegistry;
    readonly cursor: Pick<Cursor, 'catalogSeq'>;
  },
): PageReader {
  const { registry, sites, cursor } = deps;
  const siteByOrdinal = new Map<number, SiteId>();
  const source: Source = {
    db,
    clocks: createRowClocks(db, sites.own),
    shapes: createShapes(cursor.catalogSeq),
    tableOf,
    siteOf,
  };
  return {
    ...source,
    rows: (run) => readRows(source, run),
    cells: (run) => readCells(source, run),
    deletes: (run, place) => readDeletes(source, run, place),
  };

  function tableOf({ tbl }: LogEntry): TrackedTable | null {
    const table = tbl === null ? null : registry.byTbl(tbl);
    return typeof table?.name !== 'string' || table.key.length === 0 ? null : table;
  }

  function siteOf(ordinal: number | null): SiteId {
    if (ordinal === null) return sites.own;
    const known = siteByOrdinal.get(ordinal);
    if (known !== undefined) return known;
    const site = sites.siteOf(ordinal);
    siteByOrdinal.set(ordinal, site);
    return site;
  }
}

interface Bounds {
  readonly tbl: number;
  readonly from: number;
  readonly to: number;
}

const boundsOf = ({ tbl }: TrackedTable, { first, last }: EntryRun): Bounds => ({
  tbl,
  from: first.seq,
  to: last.seq,
});

function* readRows(source: Source, run: EntryRun): Generator<FactEvent> {
  const table = source.tableOf(run.first);
  if (table === null) return;
  const keys = readKeysOfEntries(source, table);
  const columns = source.shapes.wholeRow(table, run.first.seq);
  const added = source.shapes.addedSince(table, run.first.seq);
  const selected = added.length === 0 ? columns : [...columns, ...added];
  const bounds = boundsOf(table, run);
  const clocksBySeq = readRunClocks(source, bounds);
  const found = source.db.prepareRaw<Bounds[]>(
    `select l.seq, l.hlc, l.site, l.rid, ${lifeExpression(source, table, 'l.rid')}, ${selectColumns(selected)}
     from _concord_log as l
       cross join _concord_cell as c on c.tbl = l.tbl and c.rid = l.rid and c.col = -1 and c.seq = l.seq
       cross join ${quoteIdentifier(table.name ?? '')} as t on ${rowLookup(table, 'l.rid')}
     where l.seq between @from and @to and l.tbl = @tbl and ${keyExpression(table.key, 't.')} is not null order by l.seq`,
  );
  for (const [seq, hlc, site, rid, life, ...values] of found.iterate(bounds)) {
    if (isUnnameable(source, table, asPlace(rid))) continue;
    const entrySeq = toNumber(seq);
    const clocked = clocksBySeq.get(entrySeq) ?? [];
    const exact = readExactly(source, { table, columns: selected, rid: asPlace(rid), values });
    yield factEvent(atEntry(entrySeq), {
      kind: 'rows',
      ...wholeRowFact(source.shapes, {
        table,
        keyed: keys.of(clocked),
        columns,
        seq: run.first.seq,
        added,
        clocked,
        read: { columns: selected, values: exact },
      }),
      ...stampOf(source, hlc, site),
      life: lifeOf(life),
    });
  }
}

function* readCells(source: Source, run: EntryRun): Generator<FactEvent> {
  const table = source.tableOf(run.first);
  if (table === null) return;
  const columns = maskedColumns(table, run.first);
  const bounds = boundsOf(table, run);
  const currentBySeq = readCurrentCells(source, bounds);
  if (columns.length === 0 || currentBySeq.size === 0) return;
  const keys = readKeysOfEntries(source, table);
  const selected = [...table.key, ...keys.columns, ...columns];
  const found = source.db.prepareRaw<Bounds[]>(
    `select l.seq, l.hlc, l.site, l.rid, ${lifeExpression(source, table, 'l.rid')}, ${selectColumns(selected)}
     from _concord_log as l cross join ${quoteIdentifier(table.name ?? '')} as t on ${rowLookup(table, 'l.rid')}
     where l.seq between @from and @to and l.tbl = @tbl and ${keyExpression(table.key, 't.')} is not null
       and exists (select 1 from _concord_cell as c where c.tbl = l.tbl and c.rid = l.rid and c.seq = l.seq)
       and l.hlc > 0 order by l.seq`,
  );
  for (const [seq, hlc, site, rid, life, ...values] of found.iterate(bounds)) {
    if (isUnnameable(source, table, asPlace(rid))) continue;
    const entrySeq = toNumber(seq);
    const current = currentBySeq.get(entrySeq) ?? new Set();
    const keyed = keys.of([...current].map((col) => ({ col, seq: entrySeq })));
    const shape = source.shapes.cells(
      keyed,
      columns.filter(({ col }) => current.has(col)),
    );
    if (shape === null) continue;
    const place = asPlace(rid);
    const exact = readExactly(source, { table, columns: selected, rid: place, values });
    yield factEvent(atEntry(entrySeq), {
      kind: 'cells',
      table: keyed,
      columns: shape,
      values: shape.map((column) => exact[lastPlaceOf(selected, column)] ?? null),
      ...stampOf(source, hlc, site),
      life: lifeOf(life),
      clocks: spellingClocks(source, { table: keyed, current, rid: place }),
    });
  }
}

function* readDeletes(source: Source, run: EntryRun, place: PagePlace | null): Generator<FactEvent> {
  const table = source.tableOf(run.first);
  if (table === null) return;
  yield* readDeletesByKey(source, { table, run, place });
  for (const former of readFormerKeys(source.db, table)) {
    yield* readDeletesByKey(source, {
      table: { ...table, key: former.columns },
      run,
      place,
      cols: former.cols,
    });
  }
}

/** Deletions under the table's key, or under one that it had before. */
function* readDeletesByKey(
  source: Source,
  read: {
    readonly table: TrackedTable;
    readonly run: EntryRun;
    readonly place: PagePlace | null;
    readonly cols?: string;
  },
): Generator<FactEvent> {
  const { table, run, place, cols } = read;
  const derived =
    cols === undefined
      ? `_concord_life as y on y.tbl = l.tbl`
      : `_concord_former as y on y.tbl = l.tbl and y.cols = @cols`;
  const found = source.db.prepareRaw<unknown[]>(
    `select l.seq, l.hlc, l.site, l.key, y.life from _concord_log as l
       cross join ${derived} and y.key = l.key and y.seq = l.seq and (y.life % 2 = 0 or l.mask is not null)
     where l.seq between @from and @to and l.tbl = @tbl order by l.seq`,
  );
  for (const [seq, hlc, site, key, life] of found.iterate(
    cols === undefined ? boundsOf(table, run) : { ...boundsOf(table, run), cols },
  )) {
    yield factEvent(place ?? atEntry(toNumber(seq)), {
      kind: 'deletes',
      table,
      columns: table.key,
      values: decodeKey(table, readKeyExactly(source, { seq: toNumber(seq), key: asPlace(key) })),
      ...stampOf(source, hlc, site),
      life: toNumber(life),
      clocks: [],
    });
  }
}

type Stored = StoredValue | undefined;

const stampOf = ({ siteOf }: Source, hlc: Stored, site: Stored): Pick<OutgoingFact, 'hlc' | 'site'> => ({
  hlc: toBigInt(hlc),
  site: siteOf(ordinalOf(site)),
});

/** Rows whose key was never deleted have no life of their own: it is their first. */
const lifeOf = (life: Stored): number => (life === null || life === undefined ? 1 : toNumber(life));

const atEntry = (seq: number): PagePlace => ({ seq, inside: null, isBaseline: false });

/** A fact on its way into a page, with the size of its values. */
export function factEvent(place: PagePlace, fact: OutgoingFact): FactEvent {
  return { type: 'fact', place, fact, bytes: sizeOfValues(fact.values) };
}

/** About the bytes that values have on the wire. */
export function sizeOfValues(values: readonly SqlValue[]): number {
  let bytes = 0;
  for (const value of values) bytes += sizeOf(value);
  return bytes;
}

function sizeOf(value: SqlValue): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  return typeof value === 'object' && value !== null ? value.textBytes.length : 8;
}

/** SQL that reads these columns of the row `t`. */
export const selectColumns = (columns: readonly TrackedColumn[]): string =>
  columns.map(({ name }) => `t.${quoteIdentifier(name)}`).join(', ');

/** SQL that gives the life of the row `t`, or NULL where no key of the table was ever deleted. */
export function lifeExpression(
  reader: Pick<PageReader, 'clocks'>,
  table: TrackedTable,
  identity: string | null,
): string {
  if (!reader.clocks.hasLives(table.tbl)) return 'null';
  const isByKey = table.kind === TABLE_KIND.withoutRowid && identity !== null;
  const key = isByKey ? identity : keyExpression(table.key, 't.');
  return `(select y.life from _concord_life as y where y.tbl = ${table.tbl} and y.key = +${key})`;
}

/** SQL that finds the row `t` at a place: by rowid, or by the columns of its key. */
const rowLookup = (table: TrackedTable, place: string): string =>
  table.kind === TABLE_KIND.withoutRowid
    ? keyLookup(table.key, 't.', place)
    : `t.${table.ridExpression} = ${place}`;

/** Clocks of cells that were changed after their row, by the seq of the row's entry. */
function readRunClocks(
  reader: Pick<PageReader, 'db' | 'siteOf'>,
  bounds: Bounds,
): ReadonlyMap<number, readonly StoredClock[]> {
  const found = reader.db
    .prepareRaw<Bounds[]>(
      `select l.seq, c.col, x.hlc, x.site, x.seq from _concord_log as l
         cross join _concord_cell as c0 on c0.tbl = l.tbl and c0.rid = l.rid and c0.col = -1 and c0.seq = l.seq
         cross join _concord_cell as c on c.tbl = l.tbl and c.rid = l.rid and c.col >= 0
         cross join _concord_log as x on x.seq = c.seq
       where l.seq between @from and @to and l.tbl = @tbl`,
    )
    .all(bounds);
  return groupClocks(found, toNumber, reader.siteOf);
}

/** Rows of [owner, col, hlc, site, seq] as clocks by owner. */
export function groupClocks<Owner>(
  rows: readonly (readonly StoredValue[])[],
  ownerOf: (value: StoredValue) => Owner,
  siteOf: PageReader['siteOf'],
): ReadonlyMap<Owner, readonly StoredClock[]> {
  const byOwner = new Map<Owner, StoredClock[]>();
  for (const [owner = null, col, hlc, site, seq] of rows) {
    const clock = {
      col: toNumber(col),
      hlc: toBigInt(hlc),
      site: siteOf(ordinalOf(site)),
      seq: toNumber(seq),
    };
    const list = byOwner.get(ownerOf(owner));
    if (list === undefined) byOwner.set(ownerOf(owner), [clock]);
    else list.push(clock);
  }
  return byOwner;
}

/**
 * A key that its collation folds can be respelled, so it is a cell with a clock; where the fact carries the key only
 * to say which row is meant, that clock goes along.
 */
function spellingClocks(
  reader: Pick<PageReader, 'clocks'>,
  cell: { readonly table: TrackedTable; readonly current: ReadonlySet<number>; readonly rid: KeyValue },
): OutgoingFact['clocks'] {
  const { table, current, rid } = cell;
  const isFolded = table.key.some(
    ({ collation }) => collation !== null && collation.toUpperCase() !== 'BINARY',
  );
  if (!isFolded) return [];
  const clock = reader.clocks.row(table.tbl, rid);
  return table.key.flatMap((column, place) =>
    current.has(column.col) ? [] : [{ place, ...clock.cell(column) }],
  );
}

function maskedColumns(table: TrackedTable, entry: LogEntry): readonly TrackedColumn[] {
  const base = Number(entry.hi ?? 0n);
  const ordinals = new Set(bitsOf(entry.mask ?? 0n).map((bit) => base + bit));
  return table.columns.filter(({ col }) => ordinals.has(col));
}

/** Ordinals of the cells whose latest entry each seq of a run is. */
function readCurrentCells(
  reader: Pick<PageReader, 'db'>,
  bounds: Bounds,
): ReadonlyMap<number, ReadonlySet<number>> {
  const bySeq = new Map<number, Set<number>>();
  const found = reader.db.prepareRaw<Bounds[]>(
    `select l.seq, c.col from _concord_log as l
       cross join _concord_cell as c on c.tbl = l.tbl and c.rid = l.rid and c.col >= 0 and c.seq = l.seq
     where l.seq between @from and @to and l.tbl = @tbl`,
  );
  for (const [seq, col] of found.all(bounds)) {
    const set = bySeq.get(toNumber(seq));
    if (set === undefined) bySeq.set(toNumber(seq), new Set([toNumber(col)]));
    else set.add(toNumber(col));
  }
  return bySeq;
}

const lastPlaceOf = (columns: readonly TrackedColumn[], wanted: TrackedColumn): number =>
  present(
    columns.findLastIndex(({ col }) => col === wanted.col),
    'a fact selects its columns',
  );

/** A row's rowid or key. Throws where an entry has none, which no entry of a row does. */
export function asPlace(value: StoredValue | undefined): KeyValue {
  assert(value !== null && value !== undefined, 'an entry of a row has its place');
  return value;
}

const ordinalOf = (value: StoredValue | undefined): number | null =>
  value === null || value === undefined ? null : toNumber(value);
