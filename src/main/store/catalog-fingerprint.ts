import { schemaFingerprint } from '../engine/catalog/schema-fingerprint.ts';
import type { IndexDefinition, TableDefinition } from '../sql/ast.ts';
import { comparableIndex } from '../sql/compare-indexes.ts';
import { comparableTable } from '../sql/compare-tables.ts';
import type { Facet } from '../sql/compare/facet.ts';
import type { FileCatalog } from './catalog-read.ts';
import type { ReplicaStore } from './replica-store.ts';

/** What may differ for ever without harm: it is listed as drift and left out of the fingerprint. */
const DRIFT: ReadonlySet<Facet['kind']> = new Set(['check', 'foreignKey', 'constraintName']);

const fingerprintByCatalog = new WeakMap<FileCatalog, string>();

// The reader hands out the same definition as long as an object's text is the same, so the texts cost what changed.
const textByDefinition = new WeakMap<TableDefinition | IndexDefinition, string>();

/**
 * Hash of the catalog as far as it replicates: tables and indexes. Equal fingerprints: the catalogs have converged.
 * Computed once per state of the catalog.
 */
export function readFingerprint(store: Pick<ReplicaStore, 'catalog' | 'ports'>): string {
  const catalog = store.catalog.read();
  const known = fingerprintByCatalog.get(catalog);
  if (known !== undefined) return known;
  const fingerprint = schemaFingerprint(textsOf(catalog), store.ports.hash);
  fingerprintByCatalog.set(catalog, fingerprint);
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
