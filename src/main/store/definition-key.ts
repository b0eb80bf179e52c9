import type { TableDefinition } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { freeRowidName, TABLE_KIND, type TableKind } from './table-facts.ts';

/** A column of a primary key, with the collation that rows are told apart by. */
export interface DefinedKeyColumn {
  readonly name: string;
  readonly collation: string;
}

/** The primary key that a definition gives its table, in key order; empty where it gives none. */
export function keyOfDefinition(table: TableDefinition): readonly DefinedKeyColumn[] {
  const collationOf = (name: string): string =>
    table.columns.find((column) => isSameName(column.name, name))?.collation ?? 'BINARY';
  const inline = table.columns.find((column) => column.primaryKey !== undefined);
  if (inline !== undefined) return [{ name: inline.name, collation: collationOf(inline.name) }];
  const constraint = table.constraints.find((candidate) => candidate.kind === 'primaryKey');
  if (constraint?.kind !== 'primaryKey') return [];
  return constraint.columns.map((part) => ({
    name: part.column,
    collation: part.collation ?? collationOf(part.column),
  }));
}

/** How rows of a table of this definition are found and identified. */
export function kindOfDefinition(table: TableDefinition): TableKind {
  if (table.withoutRowid) return TABLE_KIND.withoutRowid;
  if (keyOfDefinition(table).length === 0) return TABLE_KIND.noKey;
  if (rowidColumn(table) !== null) return TABLE_KIND.integerKey;
  return rowidNameOf(table) === null ? TABLE_KIND.withoutRowid : TABLE_KIND.rowid;
}

/** The column that is another name of the rowid; null where there is none. */
export function rowidColumn(table: TableDefinition): string | null {
  const [only, ...more] = keyOfDefinition(table);
  if (table.withoutRowid || only === undefined || more.length > 0) return null;
  const column = table.columns.find((candidate) => isSameName(candidate.name, only.name));
  const isAlias = column?.type.trim().toUpperCase() === 'INTEGER' && column.primaryKey?.descending !== true;
  return isAlias ? column.name : null;
}

/** A name by which a table's rowid can be read and written beside its columns; null where columns have taken all. */
export const rowidNameOf = (table: TableDefinition): string | null =>
  table.withoutRowid ? null : freeRowidName(table.columns.map(({ name }) => name));
