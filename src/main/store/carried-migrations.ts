import type { Migration } from '#shared/model/change-group.ts';

import { migrationFromJson } from './migration-json.ts';
import type { StoreDatabase } from './store-database.ts';

/** What was recorded on one replica and is to be tried on others. */
export interface CarriedMigrations {
  /** What has to be there first; most replicas have it. */
  readonly before: readonly Migration[];
  readonly migrations: readonly Migration[];
}

/**
 * What was recorded after a number, and what must be there before it: all that was in force by then of the tables that
 * it is about or mentions; of views and triggers all views too, since these name each other without an ID.
 */
export function carriedMigrations(db: StoreDatabase, after: number): CarriedMigrations {
  const migrations = bodies(db, 'n > @after', { after: BigInt(after), tables: '[]', isLoose: 0n });
  const tables = migrations.flatMap(({ tableId, mentions }) => [
    ...(tableId === null ? [] : [tableId]),
    ...mentions.map(({ table }) => table),
  ]);
  const isLoose = migrations.some(({ kind }) => kind === 'view' || kind === 'trigger');
  const before = bodies(
    db,
    `n <= @after and in_force = 1
     and ((@isLoose and kind = 'view') or tbl in (
       select tbl from _concord_table where id in (select value from json_each(@tables))
       union select tbl from _concord_alias where kind = 't' and id in (select value from json_each(@tables))))`,
    { after: BigInt(after), tables: JSON.stringify(tables), isLoose: isLoose ? 1n : 0n },
  );
  return { before, migrations };
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
