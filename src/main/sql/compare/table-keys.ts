import type {
  CheckConstraint,
  ForeignKeyConstraint,
  PrimaryKeyConstraint,
  TableDefinition,
  UniqueConstraint,
} from '../ast.ts';
import { canonicalType } from '../canonical-type.ts';
import { isSameName } from '../fold-identifier.ts';

export type Leveled<C> = C & { readonly level: 'column' | 'table' };

/** All constraints of a table in the form of table constraints, wherever they were written. */
export interface TableKeys {
  readonly primaryKey?: Leveled<PrimaryKeyConstraint> | undefined;
  readonly uniques: readonly Leveled<UniqueConstraint>[];
  readonly checks: readonly Leveled<CheckConstraint>[];
  readonly foreignKeys: readonly Leveled<ForeignKeyConstraint>[];
}

/** Gathers the constraints of the columns and of the table, those of the columns first. */
export function listKeys(table: TableDefinition): TableKeys {
  const level = 'table';
  return {
    primaryKey: primaryKeyOf(table),
    uniques: [
      ...table.columns.flatMap(columnUniques),
      ...table.constraints.flatMap((one) => (one.kind === 'unique' ? [{ ...one, level } as const] : [])),
    ],
    checks: [
      ...table.columns.flatMap(columnChecks),
      ...table.constraints.flatMap((one) => (one.kind === 'check' ? [{ ...one, level } as const] : [])),
    ],
    foreignKeys: [
      ...table.columns.flatMap(columnForeignKeys),
      ...table.constraints.flatMap((one) => (one.kind === 'foreignKey' ? [{ ...one, level } as const] : [])),
    ],
  };
}

/**
 * Whether the key is the rowid itself. A quirk of SQLite that files depend on: INTEGER PRIMARY KEY DESC on the column
 * is not, PRIMARY KEY (a DESC) on the table is.
 *
 * Source: https://sqlite.org/lang_createtable.html#rowids_and_the_integer_primary_key
 */
export function isRowidAlias(table: TableDefinition): boolean {
  const key = primaryKeyOf(table);
  const part = key?.columns[0];
  if (key === undefined || part === undefined || key.columns.length !== 1 || table.withoutRowid) return false;
  const column = table.columns.find(({ name }) => isSameName(name, part.column));
  if (column === undefined || canonicalType(column.type) !== 'INTEGER') return false;
  return key.level === 'table' || !part.descending;
}

/** Whether SQLite makes the columns of this table's key NOT NULL without being told. */
export function isImplicitlyNotNull(table: TableDefinition): boolean {
  return table.withoutRowid || table.strict;
}

/** The primary key in the form of a table constraint, wherever it was written. */
export function primaryKeyOf(table: TableDefinition): Leveled<PrimaryKeyConstraint> | undefined {
  for (const column of table.columns) {
    if (column.primaryKey === undefined) continue;
    const { name, descending, autoincrement, conflict } = column.primaryKey;
    const columns = [{ column: column.name, descending }];
    return { kind: 'primaryKey', name, columns, autoincrement, conflict, level: 'column' };
  }
  const constraint = table.constraints.find((one) => one.kind === 'primaryKey');
  return constraint === undefined ? undefined : { ...constraint, level: 'table' };
}

type Column = TableDefinition['columns'][number];

function columnUniques(column: Column): readonly Leveled<UniqueConstraint>[] {
  const columns = [{ column: column.name, descending: false }];
  return column.uniques.map((unique) => ({ kind: 'unique', ...unique, columns, level: 'column' }));
}

function columnChecks(column: Column): readonly Leveled<CheckConstraint>[] {
  return column.checks.map((check) => ({ kind: 'check', ...check, level: 'column' }));
}

function columnForeignKeys(column: Column): readonly Leveled<ForeignKeyConstraint>[] {
  const columns = [column.name];
  return column.references.map(({ name, ...target }) => ({
    kind: 'foreignKey',
    name,
    columns,
    target,
    level: 'column',
  }));
}
