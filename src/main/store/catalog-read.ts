import type { ObjectKind } from '#shared/model/vocabulary.ts';

import type {
  DdlStatement,
  IndexDefinition,
  TableDefinition,
  TriggerDefinition,
  ViewDefinition,
} from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { isInternalName } from '../sql/is-internal-name.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import type { StoreDatabase } from './store-database.ts';

/**
 * The user objects of a file as SQLite has them. Keys are folded names; indexes that SQLite made itself are left out.
 *
 * DDL that is followed changes what is in the maps; the catalog itself is another one then.
 */
export interface FileCatalog {
  readonly tables: ReadonlyMap<string, FileObject<TableDefinition>>;
  readonly indexes: ReadonlyMap<string, FileObject<IndexDefinition>>;
  readonly views: ReadonlyMap<string, FileObject<ViewDefinition>>;
  readonly triggers: ReadonlyMap<string, FileObject<TriggerDefinition>>;
  /** Names of virtual tables and their shadow tables: never replicated. */
  readonly localOnly: ReadonlySet<string>;
  readonly changedTables: ChangedTables;
}

/** Which tables DDL that was followed has made, altered or dropped, since the whole catalog was read. */
export interface ChangedTables {
  /** Folded, in the order of the changes; it grows, as long as this is the same object. */
  readonly names: readonly string[];
}

export interface FileObject<Definition> {
  readonly kind: ObjectKind;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
  /** Null where the text is beyond our reader; then the text itself is compared. */
  readonly definition: Definition | null;
}

export interface CatalogReader {
  /** The catalog as of now; read again only when SQLite's schema_version has moved. */
  readonly read: () => FileCatalog;
  readonly schemaVersion: () => number;
  /**
   * Runs DDL of Concord's own of which it is known what it can have touched: only that is read again, so that the cost
   * follows the change, not the catalog. `touched`: names of all objects that were altered or dropped; what was created is
   * found by itself. Null where it cannot be said.
   */
  readonly follow: <T>(run: () => Followed<T>) => {
    readonly value: T;
    readonly change: CatalogChange | null;
  };
  /** After a rollback: what was read may never have been. */
  readonly forget: () => void;
}

export interface Followed<T> {
  readonly value: T;
  readonly touched: readonly string[] | null;
  /** Whether also what lies on the tables and views touched: it goes with them. */
  readonly isDropped?: boolean;
}

/** What became of the objects of a catalog; one with another text is in both lists. */
export interface CatalogChange {
  readonly added: readonly FileObject<unknown>[];
  readonly removed: readonly FileObject<unknown>[];
}

const COLUMNS = `rowid as place, type, name, tbl_name as tableName, sql`;

/**
 * Reads catalogs through one connection. Texts that were parsed before are not parsed again,
 * so the cost follows the change, not the catalog.
 */
export function createCatalogReader(db: StoreDatabase): CatalogReader {
  const version = db.preparePluck<[]>('pragma schema_version');
  const objects = db.prepare<[], SchemaRow>(
    `select ${COLUMNS} from sqlite_schema where sql is not null and name not like '\\_concord\\_%' escape '\\' order by rowid`,
  );
  const shadows = db.preparePluck<[], string>(
    `select name from pragma_table_list where schema = 'main' and type in ('virtual', 'shadow')`,
  );
  let known: KnownCatalog | null = null;
  let parsed = new Map<string, DdlStatement | null>();
  const isCurrent = (): boolean => known !== null && known.version === schemaVersion();

  return {
    schemaVersion,
    read,
    follow: (run) => {
      const before = isCurrent() ? known : null;
      // One of a rolled back change would pass for the catalog once its version is given again.
      if (before === null) known = null;
      const place = before === null ? 0n : newestPlace(db);
      const { value, touched, isDropped = false } = run();
      if (before === null || touched === null) return { value, change: null };
      const now = schemaVersion();
      if (now === before.version) return { value, change: { added: [], removed: [] } };
      const { change, ...changed } = changeCatalog(
        before,
        readChange(db, before, { touched, isDropped, place }),
      );
      known = { version: now, ...changed };
      return { value, change };
    },
    forget: () => {
      known = null;
    },
  };

  function read(): FileCatalog {
    const now = schemaVersion();
    if (known?.version === now) return known.catalog;
    known = { version: now, ...readNow() };
    return known.catalog;
  }

  function schemaVersion(): number {
    return Number(version.get());
  }

  function readNow(): Omit<KnownCatalog, 'version'> {
    const localOnly = new Set(shadows.all().map(foldIdentifier));
    const seen = new Map<string, DdlStatement | null>();
    const catalog = {
      tables: new Map<string, FileObject<TableDefinition>>(),
      indexes: new Map<string, FileObject<IndexDefinition>>(),
      views: new Map<string, FileObject<ViewDefinition>>(),
      triggers: new Map<string, FileObject<TriggerDefinition>>(),
      localOnly,
      changedTables: { names: [] },
    };
    const places = new WeakMap<FileObject<unknown>, bigint>();
    for (const row of objects.all()) {
      if (isLeftOut(row, localOnly)) continue;
      const statement = parsed.get(row.sql) ?? statementOf(row.sql);
      seen.set(row.sql, statement);
      places.set(putObject(catalog, row, statement), row.place);
    }
    parsed = seen;
    return { catalog, places };
  }
}

interface KnownCatalog {
  readonly version: number;
  readonly catalog: GrowingCatalog;
  /** Rowids in sqlite_schema. */
  readonly places: WeakMap<FileObject<unknown>, bigint>;
}

const newestPlace = (db: StoreDatabase): bigint =>
  db.preparePluck<[], bigint>(`select coalesce(max(rowid), 0) from sqlite_schema`).get() ?? 0n;

const isLeftOut = ({ name, tableName }: SchemaRow, localOnly: ReadonlySet<string>): boolean =>
  isBookkeepingName(name) ||
  isInternalName(name) ||
  localOnly.has(foldIdentifier(name)) ||
  localOnly.has(foldIdentifier(tableName));

interface ReadChange {
  readonly added: readonly SchemaRow[];
  readonly removed: readonly FileObject<unknown>[];
}

/** What is another by now: of what was touched, by the places that it had, and of what came after the newest one. */
function readChange(
  db: StoreDatabase,
  { catalog, places }: KnownCatalog,
  said: { readonly touched: readonly string[]; readonly isDropped: boolean; readonly place: bigint },
): ReadChange {
  const { touched, isDropped, place } = said;
  const names = new Set(touched.map(foldIdentifier));
  const at = db.prepare<[bigint], SchemaRow>(`select ${COLUMNS} from sqlite_schema where rowid = ?`);
  const suspects = [...objectsNamed(catalog, names), ...(isDropped ? objectsOn(catalog, names) : [])];
  const compared = suspects.map((object) => {
    const row = at.get(places.get(object) ?? 0n);
    return { object, row, isSame: row?.type === object.kind && row.name === object.name };
  });
  const changed = compared.filter(({ object, row, isSame }) => !isSame || row?.sql !== object.sql);
  const created = db.prepare<[bigint], SchemaRow>(
    `select ${COLUMNS} from sqlite_schema where rowid > ? and sql is not null order by rowid`,
  );
  // The place of what was the newest is given again.
  const inPlaces = changed.flatMap(({ row }) => (row === undefined || row.place > place ? [] : [row]));
  return {
    added: [...inPlaces, ...created.all(place)].filter((row) => !isLeftOut(row, catalog.localOnly)),
    removed: changed.map(({ object }) => object),
  };
}

const objectsNamed = (
  { tables, indexes, views, triggers }: FileCatalog,
  names: ReadonlySet<string>,
): readonly FileObject<unknown>[] =>
  [tables, indexes, views, triggers].flatMap((objects) =>
    [...names].flatMap((name): readonly FileObject<unknown>[] => {
      const object = objects.get(name);
      return object === undefined ? [] : [object];
    }),
  );

const objectsOn = (
  { indexes, triggers }: FileCatalog,
  names: ReadonlySet<string>,
): readonly FileObject<unknown>[] =>
  [...indexes.values(), ...triggers.values()].filter(
    ({ name, table }) => names.has(foldIdentifier(table)) && !names.has(foldIdentifier(name)),
  );

/** To copy the maps of a large catalog would cost more than all else that an alteration does. */
function changeCatalog(
  { catalog, places }: KnownCatalog,
  { added, removed }: ReadChange,
): Omit<KnownCatalog, 'version'> & { readonly change: CatalogChange } {
  const stays = new Set(added.map(({ type, name, place }) => `${type} ${name} ${String(place)}`));
  for (const object of removed) {
    // What only has another text keeps its place in the order.
    if (!stays.has(`${object.kind} ${object.name} ${String(places.get(object))}`))
      objectsOf(catalog, object.kind).delete(foldIdentifier(object.name));
    places.delete(object);
  }
  const objects = added.map((row) => {
    const object = putObject(catalog, row, statementOf(row.sql));
    places.set(object, row.place);
    return object;
  });
  for (const { kind, name } of [...removed, ...objects])
    if (kind === 'table') catalog.changedTables.names.push(foldIdentifier(name));
  return { catalog: { ...catalog }, places, change: { added: objects, removed } };
}

interface SchemaRow {
  readonly place: bigint;
  readonly type: ObjectKind;
  readonly name: string;
  readonly tableName: string;
  readonly sql: string;
}

interface GrowingCatalog extends FileCatalog {
  readonly tables: Map<string, FileObject<TableDefinition>>;
  readonly indexes: Map<string, FileObject<IndexDefinition>>;
  readonly views: Map<string, FileObject<ViewDefinition>>;
  readonly triggers: Map<string, FileObject<TriggerDefinition>>;
  readonly changedTables: { readonly names: string[] };
}

function putObject(
  catalog: GrowingCatalog,
  row: SchemaRow,
  statement: DdlStatement | null,
): FileObject<unknown> {
  const key = foldIdentifier(row.name);
  const base = { kind: row.type, name: row.name, table: row.tableName, sql: row.sql };
  const said = definitionsIn(statement);
  if (row.type === 'table') return put(catalog.tables, key, { ...base, definition: said.table });
  if (row.type === 'index') return put(catalog.indexes, key, { ...base, definition: said.index });
  if (row.type === 'view') return put(catalog.views, key, { ...base, definition: said.view });
  return put(catalog.triggers, key, { ...base, definition: said.trigger });
}

function put<T>(objects: Map<string, T>, key: string, object: T): T {
  objects.set(key, object);
  return object;
}

/** All of one kind; to take some away. */
function objectsOf(catalog: GrowingCatalog, kind: ObjectKind): { readonly delete: (key: string) => boolean } {
  if (kind === 'table') return catalog.tables;
  if (kind === 'index') return catalog.indexes;
  return kind === 'view' ? catalog.views : catalog.triggers;
}

function definitionsIn(statement: DdlStatement | null) {
  return {
    table: statement?.kind === 'createTable' ? statement.table : null,
    index: statement?.kind === 'createIndex' ? statement.index : null,
    view: statement?.kind === 'createView' ? statement.view : null,
    trigger: statement?.kind === 'createTrigger' ? statement.trigger : null,
  };
}

function statementOf(sql: string): DdlStatement | null {
  const result = parseDdl(sql);
  return result.ok ? result.value : null;
}
