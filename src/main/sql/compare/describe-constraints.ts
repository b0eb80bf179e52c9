import type { ForeignKeyTarget, KeyColumn, TableDefinition } from '../ast.ts';
import { renderConstraint } from '../canonical/render-table.ts';
import { comparableExpression } from '../canonical-expression.ts';
import type { AppliedRule } from '../comparison.ts';
import { foldIdentifier, isSameName } from '../fold-identifier.ts';
import { renderName } from '../render-name.ts';
import type { Description, Facet } from './facet.ts';
import { isRowidAlias, listKeys, type TableKeys } from './table-keys.ts';

/** Says what a table's key, UNIQUEs, CHECKs and foreign keys say, wherever they were written. */
export function describeConstraints(table: TableDefinition): Description {
  const keys = listKeys(table);
  const uniques = describeUniques(table, keys);
  const described = [
    ...uniques.facets,
    ...keys.checks.map(describeCheck),
    ...keys.foreignKeys.map(describeForeignKey),
  ];
  const isSaidAgain = findRepetitions(described);
  return {
    facets: [...describePrimaryKey(table, keys), ...described.filter((facet) => !isSaidAgain(facet))],
    remarks: [
      ...uniques.remarks,
      ...described.filter(isSaidAgain).map(remarkRedundant),
      ...listClausesWithoutEffect(keys),
    ],
  };
}

/** Tells the constraints without a name that say what another says too: all but one of them, with a name if any has one. */
function findRepetitions(facets: readonly Facet[]): (facet: Facet) => boolean {
  const kept = new Map<string, Facet>();
  for (const facet of facets) {
    const identity = identityOf(facet);
    const holder = kept.get(identity);
    const isBetter = holder?.constraintName === undefined && facet.constraintName !== undefined;
    if (holder === undefined || isBetter) kept.set(identity, facet);
  }
  return (facet) => facet.constraintName === undefined && kept.get(identityOf(facet)) !== facet;
}

function identityOf({ kind, key, value, parentKey }: Facet): string {
  return JSON.stringify([kind, key, value, parentKey]);
}

function remarkRedundant({ subject }: Facet): AppliedRule {
  return { rule: 'redundantConstraint', subject };
}

type Collated = Required<Pick<KeyColumn, 'column' | 'descending'>> & { readonly collation: string };

function describePrimaryKey(table: TableDefinition, { primaryKey }: TableKeys): readonly Facet[] {
  if (primaryKey === undefined) return [];
  const isAlias = isRowidAlias(table);
  // A rowid has no direction and no collation of its own.
  const columns = isAlias
    ? primaryKey.columns.map(({ column }) => foldIdentifier(column))
    : primaryKey.columns.map((part) => collate(part, table));
  const conflict = primaryKey.conflict ?? 'abort';
  return [
    {
      kind: 'primaryKey',
      key: '',
      value: JSON.stringify([columns, isAlias, primaryKey.autoincrement, conflict]),
      subject: nameList(primaryKey.columns.map(({ column }) => column)),
      text: () => renderConstraint({ ...primaryKey, name: undefined }, renderName),
      constraintName: primaryKey.name,
      level: primaryKey.level,
    },
  ];
}

function describeUniques(table: TableDefinition, { primaryKey, uniques }: TableKeys): Description {
  const facets = uniques.map((unique): Facet => ({
    kind: 'unique',
    key: columnSet(unique.columns, table),
    value: unique.conflict ?? 'abort',
    subject: nameList(unique.columns.map(({ column }) => column)),
    text: () => renderConstraint({ ...unique, name: undefined }, renderName),
    source: JSON.stringify(unique.columns.map(({ column }) => foldIdentifier(column))),
    spelling: 'keyColumnOrder',
    constraintName: unique.name,
    level: unique.level,
  }));
  const ofPrimaryKey = primaryKey === undefined ? undefined : columnSet(primaryKey.columns, table);
  return {
    facets: facets.filter(({ key }) => key !== ofPrimaryKey),
    remarks: facets.filter(({ key }) => key === ofPrimaryKey).map(remarkRedundant),
  };
}

function describeCheck(check: TableKeys['checks'][number]): Facet {
  return {
    kind: 'check',
    key: '',
    value: comparableExpression(check.expression),
    subject: check.name ?? `CHECK (${check.expression})`,
    text: () => renderConstraint({ ...check, name: undefined }, renderName),
    source: check.expression,
    constraintName: check.name,
    level: check.level,
  };
}

function describeForeignKey(foreignKey: TableKeys['foreignKeys'][number]): Facet {
  const { columns, target } = foreignKey;
  const pairs = columns
    .map((column, at) => [foldIdentifier(column), foldIdentifier(target.columns[at] ?? '')] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : Number(left > right)));
  const isOrdered = target.columns.length === 0;
  return {
    kind: 'foreignKey',
    key: JSON.stringify(pairs.map(([column]) => column)),
    value: JSON.stringify([foldIdentifier(target.table), ...effectOf(target)]),
    parentKey: isOrdered ? '' : JSON.stringify(pairs),
    subject: nameList(columns),
    text: () => renderConstraint({ ...foreignKey, name: undefined }, renderName),
    source: JSON.stringify(columns.map(foldIdentifier)),
    spelling: 'keyColumnOrder',
    constraintName: foreignKey.name,
    level: foreignKey.level,
  };
}

function effectOf(target: ForeignKeyTarget): readonly (string | boolean)[] {
  return [target.onDelete ?? 'noAction', target.onUpdate ?? 'noAction', isDeferred(target)];
}

function isDeferred({ deferral }: ForeignKeyTarget): boolean {
  return deferral?.deferrable === true && deferral.initially === 'deferred';
}

function listClausesWithoutEffect(keys: TableKeys): readonly AppliedRule[] {
  const withConflict = [...(keys.primaryKey === undefined ? [] : [keys.primaryKey]), ...keys.uniques];
  const aborting = withConflict
    .filter(({ conflict }) => conflict === 'abort')
    .map(({ columns }) => columns.map(({ column }) => column));
  const idle = keys.foreignKeys.filter(({ target }) => hasIdleClause(target)).map(({ columns }) => columns);
  return [...aborting, ...idle].map((columns) => ({ rule: 'noEffect', subject: nameList(columns) }));
}

function hasIdleClause(target: ForeignKeyTarget): boolean {
  const isIdleDeferral = target.deferral !== undefined && !isDeferred(target);
  return (
    target.match !== undefined ||
    isIdleDeferral ||
    target.onDelete === 'noAction' ||
    target.onUpdate === 'noAction'
  );
}

function columnSet(columns: readonly KeyColumn[], table: TableDefinition): string {
  const parts = columns.map((part) => collate({ ...part, descending: false }, table));
  return JSON.stringify([...new Set(parts.map((part) => JSON.stringify(part)))].toSorted());
}

function collate(part: KeyColumn, table: TableDefinition): Collated {
  const column = table.columns.find(({ name }) => isSameName(name, part.column));
  const collation = foldIdentifier(part.collation ?? column?.collation ?? 'binary');
  return { column: foldIdentifier(part.column), collation, descending: part.descending };
}

function nameList(names: readonly string[]): string {
  return names.join(', ');
}
