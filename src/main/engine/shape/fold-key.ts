import type { ColumnPrimaryKey, KeyColumn, PrimaryKeyConstraint } from '../../sql/ast.ts';
import { primaryKeyOf } from '../../sql/compare/table-keys.ts';
import { isSameName } from '../../sql/fold-identifier.ts';
import { isSameKey } from '../../sql/is-same-key.ts';
import type { ColumnLife } from './fold-columns.ts';
import { nameOf } from './fold-columns.ts';
import type { ConstraintLife } from './constraint-lives.ts';
import { keyOf } from './constraint-source.ts';
import type { TableNames } from './names-here.ts';
import { ofKind, type ShapeHistory } from './read-history.ts';
import type { ColumnKey, ShapeRecord } from './shape-record.ts';

/** The primary key of a table, under the names that hold. */
export type FoldedKey =
  | { readonly kind: 'none' }
  /** Written on its column, as in the definition that made the table: the text can decide whether it is the rowid. */
  | { readonly kind: 'column'; readonly column: ColumnKey; readonly key: ColumnPrimaryKey }
  | { readonly kind: 'table'; readonly constraint: PrimaryKeyConstraint };

export interface KeyFold {
  readonly key: FoldedKey;
  readonly holder: ShapeRecord;
}

/**
 * Folds the primary key: the latest ALTER PRIMARY KEY, else the table's own. A column that was dropped is no part of it;
 * one of which nothing is left counts for nothing.
 */
export function foldKey(
  history: ShapeHistory,
  context: {
    readonly columns: readonly ColumnLife[];
    readonly names: TableNames;
    readonly constraints: readonly ConstraintLife[];
  },
): KeyFold {
  const { base, alterations } = history;
  const name = keyName(context.constraints);
  const altered = ofKind(alterations, 'alterPrimaryKey').at(-1);
  const declared = primaryKeyOf(base.table);
  const conflict = declared?.conflict;
  if (altered !== undefined) {
    const columns = keyColumns(altered.record, altered.action.columns, context);
    if (columns.length > 0 && !isDeclared(columns)) {
      const constraint = { kind: 'primaryKey', name, columns, autoincrement: false, conflict } as const;
      return { key: { kind: 'table', constraint }, holder: altered.record };
    }
  }
  return { key: declaredKey(), holder: altered?.record ?? base.record };

  // The key that is there already changes nothing, whichever statement says it: AUTOINCREMENT stays too.
  function isDeclared(columns: readonly KeyColumn[]): boolean {
    if (declared === undefined) return false;
    return isSameKey(columns, keyColumns(base.record, declared.columns, context));
  }

  function declaredKey(): FoldedKey {
    const inline = base.table.columns.find(({ primaryKey }) => primaryKey !== undefined);
    if (inline?.primaryKey !== undefined) {
      const column = keyOf(base.record, inline.name);
      if (!context.names.columns.has(column)) return { kind: 'none' };
      return { kind: 'column', column, key: { ...inline.primaryKey, name } };
    }
    const constraint = base.table.constraints.find((one) => one.kind === 'primaryKey');
    if (constraint?.kind !== 'primaryKey') return { kind: 'none' };
    const columns = keyColumns(base.record, constraint.columns, context);
    if (columns.length === 0) return { kind: 'none' };
    const autoincrement = constraint.autoincrement && columns.length === constraint.columns.length;
    return { kind: 'table', constraint: { ...constraint, name, columns, autoincrement } };
  }
}

function keyName(constraints: readonly ConstraintLife[]): string | undefined {
  const named = constraints.find(({ sources: [source] }) => source.body === 'primaryKey');
  return named === undefined ? undefined : nameOf(named);
}

function keyColumns(
  record: ShapeRecord,
  columns: readonly KeyColumn[],
  { columns: lives, names }: { readonly columns: readonly ColumnLife[]; readonly names: TableNames },
): readonly KeyColumn[] {
  const parts = columns.flatMap(({ column, collation, descending }): readonly KeyColumn[] => {
    const key = keyOf(record, column);
    const here = names.columns.get(key);
    const isGenerated =
      lives.find((life) => life.key === key)?.sources.at(-1)?.definition.generated !== undefined;
    return here === undefined || isGenerated ? [] : [{ column: here, collation, descending }];
  });
  return parts.filter((part, at) => parts.findIndex((other) => isSameName(other.column, part.column)) === at);
}
