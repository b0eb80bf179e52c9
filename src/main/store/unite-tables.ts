import type { Migration } from '#shared/model/change-group.ts';

import { isSameName } from '../sql/fold-identifier.ts';
import { foreignKeysOf } from '../sql/foreign-keys-of.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { giveIds } from './give-ids.ts';
import { insertLocalRows } from './insert-local-rows.ts';
import { liveTable } from './live-table.ts';
import { makeIndex } from './make-index.ts';
import { indexHere } from './names-here.ts';
import { parkNaming } from './parked-objects.ts';
import { livesOf } from './recorded-facts.ts';
import { readLineage } from './redefinition-lineage.ts';
import { admitExportedRows, exportDeletions, exportRows } from './redefine-rows.ts';
import type { ReplicaStore } from './replica-store.ts';
import { settleTable } from './settle-table.ts';
import { restoreTriggers } from './silence-triggers.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';
import { withRecordedDdl } from './with-recorded-ddl.ts';

// A decision makes creations one that stand as several tables here: one of them was renamed, and another found its name free.
// One of them stays, whatever it is called; its shape and name follow the record of all. The others' rows and deletions
// wait beside the file meanwhile (docs/decisions/0007-resolutions-travel.md).

export interface Union {
  readonly decision: Migration;
  /** The one that stays. */
  readonly table: TrackedTable;
  readonly others: readonly TrackedTable[];
}

/**
 * Makes tables one. `reshape` gives the one that stays the shape and name that the record of all says; it must read the
 * registry for it anew.
 *
 * Rows and deletions keep their stamps and lives, and meet as where the facts of one arrive at the other. What finds no
 * place in the shape is held. Indexes, views, triggers and foreign keys of and to the others are those of the one.
 */
export function uniteTables(admission: Admission, union: Union, reshape: () => void): void {
  const { decision, table, others } = union;
  const taken = others.map((other) => takeIntoTable(admission, { decision, table, other }));
  reshape();
  for (const other of taken) {
    bringBack(admission, admission.store.trackedTable(table.tbl), other);
  }
}

/**
 * Makes the tables one that are of one life by now and stand apart: by a decision that another one has overtaken, or by a
 * creation that came after the decision and is one with one of those that it unifies.
 */
export function uniteLives(admission: Admission, migration: Migration): void {
  const { store } = admission;
  for (const { creations } of livesOf(store, migration)) {
    const [table, ...others] = tablesOf(
      store,
      creations.map(({ id }) => id),
    );
    if (table === undefined || others.length === 0) continue;
    const decided = [table, ...others].flatMap(({ tbl }) => readLineage(store, tbl).redefinitions);
    const decision = migration.type === 'redefine_table' ? migration : decided.at(-1)?.migration;
    if (decision === undefined) continue;
    uniteTables(admission, { decision, table, others }, () => {
      settleTable(admission, table.tbl, { addedSeq: store.logWriter.head() });
    });
  }
}

/** Those first of which a decision holds: they have its shape. */
function tablesOf(store: ReplicaStore, creations: readonly Migration['id'][]): readonly TrackedTable[] {
  const tables = creations.flatMap((id) => {
    const recorded = store.migrations.byId(id);
    return recorded === null ? [] : (liveTable(store, recorded.migration) ?? []);
  });
  const once = [...new Map(tables.map((table) => [table.tbl, table])).values()];
  const isDecided = ({ tbl }: TrackedTable): number =>
    Number(readLineage(store, tbl).redefinitions.length > 0);
  return once.toSorted((left, right) => isDecided(right) - isDecided(left));
}

/** What is to come back once the table that stays has its shape. */
interface TakenTable {
  /** Under which its rows and deletions were put aside. */
  readonly tbl: number;
  readonly name: string;
  /** The numbers of its indexes' migrations. */
  readonly indexes: readonly number[];
  /** Tables that refer to it. */
  readonly children: readonly number[];
}

/** Takes a table out of the file. Its record, its IDs and what is held of it are those of the one that stays. */
function takeIntoTable(
  admission: Admission,
  union: { readonly decision: Migration; readonly table: TrackedTable; readonly other: TrackedTable },
): TakenTable {
  const { store } = admission;
  const { other } = union;
  const name = other.name ?? '';
  // What is parked has to stand in the file.
  restoreTriggers(admission);
  parkNaming(store, [name]);
  exportRows(admission, other);
  exportDeletions(admission, other);
  const taken = {
    tbl: other.tbl,
    name,
    indexes: indexesOf(store, other),
    children: childrenOf(store, other),
  };
  withRecordedDdl(store, () => {
    store.db.exec(`drop table ${quoteIdentifier(name)}`);
    return { value: null, touched: [name], isDropped: true };
  });
  giveIds(store, union);
  for (const known of [admission.mutedTables, admission.changedTables, admission.touchedKeys])
    known.delete(other.tbl);
  admission.claimedColumns.delete(other.tbl);
  admission.changedTables.add(union.table.tbl);
  admission.namesFreed = true;
  return taken;
}

const indexesOf = ({ objects }: ReplicaStore, { tbl }: TrackedTable): readonly number[] =>
  objects.all().flatMap((object) => (object.tbl === tbl ? [object.migration] : []));

/** But for itself: its own foreign keys are part of its record. */
function childrenOf(store: ReplicaStore, { name, tbl }: TrackedTable): readonly number[] {
  const { tables } = store.catalog.read();
  return [...tables.values()].flatMap((child) => {
    const refers =
      child.definition !== null &&
      foreignKeysOf(child.definition).some(({ target }) => isSameName(target.table, name ?? ''));
    const tracked = refers ? store.registry.byName(child.name) : null;
    return tracked === null || tracked.tbl === tbl ? [] : [tracked.tbl];
  });
}

function bringBack(admission: Admission, table: TrackedTable, taken: TakenTable): void {
  const { store } = admission;
  for (const n of taken.indexes) bringIndex(store, table, n);
  if (table.kind === TABLE_KIND.noKey) insertLocalRows(admission, table, taken.tbl);
  else admitExportedRows(admission, { of: taken.tbl });
  admission.touchedKeys.add(table.tbl);
  for (const tbl of taken.children)
    settleTable(admission, tbl, { addedSeq: store.logWriter.head(), repoints: true });
}

/** An index that went with a column needs no drop of its own: it goes everywhere, by the decision. */
function bringIndex(store: ReplicaStore, table: TrackedTable, n: number): void {
  const migration = store.migrations.byNumber(n)?.migration;
  if (migration === undefined) return;
  const { parts } = indexHere(store, migration);
  const isThere = parts.every(
    (part) =>
      part.kind === 'expression' || table.liveColumns.some(({ name }) => isSameName(name, part.column)),
  );
  if (!isThere) {
    store.migrations.retireOne(n);
    store.ports.log.warn('unite.index-lost', { table: table.name, index: migration.object });
    return;
  }
  const { name, text } = makeIndex(store, migration, table);
  store.objects.put({ kind: 'index', name, migration: n, tbl: table.tbl, text });
}
