import type { ColumnId } from '#shared/model/ids.ts';

import type { CreateTableStatement, TableDefinition } from '../sql/ast.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { mentionsOf } from './catalog-mentions.ts';
import { recordOwn } from './catalog-own-migration.ts';
import { readLineage } from './redefinition-lineage.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * Records the whole shape of a table as a decision of this replica's: of what another program did to it, as far as no
 * alteration says it.
 */
export function recordRedefinition(
  store: ReplicaStore,
  table: TrackedTable,
  definition: TableDefinition,
): void {
  const { creations, redefinitions } = readLineage(store, table.tbl);
  const decided = redefinitions.flatMap(({ migration }) => migration.redefine ?? []);
  const made = [
    ...creations.map(({ migration }) => ({
      migration: migration.id,
      table: migration.tableId ?? table.id,
    })),
    ...decided.flatMap((redefine) => redefine.creations),
  ];
  const statement: CreateTableStatement = {
    kind: 'createTable',
    temporary: false,
    ifNotExists: false,
    table: definition,
  };
  recordOwn(
    store,
    {
      type: 'redefine_table',
      kind: 'table',
      object: definition.name,
      element: null,
      tableId: table.id,
      columns: [],
      ddl: canonicalTable(definition),
      mentions: mentionsOf(store, statement),
      redefine: {
        conflictIds: [...new Set(decided.flatMap((redefine) => redefine.conflictIds))],
        creations: [...new Map(made.map((creation) => [creation.migration, creation])).values()],
        columnMap: table.liveColumns.map(({ name, id, col }) => ({
          name,
          ids: [id, ...twinsOf(store, table.tbl, col)],
        })),
      },
    },
    table.tbl,
  );
}

/** Further IDs of a column. */
const twinsOf = (store: ReplicaStore, tbl: number, col: number): readonly ColumnId[] =>
  store.db
    .preparePluck<[bigint, bigint], ColumnId>(
      `select id from _concord_alias where kind = 'c' and tbl = ? and col = ? order by id`,
    )
    .all(BigInt(tbl), BigInt(col));
