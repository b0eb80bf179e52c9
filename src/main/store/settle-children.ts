import type { Migration } from '#shared/model/change-group.ts';

import { isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import type { Admission } from './admission-context.ts';
import { namelessIn } from './named-parents.ts';
import type { ReplicaStore } from './replica-store.ts';
import { settleTable } from './settle-table.ts';

/**
 * Lets tables that refer by name follow, once a migration has said which table it is that had the name: SQLite rewrites
 * only what stood under that name when it renamed the table here. Once one has ended a table, what refers to it says the
 * name that it had then.
 */
export function settleChildren(admission: Admission, migration: Migration): void {
  const { store } = admission;
  if (!NAMES_TABLES.has(migration.type)) return;
  const children = new Set([
    ...(isPlainlyNamed(store, migration) ? [] : childrenOf(store, migration.object)),
    ...(migration.type === 'drop_table' ? childrenOfDropped(store, migration) : []),
  ]);
  for (const tbl of children)
    settleTable(admission, tbl, { addedSeq: store.logWriter.head(), repoints: true });
}

const NAMES_TABLES: ReadonlySet<Migration['type']> = new Set([
  'create_table',
  'rename_table',
  'redefine_table',
  'drop_table',
]);

/** Whether the name means one table alone, which has it: then what refers to it says so already. */
function isPlainlyNamed(store: ReplicaStore, { object }: Migration): boolean {
  const here = store.registry.byName(object);
  return here !== null && store.migrations.namings(object).every(({ tbl }) => tbl === here.tbl);
}

/** Tables of which a statement refers to a parent by this name that has no ID, or was dropped. */
function childrenOf(store: ReplicaStore, name: string): ReadonlySet<number> {
  const found = store.migrations.referring(name).filter(({ migration }) => {
    const isLeft = migration.mentions.some(
      (mention) => isSameName(mention.name, name) && store.registry.byId(mention.table)?.name === null,
    );
    if (isLeft) return true;
    const parsed = parseDdl(migration.ddl);
    return parsed.ok && namelessIn(migration, parsed.value).some((parent) => isSameName(parent, name));
  });
  return new Set(found.flatMap(({ tbl }) => tbl ?? []));
}

/**
 * Tables of which a statement refers to the table by its ID, or by a name that it had: they have the name that it was dropped
 * under.
 */
function childrenOfDropped(store: ReplicaStore, drop: Migration): ReadonlySet<number> {
  const { db, migrations, registry } = store;
  const table = drop.tableId === null ? null : registry.byId(drop.tableId);
  if (table?.name !== null) return new Set();
  const twins = db
    .preparePluck<[bigint], string>(`select id from _concord_alias where kind = 't' and tbl = ?`)
    .all(BigInt(table.tbl));
  const names = migrations
    .ofTable(table.tbl)
    .filter(({ migration }) => NAMES_TABLES.has(migration.type))
    .map(({ migration }) => migration.object);
  const byName = [...new Set(names)].flatMap((name) => [...childrenOf(store, name)]);
  const byId = migrations.referringTo([table.id, ...twins]);
  return new Set([...byName, ...byId].filter((tbl) => tbl !== table.tbl));
}
