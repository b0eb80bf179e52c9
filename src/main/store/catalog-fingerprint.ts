import { schemaFingerprint } from '../engine/catalog/schema-fingerprint.ts';
import { comparableIndex } from '../sql/compare-indexes.ts';
import { comparableTable } from '../sql/compare-tables.ts';
import type { Facet } from '../sql/compare/facet.ts';
import type { FileCatalog } from './catalog-read.ts';
import type { ReplicaStore } from './replica-store.ts';

/** What may differ for ever without harm: it is listed as drift and left out of the fingerprint. */
const DRIFT: ReadonlySet<Facet['kind']> = new Set(['check', 'foreignKey', 'constraintName']);

const fingerprintByCatalog = new WeakMap<FileCatalog, string>();

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

function textsOf(catalog: FileCatalog): readonly string[] {
  const tables = [...catalog.tables.values()].map((object) =>
    object.definition === null
      ? object.sql
      : `table ${comparableTable(object.definition, (facet) => !DRIFT.has(facet.kind))}`,
  );
  const indexes = [...catalog.indexes.values()].map((object) =>
    object.definition === null ? object.sql : `index ${comparableIndex(object.definition)}`,
  );
  return [...tables, ...indexes];
}
