import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { findRowByKey } from './admission-row-read.ts';
import { formerKeyName } from './former-keys.ts';
import { keyExpression, keyValueOf, type KeyValue } from './key-expression.ts';
import { decodeKey, keyLookup } from './key-lookup.ts';
import { currentDefinition } from './live-table.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';
import { keyAffinities, storedKeyPart } from './stored-key.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';

// Lives and deletions of a table whose key is altered.

/** A key that is alive again, by the place of its row. */
export interface AliveLife {
  readonly rid: KeyValue;
  readonly life: number;
  readonly seq: number;
}

export interface DeletedLife {
  readonly key: KeyValue;
  readonly life: number;
  readonly seq: number;
}

/** Reads the lives of a table before its key is altered. Runs after a fold. */
export function readLives(
  { db }: ReplicaStore,
  table: TrackedTable,
): { readonly alive: readonly AliveLife[]; readonly deleted: readonly DeletedLife[] } {
  const name = quoteIdentifier(table.name ?? '');
  const alive = db
    .prepareRaw<[number], [KeyValue, bigint, bigint]>(
      `select ${placeOf(table)} as rid, y.life, y.seq from _concord_life as y
         cross join ${name} as t on ${keyLookup(table.key, 't.', 'y.key')}
       where y.tbl = ? and y.life % 2 = 1`,
    )
    .all(table.tbl);
  const deleted = db
    .prepareRaw<[number], [KeyValue, bigint, bigint]>(
      `select y.key, y.life, y.seq from _concord_life as y join _concord_log as l on l.seq = y.seq
       where y.tbl = ? and (y.life % 2 = 0 or l.kind = ${LOG_KIND.delete}) order by y.seq`,
    )
    .all(table.tbl);
  return {
    alive: alive.map(([rid, life, seq]) => ({ rid, life: toNumber(life), seq: toNumber(seq) })),
    deleted: deleted.map(([key, life, seq]) => ({ key, life: toNumber(life), seq: toNumber(seq) })),
  };
}

/** SQL of the place of the row `t`. */
const placeOf = (table: TrackedTable): string =>
  table.kind === TABLE_KIND.withoutRowid ? keyExpression(table.key, 't.') : `t.${table.ridExpression}`;

/** Gives rows that are alive again the same life under the key that they have now. Their rowids are as they were. */
export function keepLives(
  { db, logWriter }: ReplicaStore,
  table: TrackedTable,
  alive: readonly AliveLife[],
): void {
  const keyOf = db.preparePluck<[KeyValue], KeyValue | null>(
    `select ${keyExpression(table.key, '')} from ${quoteIdentifier(table.name ?? '')} where ${table.ridExpression} = ?`,
  );
  for (const { rid, life, seq } of alive) {
    const key = keyOf.get(rid);
    if (key !== undefined && key !== null) logWriter.setLife(table.tbl, { key, life, seq });
  }
}

/**
 * Keeps deletions known after the key was altered: by their identity under the new key where it is made of the same
 * columns, else by the key that they were made under.
 */
export function keepDeletions(
  admission: Admission,
  change: {
    readonly before: TrackedTable;
    readonly after: TrackedTable;
    readonly deleted: readonly DeletedLife[];
  },
): void {
  const { db } = admission.store;
  const { before, after, deleted } = change;
  if (isOfSameColumns(before, after)) {
    for (const deletion of deleted) restate(admission, { before, after, deletion });
    return;
  }
  const keep = db.prepare<unknown[]>(
    `insert or replace into _concord_former (tbl, cols, key, life, seq) values (?, ?, ?, ?, ?)`,
  );
  const cols = formerKeyName(before.key);
  for (const { key, life, seq } of deleted) keep.run(after.tbl, cols, key, BigInt(life), BigInt(seq));
}

function isOfSameColumns(before: TrackedTable, after: TrackedTable): boolean {
  const ordinals = ({ key }: TrackedTable): string =>
    key
      .map(({ col }) => col)
      .toSorted((left, right) => left - right)
      .join();
  return ordinals(before) === ordinals(after);
}

/** The same columns in another order, or stored or compared in another way. Where a row stands, it stays. */
function restate(
  admission: Admission,
  change: { readonly before: TrackedTable; readonly after: TrackedTable; readonly deletion: DeletedLife },
): void {
  const { store } = admission;
  const { before, after, deletion } = change;
  const old = decodeKey(before, deletion.key);
  const affinities = keyAffinities(currentDefinition(store, after.name ?? ''), after.key);
  const values = after.key.map(({ col }, place) => {
    const value = old[before.key.findIndex((column) => column.col === col)] ?? null;
    return storedKeyPart(store.db, value, affinities[place] ?? 'blob');
  });
  const key = keyValueOf(after, values);
  if (key === null || findRowByKey(admission, after, values) !== null) return;
  const known = store.clocks.life(after.tbl, key);
  if (known !== null && known >= deletion.life) return;
  store.logWriter.setLife(after.tbl, { key, life: deletion.life, seq: deletion.seq });
  // Pages read deletions by the key that their entry has.
  store.db.prepare<unknown[]>(`update _concord_log set key = ? where seq = ?`).run(key, BigInt(deletion.seq));
}
