import type { ObjectDefinition } from '#shared/model/catalog-diff.ts';
import type { ObjectKind } from '#shared/model/vocabulary.ts';
import { ok, type Result } from '#shared/result.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { isInternalName } from '../sql/is-internal-name.ts';
import { openDatabase } from './open-database.ts';
import type { OpenError } from './open-error.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { StoreDatabase } from './store-database.ts';

interface SchemaRow {
  readonly type: ObjectKind;
  readonly name: string;
  readonly tbl: string;
  readonly sql: string;
}

/**
 * The user objects of a file as they are written there, and those that are parked. Parses nothing, so that a catalog of
 * thousands of tables is read in milliseconds.
 */
export function readDefinitions(
  store: Pick<ReplicaStore, 'db' | 'objects' | 'migrations'>,
): readonly ObjectDefinition[] {
  const parked = store.objects
    .all()
    .filter(({ text }) => text === null)
    .flatMap(({ kind, migration }) => {
      const recorded = store.migrations.byNumber(migration)?.migration;
      return recorded === undefined
        ? []
        : [{ kind, name: recorded.object, sql: recorded.ddl, isParked: true }];
    });
  return [...definitionsIn(store.db), ...parked];
}

/** The same of a database that is no replica. Errors: those of `OpenError`; nothing is written. */
export function readPlainDefinitions(path: string): Result<readonly ObjectDefinition[], OpenError> {
  const opened = openDatabase({ path, expect: 'database', readOnly: true });
  if (!opened.ok) return opened;
  try {
    return ok(definitionsIn(opened.value));
  } finally {
    opened.value.close();
  }
}

/** Virtual tables and their shadows never replicate: they are left out, with what hangs on them. */
function definitionsIn(db: StoreDatabase): readonly ObjectDefinition[] {
  const localOnly = new Set(
    db
      .preparePluck<[], string>(
        `select name from pragma_table_list where schema = 'main' and type in ('virtual', 'shadow')`,
      )
      .all()
      .map(foldIdentifier),
  );
  return db
    .prepare<[], SchemaRow>(
      `select type, name, tbl_name as tbl, sql from sqlite_schema
       where sql is not null and name not like '\\_concord\\_%' escape '\\' order by rowid`,
    )
    .all()
    .filter(
      ({ name, tbl }) =>
        !isBookkeepingName(name) &&
        !isInternalName(name) &&
        !localOnly.has(foldIdentifier(name)) &&
        !localOnly.has(foldIdentifier(tbl)),
    )
    .map(({ type, name, sql }) => ({ kind: type, name, sql, isParked: false }));
}
