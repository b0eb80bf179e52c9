import type { Migration } from '#shared/model/change-group.ts';

import { migrationFromJson } from './migration-json.ts';
import type { StoreDatabase } from './store-database.ts';

/** Migrations as they were recorded after a number, in that order. */
export const recordedAfter = (db: StoreDatabase, n: number): readonly Migration[] =>
  bodies(db, 'n > @after', { after: BigInt(n), tables: '[]', isLoose: 0n });

/**
 * What must be there before some migrations: all that was in force up to a number of the tables that they are about or
 * mention; of views and triggers all views too, since these name each other without an ID.
 */
export function inForceBefore(
  db: StoreDatabase,
  { after, migrations }: { readonly after: number; readonly migrations: readonly Migration[] },
): readonly Migration[] {
  const tables = migrations.flatMap(({ tableId, mentions }) => [
    ...(tableId === null ? [] : [tableId]),
    ...mentions.map(({ table }) => table),
  ]);
  const isLoose = migrations.some(({ kind }) => kind === 'view' || kind === 'trigger');
  return bodies(
    db,
    `n <= @after and in_force = 1
     and ((@isLoose and kind = 'view') or tbl in (
       select tbl from _concord_table where id in (select value from json_each(@tables))
       union select tbl from _concord_alias where kind = 't' and id in (select value from json_each(@tables))))`,
    { after: BigInt(after), tables: JSON.stringify(tables), isLoose: isLoose ? 1n : 0n },
  );
}

const bodies = (
  db: StoreDatabase,
  where: string,
  values: { readonly after: bigint; readonly tables: string; readonly isLoose: bigint },
): readonly Migration[] =>
  db
    .preparePluck<[typeof values], string>(`select body from _concord_migration where ${where} order by n`)
    .all(values)
    .map(migrationFromJson);
