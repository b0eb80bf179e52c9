import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationType } from '#shared/model/vocabulary.ts';

import type { DdlStatement } from '../sql/ast.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { renderStatement } from '../sql/render-statement.ts';
import type { NameChanges } from '../sql/rename-in-definition.ts';
import { installCapture, mayRaise } from './capture-triggers.ts';
import { mentionsOf } from './catalog-mentions.ts';
import { recordOwn } from './catalog-own-migration.ts';
import { isRenamedText } from './catalog-renamed-text.ts';
import type { FileCatalog, FileObject } from './catalog-read.ts';
import { hasEnded } from './creation-to-show.ts';
import { isEqualText } from './equal-creations.ts';
import type { RecordedKind, RecordedObject } from './recorded-objects.ts';
import { isBroken } from './broken-objects.ts';
import { renderHere } from './render-migration.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * Takes up the indexes, views and triggers that were made, made anew and dropped. `changes`: names that are others by
 * now; SQLite has put them into the texts, which is no change of its own.
 */
export function takeUpObjects(store: ReplicaStore, catalog: FileCatalog, changes: NameChanges): void {
  const recorded = store.objects.all();
  const gone = recorded.filter((object) => !followObject(store, object, { catalog, changes }));
  const known = new Set(recorded.filter((object) => !gone.includes(object)).map(keyOf));
  // Triggers go before what they lie on, and come after it.
  for (const kind of ['trigger', 'view', 'index'] as const) {
    for (const object of gone) if (object.kind === kind) recordDrop(store, object);
  }
  for (const kind of KINDS) {
    for (const [name, object] of objectsOf(catalog, kind)) {
      if (!known.has(keyOf({ kind, name }))) recordMade(store, kind, object);
    }
  }
}

/** Records the indexes, views and triggers of a file that is being attached. */
export function recordAttachedObjects(store: ReplicaStore, catalog: FileCatalog): void {
  for (const kind of KINDS) {
    for (const object of objectsOf(catalog, kind).values()) recordStanding(store, kind, object);
  }
}

const KINDS = ['index', 'view', 'trigger'] as const;

const keyOf = ({ kind, name }: Pick<RecordedObject, 'kind' | 'name'>): string => `${kind} ${name}`;

function objectsOf(
  { indexes, views, triggers }: FileCatalog,
  kind: RecordedKind,
): ReadonlyMap<string, FileObject<unknown>> {
  if (kind === 'index') return indexes;
  return kind === 'view' ? views : triggers;
}

/** Whether an object of the record is still the same; its text may have other names in it. */
function followObject(
  store: ReplicaStore,
  object: RecordedObject,
  { catalog, changes }: { readonly catalog: FileCatalog; readonly changes: NameChanges },
): boolean {
  const found = objectsOf(catalog, object.kind).get(object.name);
  // One that is parked is not in the file and no dropped one either.
  if (object.text === null || found === undefined) return object.text === null && found === undefined;
  if (found.sql === object.text) return true;
  if (!isRenamedText(object.text, found.sql, changes) && !isAsRendered(store, object, found.sql))
    return false;
  store.objects.put({ ...object, text: found.sql });
  return true;
}

/** Whether a text is what its creation says, with the names that hold here: what an alteration of Concord's left behind. */
function isAsRendered(store: ReplicaStore, { migration }: RecordedObject, sql: string): boolean {
  const created = store.migrations.byNumber(migration);
  return created !== null && isEqualText(canonicalStatement(renderHere(store, created.migration)), sql);
}

const CREATES = { index: 'create_index', view: 'create_view', trigger: 'create_trigger' } as const;
const DROPS = { index: 'drop_index', view: 'drop_view', trigger: 'drop_trigger' } as const;
const DROP_STATEMENTS = { index: 'dropIndex', view: 'dropView', trigger: 'dropTrigger' } as const;

/** Records that an object is dropped, by whomever; it is not in the file any more, or was not before. */
export function recordDrop(store: ReplicaStore, dropped: RecordedObject): void {
  const { kind, name, tbl, migration } = dropped;
  const created = store.migrations.byNumber(migration)?.migration ?? null;
  const object = created?.object ?? name;
  store.objects.remove(kind, name);
  const types: readonly MigrationType[] = [CREATES[kind]];
  store.migrations.retire({ types, object });
  if (wentWithTable(store, { kind, tbl, created })) return;
  const table = tbl === null ? null : store.registry.byTbl(tbl);
  record(store, {
    type: DROPS[kind],
    kind,
    object,
    table,
    statement: { kind: DROP_STATEMENTS[kind], ifExists: false, name: object },
  });
  // What a unique index had watched would be looked for through the whole table now.
  if (kind === 'index' && table !== null) installCapture(store.db, table);
}

/** Its number in `_concord_migration`. */
function record(
  store: ReplicaStore,
  change: {
    readonly type: MigrationType;
    readonly kind: RecordedKind;
    readonly object: string;
    readonly table: TrackedTable | null;
    readonly statement: DdlStatement;
  },
): number {
  const { table, statement, ...rest } = change;
  const { n } = recordOwn(
    store,
    {
      ...rest,
      element: null,
      tableId: table?.id ?? null,
      columns: [],
      ddl: textOf(statement),
      mentions: statement.kind.startsWith('create') ? mentionsOf(store, statement) : [],
    },
    table?.tbl ?? null,
  );
  return n;
}

/** What went with its table needs no word of its own: it goes with it everywhere. */
function wentWithTable(
  store: ReplicaStore,
  gone: {
    readonly kind: RecordedKind;
    readonly tbl: number | null;
    readonly created: Migration | null;
  },
): boolean {
  const { kind, tbl, created } = gone;
  if (kind === 'index') return tbl === null || typeof store.registry.byTbl(tbl)?.name !== 'string';
  return created !== null && hasEnded(store, created);
}

/** Records an index, view or trigger that stands in the file; one that is broken stays at home. */
export function recordMade(store: ReplicaStore, kind: RecordedKind, object: FileObject<unknown>): void {
  const statement = recordStanding(store, kind, object);
  const isWatched = statement !== null && isUniqueIndex(statement);
  const isAhead = kind === 'trigger' && mayRaise(object.sql);
  const table = isWatched || isAhead ? store.registry.byName(object.table) : null;
  if (table !== null) installCapture(store.db, table);
}

/** The statement that was recorded; null where it was not. */
function recordStanding(
  store: ReplicaStore,
  kind: RecordedKind,
  { name, table, sql }: FileObject<unknown>,
): DdlStatement | null {
  const statement = statementIn(sql);
  if (statement === null || isBroken(store, statement)) return null;
  const on = kind === 'index' ? store.registry.byName(table) : null;
  if (kind === 'index' && on === null) return null;
  const n = record(store, { type: CREATES[kind], kind, object: name, table: on, statement });
  store.objects.put({ kind, name, migration: n, tbl: on?.tbl ?? null, text: sql });
  return statement;
}

const isUniqueIndex = (statement: DdlStatement): boolean =>
  statement.kind === 'createIndex' && statement.index.unique;

function statementIn(sql: string): DdlStatement | null {
  const parsed = parseDdl(sql);
  return parsed.ok ? parsed.value : null;
}

/** SQLite names the columns of a view after the very text of its select, which therefore stays as it was written. */
const textOf = (statement: DdlStatement): string =>
  statement.kind === 'createView'
    ? renderStatement({ ...statement, schema: undefined, ifNotExists: false })
    : canonicalStatement(statement);
