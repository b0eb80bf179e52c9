import type { TableDefinition } from '../sql/ast.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { renameInTable, type NameChanges } from '../sql/rename-in-definition.ts';
import { installCapture } from './capture-triggers.ts';
import { readCapturedColumns } from './catalog-captured.ts';
import { takeUpChange } from './catalog-changes.ts';
import { recordFilledCells } from './catalog-filled-cells.ts';
import { matchColumns, type NamedTable } from './catalog-names.ts';
import { recaptureTable } from './catalog-recapture.ts';
import type { StandingTable } from './catalog-standing.ts';
import { findKeyGaps } from './key-gaps.ts';
import type { ReplicaStore } from './replica-store.ts';
import { TABLE_KIND } from './table-registry.ts';

/** A table of the record that is another in the file by now, be it by a name. */
export interface AlteredTable extends NamedTable {
  readonly before: TableDefinition;
  readonly after: TableDefinition;
  readonly sql: string;
  readonly isMadeAnew: boolean;
}

/** Those of the tables that are not as the record has them. */
export function alteredTables(
  store: ReplicaStore,
  standing: readonly StandingTable[],
): readonly AlteredTable[] {
  const changed = standing.filter((table) => !isAsRecorded(store, table));
  const captured = readCapturedColumns(
    store.db,
    changed.filter(({ isMadeAnew }) => !isMadeAnew).map(({ table }) => table.tbl),
  );
  return changed.flatMap(({ table, object, isMadeAnew }) => {
    const { definition: after, sql, name } = object;
    if (after === null) return [];
    const before = definitionIn(table.definition) ?? after;
    const columns = matchColumns(table, captured.get(table.tbl) ?? new Map(), { before, after, isMadeAnew });
    return [{ table, name, columns, before, after, sql, isMadeAnew }];
  });
}

function isAsRecorded({ taken }: ReplicaStore, { table, object, isMadeAnew }: StandingTable): boolean {
  const { tbl, name, definition } = table;
  if (isMadeAnew || object.name !== name) return false;
  if (taken.textByTable.get(tbl) === object.sql) return true;
  const isSame = object.definition === null || canonicalTable(object.definition) === definition;
  if (isSame) taken.textByTable.set(tbl, object.sql);
  return isSame;
}

function definitionIn(sql: string): TableDefinition | null {
  const parsed = parseDdl(sql);
  return parsed.ok && parsed.value.kind === 'createTable' ? parsed.value.table : null;
}

/**
 * Takes up what was done to one table. `changes`: what has another name by now, of this table and of all others. Its own
 * name is taken up already. `hlc`: right after all that was known before the take-up.
 */
export function takeUpAltered(
  store: ReplicaStore,
  altered: AlteredTable,
  { changes, hlc }: { readonly changes: NameChanges; readonly hlc: bigint },
): void {
  const { db } = store;
  const { table, after, before, columns, sql, isMadeAnew } = altered;
  const { tbl } = table;
  const outer = {
    tables: changes.tables,
    // Its own columns get their new names one by one.
    columns: new Map([...changes.columns].filter(([key]) => key !== foldIdentifier(table.name))),
  };
  const renamed = { ...renameInTable(before, outer), name: after.name };
  const { added, isChanged } = takeUpChange(store, { tbl, before: renamed, after, columns });
  store.taken.textByTable.set(tbl, sql);
  const fresh = store.trackedTable(tbl);
  if (isMadeAnew || (table.kind === TABLE_KIND.noKey && fresh.kind !== TABLE_KIND.noKey)) {
    recaptureTable(store, table, hlc);
  } else if (isChanged) {
    installCapture(db, fresh);
    for (const name of added) recordFilledCells(store, fresh, name);
  }
  if (isChanged) findKeyGaps(db, fresh, store.ports.clock.nowMs());
}
