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

/** The user objects of a file as SQLite has them. Keys are folded names; indexes that SQLite made itself are left out. */
export interface FileCatalog {
  readonly tables: ReadonlyMap<string, FileObject<TableDefinition>>;
  readonly indexes: ReadonlyMap<string, FileObject<IndexDefinition>>;
  readonly views: ReadonlyMap<string, FileObject<ViewDefinition>>;
  readonly triggers: ReadonlyMap<string, FileObject<TriggerDefinition>>;
  /** Names of virtual tables and their shadow tables: never replicated. */
  readonly localOnly: ReadonlySet<string>;
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
}

/**
 * Reads catalogs through one connection. Texts that were parsed before are not parsed again,
 * so the cost follows the change, not the catalog.
 */
export function createCatalogReader(db: StoreDatabase): CatalogReader {
  const version = db.preparePluck<[]>('pragma schema_version');
  const objects = db.prepare<[], SchemaRow>(
    `select type, name, tbl_name as tableName, sql from sqlite_schema where sql is not null and name not like '\\_concord\\_%' escape '\\' order by rowid`,
  );
  const shadows = db.preparePluck<[], string>(
    `select name from pragma_table_list where schema = 'main' and type in ('virtual', 'shadow')`,
  );
  let known: { readonly version: number; readonly catalog: FileCatalog } | null = null;
  let parsed = new Map<string, DdlStatement | null>();

  return {
    schemaVersion,
    read: () => {
      const now = schemaVersion();
      if (known?.version === now) return known.catalog;
      const catalog = readNow();
      known = { version: now, catalog };
      return catalog;
    },
  };

  function schemaVersion(): number {
    return Number(version.get());
  }

  function readNow(): FileCatalog {
    const localOnly = new Set(shadows.all().map(foldIdentifier));
    const seen = new Map<string, DdlStatement | null>();
    const catalog = {
      tables: new Map<string, FileObject<TableDefinition>>(),
      indexes: new Map<string, FileObject<IndexDefinition>>(),
      views: new Map<string, FileObject<ViewDefinition>>(),
      triggers: new Map<string, FileObject<TriggerDefinition>>(),
      localOnly,
    };
    for (const row of objects.all()) {
      if (isBookkeepingName(row.name) || isInternalName(row.name)) continue;
      if (localOnly.has(foldIdentifier(row.name)) || localOnly.has(foldIdentifier(row.tableName))) continue;
      const statement = parsed.get(row.sql) ?? statementOf(row.sql);
      seen.set(row.sql, statement);
      addObject(catalog, row, statement);
    }
    parsed = seen;
    return catalog;
  }
}

interface SchemaRow {
  readonly type: ObjectKind;
  readonly name: string;
  readonly tableName: string;
  readonly sql: string;
}

interface GrowingCatalog {
  readonly tables: Map<string, FileObject<TableDefinition>>;
  readonly indexes: Map<string, FileObject<IndexDefinition>>;
  readonly views: Map<string, FileObject<ViewDefinition>>;
  readonly triggers: Map<string, FileObject<TriggerDefinition>>;
}

function addObject(catalog: GrowingCatalog, row: SchemaRow, statement: DdlStatement | null): void {
  const key = foldIdentifier(row.name);
  const base = { kind: row.type, name: row.name, table: row.tableName, sql: row.sql };
  const said = definitionsIn(statement);
  if (row.type === 'table') catalog.tables.set(key, { ...base, definition: said.table });
  else if (row.type === 'index') catalog.indexes.set(key, { ...base, definition: said.index });
  else if (row.type === 'view') catalog.views.set(key, { ...base, definition: said.view });
  else catalog.triggers.set(key, { ...base, definition: said.trigger });
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
