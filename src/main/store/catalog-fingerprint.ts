import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationId } from '#shared/model/ids.ts';

import { schemaFingerprint } from '../engine/catalog/schema-fingerprint.ts';
import type { IndexDefinition, TableDefinition } from '../sql/ast.ts';
import { comparableIndex } from '../sql/compare-indexes.ts';
import { comparableTable } from '../sql/compare-tables.ts';
import { comparableTrigger } from '../sql/compare-triggers.ts';
import { comparableView } from '../sql/compare-views.ts';
import type { Facet } from '../sql/compare/facet.ts';
import { bodyCreation, namesSignature } from './body-creation.ts';
import type { FileCatalog } from './catalog-read.ts';
import type { BodyObject } from './recorded-objects.ts';
import { renderHere } from './render-migration.ts';
import type { ReplicaStore } from './replica-store.ts';

/** What may differ for ever without harm: it is listed as drift and left out of the fingerprint. */
const DRIFT: ReadonlySet<Facet['kind']> = new Set(['check', 'foreignKey', 'constraintName']);

interface KnownFingerprint {
  readonly catalog: FileCatalog;
  /** Which views and triggers are recorded. */
  readonly bodies: string;
  /** The newest migration: a file may be read before what another program renamed in it is recorded. */
  readonly newest: string | undefined;
  readonly fingerprint: string;
}

const knownByStore = new WeakMap<ReplicaStore, KnownFingerprint>();

// The reader hands out the same definition as long as an object's text is the same, so the texts cost what changed.
const textByDefinition = new WeakMap<TableDefinition | IndexDefinition, string>();

/**
 * Hash of the catalog as far as it replicates. Equal fingerprints: the catalogs have converged. Computed once per state of
 * catalog and record.
 *
 * Views and triggers are in it as they are recorded, standing or parked, with the names that hold here. So replicas with the
 * same migrations have the same fingerprint, also where one of them lacks what a trigger needs, its full-text table say.
 * Why: docs/decisions/0015-views-and-triggers-follow-the-record.md.
 */
export function readFingerprint(store: ReplicaStore): string {
  const catalog = store.catalog.read();
  const objects = store.objects.bodies();
  const bodies = objects
    .map(({ kind, name, migration }) => `${kind} ${name} ${String(migration)}`)
    .join('\n');
  const newest = store.db
    .preparePluck<[], string>('select id from _concord_migration order by n desc limit 1')
    .get();
  const known = knownByStore.get(store);
  if (known?.catalog === catalog && known.bodies === bodies && known.newest === newest)
    return known.fingerprint;
  // A reader does not hear of what the writer changes.
  if (store.db.readOnly) store.registry.invalidate();
  const texts = [...textsOf(catalog), ...objects.map((object) => bodyText(store, object))];
  const fingerprint = schemaFingerprint(texts, store.ports.hash);
  knownByStore.set(store, { catalog, bodies, newest, fingerprint });
  return fingerprint;
}

const textsOf = (catalog: FileCatalog): readonly string[] => [
  ...[...catalog.tables.values()].map(({ definition, sql }) =>
    definition === null ? sql : tableText(definition),
  ),
  ...[...catalog.indexes.values()].map(({ definition, sql }) =>
    definition === null ? sql : indexText(definition),
  ),
];

const tableText = (table: TableDefinition): string =>
  remembered(table, () => `table ${comparableTable(table, (facet) => !DRIFT.has(facet.kind))}`);

const indexText = (index: IndexDefinition): string =>
  remembered(index, () => `index ${comparableIndex(index)}`);

function remembered(definition: TableDefinition | IndexDefinition, write: () => string): string {
  const known = textByDefinition.get(definition);
  if (known !== undefined) return known;
  const text = write();
  textByDefinition.set(definition, text);
  return text;
}

interface KnownBody {
  readonly creation: MigrationId;
  readonly names: string;
  readonly text: string;
}

const bodiesByStore = new WeakMap<ReplicaStore, Map<string, KnownBody>>();

/** Written anew when something that it names has another name. */
function bodyText(store: ReplicaStore, object: BodyObject): string {
  const key = `${object.kind} ${object.name}`;
  const creation = bodyCreation(store, object);
  if (creation === null) return key;
  const bodies = bodiesByStore.get(store) ?? new Map<string, KnownBody>();
  bodiesByStore.set(store, bodies);
  const names = namesSignature(store, creation);
  const known = bodies.get(key);
  if (known?.creation === creation.id && known.names === names) return known.text;
  const text = writeBody(store, creation);
  bodies.set(key, { creation: creation.id, names, text });
  return text;
}

function writeBody(store: ReplicaStore, creation: Migration): string {
  const statement = renderHere(store, creation);
  if (statement.kind === 'createView') return `view ${comparableView(statement.view)}`;
  return statement.kind === 'createTrigger'
    ? `trigger ${comparableTrigger(statement.trigger)}`
    : creation.ddl;
}
