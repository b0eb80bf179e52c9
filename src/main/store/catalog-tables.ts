import type { Migration } from '#shared/model/change-group.ts';

import type { CreateTableStatement, TableDefinition } from '../sql/ast.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { installAllCapture } from './capture-all.ts';
import { removeCapture } from './capture-triggers.ts';
import { mentionsOf } from './catalog-mentions.ts';
import { recordOwn } from './catalog-own-migration.ts';
import type { FileObject } from './catalog-read.ts';
import { findKeyGaps } from './key-gaps.ts';
import { appendBaseline } from './log-baseline.ts';
import { OVERTAKEN_BY_DROP } from './redefinition-lineage.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';
import type { TrackedTable } from './table-registry.ts';
import { dropTrackedTable, trackTable } from './track-table.ts';
import { writeFinding } from './write-finding.ts';

/** A table that was made, and is kept track of by now. */
interface NewTable {
  readonly tbl: number;
  readonly definition: TableDefinition;
}

/** Begins to keep track of tables that were made, and captures them. Their IDs are known from then on. */
export function trackNewTables(
  store: ReplicaStore,
  made: readonly FileObject<TableDefinition>[],
): readonly NewTable[] {
  const tracked = made.flatMap(({ name, definition, sql }) => {
    if (definition === null) return [];
    const tbl = trackTable(store.db, {
      name,
      id: store.newTableId(),
      columnId: store.newColumnId,
      definition: canonicalTable(definition),
      created: null,
      addedSeq: 0,
    });
    store.taken.textByTable.set(tbl, sql);
    return [{ tbl, definition }];
  });
  if (tracked.length > 0) store.registry.invalidate();
  installAllCapture(
    store.db,
    tracked.map(({ tbl }) => store.trackedTable(tbl)),
  );
  return tracked;
}

/** Records tables that were made, with the rows that they hold already. */
export function recordNewTables(store: ReplicaStore, made: readonly NewTable[]): void {
  for (const { tbl, definition } of made) {
    const table = store.trackedTable(tbl);
    recordCreation(store, table, definition);
    findKeyGaps(store.db, table, store.ports.clock.nowMs());
    appendBaseline(store.db, table, store.clock.tick());
  }
}

/** Records the create_table of a table that is kept track of. */
export function recordCreation(store: ReplicaStore, table: TrackedTable, definition: TableDefinition): void {
  recordOwn(
    store,
    {
      type: 'create_table',
      kind: 'table',
      object: table.name ?? definition.name,
      element: null,
      tableId: table.id,
      columns: table.liveColumns.map(({ id, name }) => ({ id, name })),
      ddl: canonicalTable(definition),
      mentions: mentionsOfTable(store, definition),
    },
    table.tbl,
  );
}

/** Of a table that names nothing beside its own columns none: they are in the migration already. */
function mentionsOfTable(store: ReplicaStore, table: TableDefinition): Migration['mentions'] {
  const isPlain =
    table.constraints.length === 0 &&
    table.columns.every(
      ({ checks, references, generated }) =>
        checks.length === 0 && references.length === 0 && generated === undefined,
    );
  if (isPlain) return [];
  const statement: CreateTableStatement = {
    kind: 'createTable',
    temporary: false,
    ifNotExists: false,
    table,
  };
  return mentionsOf(store, statement);
}

/** Takes up that a table is no longer there: its life ends with a drop_table that knows the rows that were here. */
export function takeUpLostTable(store: ReplicaStore, table: TrackedTable, name: string): void {
  store.migrations.retire({ types: OVERTAKEN_BY_DROP, tbl: table.tbl });
  const { n } = recordOwn(
    store,
    {
      type: 'drop_table',
      kind: 'table',
      object: name,
      element: null,
      tableId: table.id,
      columns: [],
      ddl: canonicalStatement({ kind: 'dropTable', ifExists: false, name }),
      mentions: [],
      knew: knownOfTable(store, table),
    },
    table.tbl,
  );
  // Those of a helper that took another table's place are there still.
  removeCapture(store.db, table);
  dropTrackedTable(store.db, table.tbl, n);
  store.taken.textByTable.delete(table.tbl);
  store.registry.invalidate();
}

/** Says which tables were dropped and made under the same name: by what was recorded, others have lost their rows. */
export function findMadeAnew(
  store: ReplicaStore,
  lost: readonly { readonly name: string }[],
  made: readonly { readonly name: string }[],
): void {
  for (const { name } of lost.filter((table) => made.some((other) => isSameName(other.name, table.name)))) {
    writeFinding(store, {
      kind: 'drift',
      table: name,
      subject: 'made anew',
      detail: `Another program dropped ${name} and made a table of the same name. It is another table everywhere; rows that only peers had are held there.`,
      advice:
        'Where the old table was meant, drain those rows into the new one. Make a table that is to take its place under another name, and rename it.',
    });
  }
}

/**
 * What a drop knows of its table's rows: those that are in the log here. The version vector says more than that, since
 * migrations can come ahead of rows that their author wrote before.
 */
function knownOfTable(store: ReplicaStore, { tbl }: TrackedTable): Migration['knew'] {
  const newest = store.db
    .prepareRaw<[bigint], [bigint, bigint]>(
      `select site, max(hlc) from _concord_log where tbl = ? and site is not null and hlc is not null group by site`,
    )
    .all(BigInt(tbl))
    .map(([site, hlc]) => [store.sites.siteOf(toNumber(site)), hlc] as const);
  return { ...Object.fromEntries(newest), [store.site]: store.clock.last() };
}
