import type { TableDefinition } from '../sql/ast.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import type { NameChanges } from '../sql/rename-in-definition.ts';
import type { LiveColumn, TrackedTable } from './table-registry.ts';

/** The columns of a table by ordinal, by the names that they have now. */
export type ColumnNames = ReadonlyMap<number, string>;

/**
 * Finds the columns of the record in a table as it is now. `captured`: as our trigger names them. Those that it does not
 * speak of, generated ones, and all of a table without triggers, are found by their names, else by place and type: ALTER
 * TABLE adds at the end and moves nothing.
 */
export function matchColumns(
  table: TrackedTable,
  captured: ColumnNames,
  { before, after, isMadeAnew }: ShapeChange & { readonly isMadeAnew: boolean },
): ColumnNames {
  const names = new Map<number, string>();
  const claimed = new Set<string>();
  const claim = (col: number, name: string | undefined): boolean => {
    if (name === undefined || claimed.has(foldIdentifier(name))) return false;
    claimed.add(foldIdentifier(name));
    names.set(col, name);
    return true;
  };
  const spelled = (name: string): string | undefined =>
    after.columns.find((column) => isSameName(column.name, name))?.name;
  const uncaptured = table.liveColumns.filter(({ col }) => {
    const name = captured.get(col);
    return name === undefined || !claim(col, spelled(name));
  });
  const unnamed = uncaptured.filter(({ col, name }) => !claim(col, spelled(name)));
  // Whoever makes a table anew puts its columns wherever.
  if (!isMadeAnew) for (const column of unnamed) claim(column.col, nameAtPlace(column, { before, after }));
  return names;
}

interface ShapeChange {
  readonly before: TableDefinition;
  readonly after: TableDefinition;
}

function nameAtPlace({ name }: LiveColumn, { before, after }: ShapeChange): string | undefined {
  const place = before.columns.findIndex((column) => isSameName(column.name, name));
  const [was, is] = [before.columns[place], after.columns[place]];
  if (was === undefined || is === undefined) return undefined;
  const isAlike =
    foldIdentifier(was.type) === foldIdentifier(is.type) &&
    (was.generated === undefined) === (is.generated === undefined);
  return isAlike ? is.name : undefined;
}

/** A table of the record with the names that it and its columns have now. */
export interface NamedTable {
  readonly table: TrackedTable & { readonly name: string };
  readonly name: string;
  readonly columns: ColumnNames;
}

/** All that has another name than the record says. */
export function nameChanges(tables: readonly NamedTable[]): NameChanges {
  const renamed = tables.filter(({ table, name }) => table.name !== name);
  const columns = tables.flatMap(({ table, columns: names }) => {
    const changed = table.liveColumns.flatMap(({ col, name }) => {
      const now = names.get(col);
      return now === undefined || now === name ? [] : [[foldIdentifier(name), now] as const];
    });
    return changed.length === 0 ? [] : [[foldIdentifier(table.name), new Map(changed)] as const];
  });
  return {
    tables: new Map(renamed.map(({ table, name }) => [foldIdentifier(table.name), name])),
    columns: new Map(columns),
  };
}
