import { decodeKey } from './key-lookup.ts';
import { keyValueOf, type KeyValue } from './key-expression.ts';
import type { Admission } from './admission-context.ts';
import { findRowByKey } from './admission-row-read.ts';
import type { EntryOrigin } from './log-write.ts';
import { currentDefinition } from './live-table.ts';
import { LOG_KIND } from './metadata-schema.ts';
import { toBigInt, toNumber } from './store-database.ts';
import { keyAffinities, storedKeyPart } from './stored-key.ts';
import type { TrackedTable } from './table-registry.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

/** A row that was deleted, by the values of its key columns, apart from how any table stores them. */
interface Tombstone {
  readonly valueByColumn: ReadonlyMap<number, SqlValue>;
  readonly life: number;
  readonly origin: EntryOrigin;
}

/** Reads the deletions of a table before its key is redefined. */
export function readTombstones(admission: Admission, table: TrackedTable): readonly Tombstone[] {
  const rows = admission.store.db
    .prepareRaw<[bigint], [KeyValue, bigint, bigint, bigint | null]>(
      `select y.key, y.life, l.hlc, l.site from _concord_life as y join _concord_log as l on l.seq = y.seq
       where y.tbl = ? and (y.life % 2 = 0 or l.kind = ${LOG_KIND.delete}) order by y.seq`,
    )
    .all(BigInt(table.tbl));
  return rows.map(([key, life, hlc, site]) => {
    const values = decodeKey(table, key);
    return {
      valueByColumn: new Map(table.key.map((column, place) => [column.col, values[place] ?? null])),
      life: toNumber(life),
      origin: { hlc: toBigInt(hlc), site: site === null ? null : toNumber(site), via: null },
    };
  });
}

/**
 * Records deletions under the key that a table has now, with their authors and HLCs, so that late facts of the rows still
 * find them. Those that lack a value for the new key cannot be told any more; where a row stands, it stays.
 */
export function recordTombstones(
  admission: Admission,
  table: TrackedTable,
  tombstones: readonly Tombstone[],
): void {
  const { store } = admission;
  const affinities = keyAffinities(currentDefinition(store, table.name ?? ''), table.key);
  for (const { valueByColumn, life, origin } of tombstones) {
    const values = table.key.map((column, place) =>
      storedKeyPart(store.db, valueByColumn.get(column.col) ?? null, affinities[place] ?? 'blob'),
    );
    const key = keyValueOf(table, values);
    if (key === null || findRowByKey(admission, table, values) !== null) continue;
    const known = store.clocks.life(table.tbl, key);
    if (known === null || known < life)
      store.logWriter.appendDelete(table.tbl, { rid: null, key, life }, origin);
  }
}
