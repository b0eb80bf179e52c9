import type { AlterAction, IndexDefinition, KeyColumn, TableDefinition } from '../../sql/ast.ts';
import { listKeys, primaryKeyOf } from '../../sql/compare/table-keys.ts';
import { foldIdentifier, isSameName } from '../../sql/fold-identifier.ts';

/**
 * Whether two rows with different keys can have equal ones once a table was altered, or a row can be left without one.
 *
 * A collation can, unless it tells all values apart; a primary key can, unless all of the old one is in it. `indexes`: those
 * of the table.
 */
export function canMakeKeysEqual(
  table: TableDefinition,
  action: AlterAction,
  indexes: readonly IndexDefinition[] = [],
): boolean {
  if (action.kind === 'setCollation') {
    return !isSameName(action.collation, 'BINARY') && isInKey(table, action.column, indexes);
  }
  return action.kind === 'alterPrimaryKey' && !contains(table, action.columns);
}

function isInKey(table: TableDefinition, column: string, indexes: readonly IndexDefinition[]): boolean {
  const { primaryKey, uniques } = listKeys(table);
  const keys: readonly (readonly Partial<KeyColumn>[])[] = [
    ...(primaryKey === undefined ? [] : [primaryKey.columns]),
    ...uniques.map((unique) => unique.columns),
    ...indexes.filter(({ unique }) => unique).map(({ parts }) => parts),
  ];
  // What an expression makes of a column may follow its collation too.
  return keys.flat().some((part) => part.column === undefined || takesCollationOf(part, column));
}

const takesCollationOf = ({ column = '', collation }: Partial<KeyColumn>, name: string): boolean =>
  collation === undefined && isSameName(column, name);

/** Whether a new key holds the old one, and beside it only columns that have a value in every row. */
function contains(table: TableDefinition, columns: readonly KeyColumn[]): boolean {
  const old = primaryKeyOf(table);
  if (old === undefined) return false;
  const isOld = (part: KeyColumn): boolean =>
    old.columns.some(
      (other) =>
        isSameName(other.column, part.column) && collationOf(table, other) === collationOf(table, part),
    );
  const kept = columns.filter(isOld);
  const others = columns.filter((part) => !isOld(part));
  return kept.length === old.columns.length && others.every(({ column }) => isNotNull(table, column));
}

const isNotNull = (table: TableDefinition, column: string): boolean =>
  table.columns.find(({ name }) => isSameName(name, column))?.notNull !== undefined;

const collationOf = (table: TableDefinition, { column, collation }: KeyColumn): string =>
  foldIdentifier(
    collation ?? table.columns.find(({ name }) => isSameName(name, column))?.collation ?? 'binary',
  );
