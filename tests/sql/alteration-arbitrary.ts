import fc from 'fast-check';

import type { AlterAction, TableDefinition } from '#main/sql/ast.ts';
import { collation, column, constraint, defaultText, keyColumns, type } from './arbitraries.ts';

/** Alterations of a table, mostly of columns and constraints that it has. */
export function alteration(table: TableDefinition): fc.Arbitrary<AlterAction> {
  const names = table.columns.map(({ name }) => name);
  const own = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constant('nobody') },
  );
  const newName = fc.constantFrom('z', 'A', 'select', 'new "one"', '🎶', 'true');
  const constraintName = fc.constantFrom('n1', 'N 2', 'n3');
  const kind = <K extends AlterAction['kind']>(value: K): fc.Arbitrary<K> => fc.constant(value);
  return fc.oneof(
    fc.record({ kind: kind('addColumn'), column }),
    fc.record({ kind: kind('dropColumn'), column: own }),
    fc.record({
      kind: kind('renameColumn'),
      column: own,
      newName: fc.oneof(newName, fc.constantFrom(...names)),
    }),
    fc.record({ kind: kind('renameTable'), newName }),
    fc.record({ kind: kind('setDataType'), column: own, type: type.filter((text) => text !== '') }),
    fc.record({ kind: kind('setNotNull'), column: own }),
    fc.record({ kind: kind('dropNotNull'), column: own }),
    fc.record({ kind: kind('setDefault'), column: own, defaultText: defaultText.map((text) => text ?? '0') }),
    fc.record({ kind: kind('dropDefault'), column: own }),
    fc.record({
      kind: kind('setCollation'),
      column: own,
      collation: collation.map((text) => text ?? 'binary'),
    }),
    fc.record({ kind: kind('addConstraint'), constraint: constraint(names) }),
    fc.record({ kind: kind('dropUnnamedConstraint'), constraint: unnamed(table, names) }),
    fc.record({ kind: kind('dropConstraint'), name: constraintName }),
    fc.record({ kind: kind('renameConstraint'), name: constraintName, newName: constraintName }),
    fc.record({ kind: kind('alterPrimaryKey'), columns: keyColumns([...names, 'a']) }),
  );
}

/** Constraints without a name: those of the table, or any. */
function unnamed(table: TableDefinition, names: readonly string[]): fc.Arbitrary<Unnamed> {
  const own = table.constraints.flatMap((one) => (one.kind === 'primaryKey' ? [] : [one]));
  const any = constraint(names);
  return (own.length === 0 ? any : fc.oneof(any, fc.constantFrom(...own))).map((one) => ({
    ...one,
    name: undefined,
  }));
}

type Unnamed = Extract<AlterAction, { readonly kind: 'dropUnnamedConstraint' }>['constraint'];
