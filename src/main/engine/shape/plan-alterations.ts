import type { AlterAction, TableDefinition } from '../../sql/ast.ts';
import { canonicalType } from '../../sql/canonical-type.ts';
import { comparableDefault } from '../../sql/comparable-default.ts';
import { compareTables } from '../../sql/compare-tables.ts';
import { primaryKeyOf } from '../../sql/compare/table-keys.ts';
import type { DifferenceKind } from '../../sql/comparison.ts';
import { foldIdentifier, isSameName } from '../../sql/fold-identifier.ts';
import { createAlterationDraft, underWantedNames, type AlterationDraft } from './alteration-draft.ts';
import type { FoldedTable } from './fold-shape.ts';
import { constraintsIn, matchConstraints } from './match-constraints.ts';
import { planColumns } from './plan-columns.ts';
import type { ColumnKey } from './shape-record.ts';

export interface PlannedAlterations {
  /** In an order in which `applyAlteration` takes each of them, the table's name first. */
  readonly actions: readonly AlterAction[];
  /**
   * Whether they bring the whole difference about. Else only a rebuild to the wanted definition does: a decision may change
   * what no action changes (STRICT, WITHOUT ROWID, that a key is AUTOINCREMENT no more, how a column is generated).
   */
  readonly isComplete: boolean;
}

/**
 * Plans what has to be done to a table to make it what its record says. Empty and complete where nothing has to be.
 *
 * Not planned away: drift (see `driftOf`), and the order of columns. `currentColumns`: the keys of the columns that are
 * here, by their folded names; a column without one is unknown to the record, and goes.
 */
export function planAlterations({
  current,
  currentColumns,
  wanted,
}: {
  readonly current: TableDefinition;
  readonly currentColumns: ReadonlyMap<string, ColumnKey>;
  readonly wanted: FoldedTable;
}): PlannedAlterations {
  const draft = createAlterationDraft(current, currentColumns, wanted);
  if (!isSameName(current.name, wanted.name)) draft.act({ kind: 'renameTable', newName: wanted.name });
  dropSurplus(draft);
  planColumns(draft);
  alterRegisters(draft);
  alterKey(draft);
  // A column of the old key can only go now.
  planColumns(draft);
  renameConstraints(draft);
  addMissing(draft);
  return { actions: draft.actions, isComplete: isReached(draft) };
}

/** Constraints that are not wanted, or of which the name is wanted for another. */
function dropSurplus(draft: AlterationDraft): void {
  // As they are called now: names of columns are still to change.
  const here = constraintsIn(draft.table());
  for (const place of matchConstraints(underWantedNames(draft), draft.wanted).surplus) {
    const constraint = here[place];
    if (constraint === undefined) continue;
    const { name } = constraint;
    draft.act(
      name === undefined ? { kind: 'dropUnnamedConstraint', constraint } : { kind: 'dropConstraint', name },
    );
  }
}

/** Sets what columns are, but for their names. What the key implies counts as little as if there was none: it may change. */
function alterRegisters({ table, wanted, act }: AlterationDraft): void {
  for (const column of wanted.definition.columns) {
    const here = table().columns.find(({ name }) => isSameName(name, column.name));
    for (const action of here === undefined ? [] : registerActions(here, column)) act(action);
  }
}

type Column = TableDefinition['columns'][number];

function registerActions(here: Column, wanted: Column): readonly AlterAction[] {
  const { name: column, type, defaultText } = wanted;
  const actions: readonly (AlterAction | false)[] = [
    canonicalType(here.type) !== canonicalType(type) && { kind: 'setDataType', column, type },
    comparableDefault(here.defaultText) !== comparableDefault(defaultText) &&
      (defaultText === undefined
        ? { kind: 'dropDefault', column }
        : { kind: 'setDefault', column, defaultText }),
    collationOf(here) !== collationOf(wanted) && {
      kind: 'setCollation',
      column,
      collation: wanted.collation ?? 'BINARY',
    },
    nullabilityOf(here) !== nullabilityOf(wanted) &&
      (wanted.notNull === undefined
        ? { kind: 'dropNotNull', column }
        : { kind: 'setNotNull', column, conflict: wanted.notNull.conflict }),
  ];
  return actions.filter((action) => action !== false);
}

const collationOf = ({ collation }: Column): string => foldIdentifier(collation ?? 'binary');

const nullabilityOf = ({ notNull }: Column): string =>
  notNull === undefined ? '' : (notNull.conflict ?? 'abort');

function alterKey({ table, wanted, act }: AlterationDraft): void {
  const key = primaryKeyOf(wanted.definition);
  const { differences } = compareTables(table(), wanted.definition);
  if (key === undefined || !differences.some(({ kind }) => kind === 'primaryKey')) return;
  const { columns, autoincrement } = key;
  act({ kind: 'alterPrimaryKey', columns, ...(autoincrement && { autoincrement }) });
}

/** Names that came by creation may differ: only those that a rename gave are given here too. */
function renameConstraints(draft: AlterationDraft): void {
  for (const { local, wanted } of matchConstraints(draft.table(), draft.wanted).pairs) {
    const [from, to] = [local.name, wanted.constraint.name];
    if (from === undefined || to === undefined || !wanted.isRenamed || isSameName(from, to)) continue;
    draft.act({ kind: 'renameConstraint', name: from, newName: to });
  }
}

function addMissing(draft: AlterationDraft): void {
  for (const { constraint } of matchConstraints(draft.table(), draft.wanted).missing)
    draft.act({ kind: 'addConstraint', constraint });
}

/** Compared one by one, since twins may differ in them. */
const MATCHED_APART: ReadonlySet<DifferenceKind> = new Set([
  'unique',
  'check',
  'foreignKey',
  'constraintName',
]);

function isReached({ table, wanted }: AlterationDraft): boolean {
  const { differences } = compareTables(table(), wanted.definition);
  if (differences.some(({ kind }) => !MATCHED_APART.has(kind))) return false;
  const { surplus, missing } = matchConstraints(table(), wanted);
  return surplus.length === 0 && missing.length === 0;
}
