import type { ColumnDefinition, SqlText, TableConstraint, TableDefinition } from '../../sql/ast.ts';
import { strictType } from '../../sql/strict-type.ts';
import type { ColumnRegister } from '../migration/register.ts';
import { constraintLives } from './constraint-lives.ts';
import { foldColumns, renderColumn, type ColumnLife } from './fold-columns.ts';
import { foldConstraints, withoutRepetitions, type FoldedConstraint } from './fold-constraints.ts';
import { foldKey, type FoldedKey } from './fold-key.ts';
import type { TableNames } from './names-here.ts';
import { ofKind, readHistory, type ShapeHistory } from './read-history.ts';
import type { ColumnKey, ShapeRecord } from './shape-record.ts';
import { shareNames } from './share-names.ts';

/** What a table is to look like, and which migration says so. */
export interface FoldedTable {
  readonly name: string;
  readonly definition: TableDefinition;
  /** In the order of the definition. */
  readonly columns: readonly FoldedColumn[];
  readonly constraints: readonly FoldedConstraint[];
  /** Constraints that stand where they were written and come nowhere else. */
  readonly drifting: readonly FoldedConstraint[];
  /** The decision or creation that the rest is told of. */
  readonly base: ShapeRecord;
  readonly holders: { readonly name: ShapeRecord; readonly primaryKey: ShapeRecord };
}

export interface FoldedColumn {
  readonly key: ColumnKey;
  readonly name: string;
  /** Which migration holds the name, and each of the other registers. */
  readonly holders: Readonly<Record<ColumnRegister | 'name', ShapeRecord>>;
  /** The default as it was added, which fills the rows that are there when the column comes, whatever it is by now. */
  readonly addedDefault: SqlText | undefined;
}

/**
 * Folds what is recorded for a table into what the table is to look like: a function of the set of records, whatever order
 * they came in and however often (SCHEMA-006). Null where nothing makes the table, or something drops it.
 *
 * - The latest decision about the shape is the base, else the creation with the lowest stamp. What a decision did not
 *   know of goes on beside it.
 * - Names, types, NOT NULL, DEFAULT, COLLATE and the primary key are registers; see `foldColumns` and `foldKey`.
 * - A drop of a column or constraint wins over all that was done to that column or constraint.
 * - Every name in it is the one that holds, also within expressions.
 * - Types that were written for a table that is not STRICT become types of STRICT where the base is.
 *
 * Total: of records that contradict each other, which a gate would have refused, it makes some table that SQLite takes.
 */
export function foldShape(records: readonly ShapeRecord[]): FoldedTable | null {
  const history = readHistory(records);
  if (history === null) return null;
  const lives = constraintLives(history);
  const columns = foldColumns(history, lives);
  const renamed = ofKind(history.alterations, 'renameTable').at(-1);
  const names: TableNames = {
    table: renamed?.action.newName ?? history.base.table.name,
    columns: shareNames(columns.map(({ key, name, named }) => ({ key, name, stamp: named.stamp }))),
  };
  const { key, holder } = foldKey(history, { columns, names, constraints: lives });
  const bare = defineBare(history, { columns, names, key });
  const { standing, drifting } = foldConstraints(lives, { columns, names });
  const constraints = withoutRepetitions(standing, bare);
  return {
    name: names.table,
    definition: defineWhole(bare, { columns, constraints }),
    columns: columns.map(({ key: column, name, named, holders, sources }) => ({
      key: column,
      name: names.columns.get(column) ?? name,
      holders: { ...holders, name: named },
      addedDefault: sources.at(-1)?.added,
    })),
    constraints,
    drifting,
    base: history.base.record,
    holders: { name: renamed?.record ?? history.base.record, primaryKey: holder },
  };
}

/** The table without the constraints that it may have. */
function defineBare(
  { base }: ShapeHistory,
  {
    columns,
    names,
    key,
  }: { readonly columns: readonly ColumnLife[]; readonly names: TableNames; readonly key: FoldedKey },
): TableDefinition {
  return {
    name: names.table,
    columns: columns.map((column) => {
      const definition = inKind(base.table, renderColumn(column, names));
      return key.kind === 'column' && key.column === column.key
        ? { ...definition, primaryKey: key.key }
        : definition;
    }),
    constraints: key.kind === 'table' ? [key.constraint] : [],
    strict: base.table.strict,
    // Without a key there is nothing else than the rowid to find a row by.
    withoutRowid: base.table.withoutRowid && key.kind !== 'none',
  };
}

/** A decision for STRICT did not know of every type: what STRICT does not take is as it counts there. */
const inKind = ({ strict }: TableDefinition, column: ColumnDefinition): ColumnDefinition =>
  strict ? { ...column, type: strictType(column.type) } : column;

function defineWhole(
  bare: TableDefinition,
  {
    columns,
    constraints,
  }: { readonly columns: readonly ColumnLife[]; readonly constraints: readonly FoldedConstraint[] },
): TableDefinition {
  const ofTable = constraints.flatMap(({ column, constraint }): readonly TableConstraint[] =>
    column === null ? [constraint] : [],
  );
  return {
    ...bare,
    columns: bare.columns.map((definition, at) => {
      const key = columns[at]?.key;
      return withConstraints(
        definition,
        constraints.flatMap(({ column, constraint }) => (column === key ? [constraint] : [])),
      );
    }),
    constraints: [...bare.constraints, ...ofTable],
  };
}

function withConstraints(
  definition: ColumnDefinition,
  constraints: readonly FoldedConstraint['constraint'][],
): ColumnDefinition {
  return {
    ...definition,
    uniques: constraints.flatMap((one) =>
      one.kind === 'unique' ? [{ name: one.name, conflict: one.conflict }] : [],
    ),
    checks: constraints.flatMap((one) =>
      one.kind === 'check' ? [{ name: one.name, expression: one.expression }] : [],
    ),
    references: constraints.flatMap((one) =>
      one.kind === 'foreignKey' ? [{ ...one.target, name: one.name }] : [],
    ),
  };
}
