import { assert } from '#shared/assert.ts';

import type { Admission } from './admission-context.ts';
import { localLifeOf } from './admission-row-write.ts';
import { countWaiting } from './held-entries.ts';
import { keyExpression, type KeyValue } from './key-expression.ts';
import { keyLookup } from './key-lookup.ts';
import { LOG_KIND, ROW_KINDS } from './metadata-schema.ts';
import { toNumber, type StoredValue } from './store-database.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';

// Which rows were written in a stretch of the log, as far as changes wait for their tables. A row that came, went or got
// another key may be what a held change waits for.

/** Rows of one table that were written. */
export interface WrittenRows {
  readonly table: TrackedTable;
  /** The IDs under which changes of the table wait. */
  readonly ids: readonly string[];
  /** Their identities; `many` when they are no fewer than what waits. */
  readonly keys: readonly KeyValue[] | 'many';
}

/** Seqs: after `from`, up to `to`. */
interface LogStretch {
  readonly from: number;
  readonly to: number;
}

type Waiting = ReadonlyMap<TrackedTable, readonly string[]>;

/** The rows that were written in a stretch of the log. Call after the fold: keys are canonical then. */
export function rowsWritten(
  admission: Admission,
  stretch: LogStretch,
  waiting: Waiting,
): readonly WrittenRows[] {
  return [...waiting].flatMap(([table, ids]): readonly WrittenRows[] => {
    const written = countWritten(admission, stretch, table);
    if (written === 0) return [];
    const waits = ids.reduce((sum, tableId) => sum + countOf(admission, { tableId, max: written + 1 }), 0);
    if (waits === 0) return [];
    if (waits <= written) return [{ table, ids, keys: 'many' }];
    return [{ table, ids, keys: keysOf(admission, table, entriesOf(admission, stretch, table)) }];
  });
}

/**
 * A row that a program inserted here under a key whose row waits is an edit of that row which knew it: it is the same life.
 * Without this the waiting one, in a higher life, would take its place.
 */
export function knowInsertedRows(admission: Admission, stretch: LogStretch, waiting: Waiting): void {
  for (const { table, ids, keys } of rowsWritten(admission, stretch, waiting)) {
    const known = keys === 'many' ? waitingKeys(admission, ids) : keys;
    for (const key of known) knowRow(admission, { table, ids, key });
  }
}

function knowRow(
  admission: Admission,
  row: { readonly table: TrackedTable; readonly ids: readonly string[]; readonly key: KeyValue },
): void {
  const { store } = admission;
  const { table, ids, key } = row;
  const seq = seqOfRow(admission, table, key);
  if (seq === null) return;
  const life = Math.max(0, ...ids.map((tableId) => waitingLife(admission, tableId, key)));
  if (life % 2 === 1 && life > localLifeOf(admission, table.tbl, { key, isHere: true }))
    store.logWriter.setLife(table.tbl, { key, life, seq });
}

/** Highest life of a waiting row; 0 when none waits. */
function waitingLife({ store }: Admission, tableId: string, key: KeyValue): number {
  const life = store.db
    .preparePluck<[string, KeyValue], bigint | null>(
      `select max(life) from _concord_held where table_id = ? and key = ? and op = 'row' and reason <> 'droppedTable'`,
    )
    .get(tableId, key);
  return Number(life ?? 0n);
}

const waitingKeys = ({ store }: Admission, ids: readonly string[]): readonly KeyValue[] =>
  ids.flatMap((tableId) =>
    store.db
      .preparePluck<[string], KeyValue>(
        `select distinct key from _concord_held where table_id = ? and op = 'row' and reason <> 'droppedTable'`,
      )
      .all(tableId),
  );

/** Seq of the entry that a row here has as a whole; null when it is not here, or lies in a range. */
function seqOfRow({ store }: Admission, table: TrackedTable, key: KeyValue): number | null {
  const { db } = store;
  const rid = placeOf({ store }, table, key);
  if (rid === null) return null;
  const own = db
    .preparePluck<[number, KeyValue]>(`select seq from _concord_cell where tbl = ? and rid = ? and col = -1`)
    .get(table.tbl, rid);
  if (own !== undefined) return toNumber(own);
  const range = db
    .preparePluck<[number, KeyValue]>(
      `select seq from _concord_range where tbl = ? and lo <= ? order by lo desc limit 1`,
    )
    .get(table.tbl, rid);
  return range === undefined ? null : toNumber(range);
}

/** Where the row of an identity lies; null when it is not here. */
function placeOf({ store }: Pick<Admission, 'store'>, table: TrackedTable, key: KeyValue): KeyValue | null {
  const found = store.db
    .preparePluck<[{ readonly key: KeyValue }], KeyValue>(
      `select ${table.ridExpression} from ${quoteIdentifier(table.name ?? '')} as t where ${keyLookup(table.key, 't.', '@key')}`,
    )
    .get({ key });
  return found ?? null;
}

/** A row that only changed its cells is no news to what waits. */
const IN_STRETCH = `seq > ? and seq <= ? and tbl = ? and kind in (${ROW_KINDS.join(', ')})
  and (kind <> ${LOG_KIND.update} or key is not null)`;

function countWritten({ store }: Admission, { from, to }: LogStretch, table: TrackedTable): number {
  const written = store.db
    .preparePluck<[number, number, number], bigint | number | null>(
      `select sum(case kind when ${LOG_KIND.range} then hi - rid + 1 when ${LOG_KIND.baseline} then ${String(Number.MAX_SAFE_INTEGER)}
         else 1 end) from _concord_log where ${IN_STRETCH}`,
    )
    .get(from, to, table.tbl);
  return Number(written ?? 0);
}

const countOf = (
  { store }: Admission,
  { tableId, max }: { readonly tableId: string; readonly max: number },
): number =>
  countWaiting(store, {
    tableId,
    reasons: ['unknownTable', 'unknownColumn', 'uniqueCollision', 'notNull', 'refusedValue', 'setAside'],
    max,
  });

interface WrittenEntry {
  readonly kind: number;
  readonly rid: StoredValue;
  readonly hi: StoredValue;
  readonly key: StoredValue;
}

const entriesOf = (
  { store }: Admission,
  { from, to }: LogStretch,
  table: TrackedTable,
): readonly WrittenEntry[] =>
  store.db
    .prepareRaw<[number, number, number]>(`select kind, rid, hi, key from _concord_log where ${IN_STRETCH}`)
    .all(from, to, table.tbl)
    .map(([kind, rid = null, hi = null, key = null]) => ({ kind: toNumber(kind), rid, hi, key }));

/** Identities of the rows that entries speak of: those that are here, and those that are not any more. */
function keysOf(
  admission: Admission,
  table: TrackedTable,
  entries: readonly WrittenEntry[],
): readonly KeyValue[] {
  const keys = new Map<string, KeyValue>();
  const add = (key: StoredValue | undefined): void => {
    if (key !== null && key !== undefined) keys.set(nameOf(key), key);
  };
  for (const { kind, rid, hi, key } of entries) {
    add(key);
    if (kind === LOG_KIND.range)
      for (const row of identitiesBetween(admission, table, { lo: rid, hi })) add(row);
    else if (kind === LOG_KIND.insert || kind === LOG_KIND.update) add(identityAt(admission, table, rid));
  }
  return [...keys.values()];
}

const nameOf = (key: KeyValue): string =>
  key instanceof Uint8Array ? `b${Buffer.from(key).toString('hex')}` : `${typeof key} ${key.toString()}`;

function identityAt({ store }: Admission, table: TrackedTable, rid: StoredValue): StoredValue {
  if (table.kind !== TABLE_KIND.rowid) return rid;
  return (
    store.db
      .preparePluck<unknown[]>(
        `select ${keyExpression(table.key, 't.')} from ${quoteIdentifier(table.name ?? '')} as t where t.${table.ridExpression} = ?`,
      )
      .get(rid) ?? null
  );
}

function identitiesBetween(
  { store }: Admission,
  table: TrackedTable,
  { lo, hi }: { readonly lo: StoredValue; readonly hi: StoredValue },
): readonly StoredValue[] {
  assert(table.kind !== TABLE_KIND.withoutRowid, 'only rowids lie in ranges');
  return store.db
    .preparePluck<unknown[]>(
      `select ${keyExpression(table.key, 't.')} from ${quoteIdentifier(table.name ?? '')} as t
       where t.${table.ridExpression} between ? and ?`,
    )
    .all(lo, hi);
}
