import type { IndexDefinition } from '../sql/ast.ts';
import { canonicalIndex } from '../sql/canonical-index.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { compareIndexes } from '../sql/compare-indexes.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { installCapture } from './capture-triggers.ts';
import { mentionsOf } from './catalog-mentions.ts';
import { recordOwn } from './catalog-own-migration.ts';
import type { FileCatalog } from './catalog-read.ts';
import type { RecordedObject } from './recorded-objects.ts';
import type { ReplicaStore } from './replica-store.ts';

/** Takes up the indexes that were made, made anew and dropped. */
export function takeUpIndexes(store: ReplicaStore, catalog: FileCatalog): void {
  const known = new Set<string>();
  for (const object of store.objects.all()) {
    if (object.kind !== 'index') continue;
    const definition = catalog.indexes.get(object.name)?.definition ?? null;
    // One that is parked is not in the file and no dropped one either.
    const stands = object.text === null || (definition !== null && isIndex(definition, object.text));
    if (stands) known.add(object.name);
    else recordIndexDrop(store, object);
  }
  for (const [key, { name, definition }] of catalog.indexes) {
    if (definition === null || known.has(key) || isAdmitted(store, name, definition)) continue;
    recordIndexCreate(store, name, definition);
  }
}

/** Whether a peer's migration made the index: then it is known from now on. */
function isAdmitted(store: ReplicaStore, name: string, definition: IndexDefinition): boolean {
  const created = store.migrations.latest({ types: ['create_index'], object: name });
  if (created === null || !created.inForce || !isIndex(definition, created.migration.ddl)) return false;
  const tbl = store.registry.byName(definition.table)?.tbl ?? null;
  store.objects.put({ kind: 'index', name, migration: created.n, tbl, text: canonicalIndex(definition) });
  return true;
}

function isIndex(definition: IndexDefinition, text: string): boolean {
  const parsed = parseDdl(text);
  return (
    parsed.ok && parsed.value.kind === 'createIndex' && compareIndexes(parsed.value.index, definition).equal
  );
}

function recordIndexDrop(store: ReplicaStore, { name, tbl, migration }: RecordedObject): void {
  const created = store.migrations.byNumber(migration);
  const object = created?.migration.object ?? name;
  store.objects.remove('index', name);
  // A peer's migration, or a decision about the table, took it away.
  if (created?.inForce === false) return;
  store.migrations.retire({ types: ['create_index'], object });
  const table = tbl === null ? null : store.registry.byTbl(tbl);
  // An index that went with its table needs no word of its own.
  if (typeof table?.name !== 'string') return;
  recordOwn(
    store,
    {
      type: 'drop_index',
      kind: 'index',
      object,
      element: null,
      tableId: table.id,
      columns: [],
      ddl: canonicalStatement({ kind: 'dropIndex', ifExists: false, name: object }),
      mentions: [],
    },
    null,
  );
}

function recordIndexCreate(store: ReplicaStore, name: string, index: IndexDefinition): void {
  const table = store.registry.byName(index.table);
  if (table === null) return;
  const { n } = recordOwn(
    store,
    {
      type: 'create_index',
      kind: 'index',
      object: name,
      element: null,
      tableId: table.id,
      columns: [],
      ddl: canonicalIndex(index),
      mentions: mentionsOf(store, { kind: 'createIndex', ifNotExists: false, index }),
    },
    table.tbl,
  );
  store.objects.put({ kind: 'index', name, migration: n, tbl: table.tbl, text: canonicalIndex(index) });
  if (index.unique) installCapture(store.db, table);
}
