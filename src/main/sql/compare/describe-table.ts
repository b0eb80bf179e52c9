import type { ColumnDefinition, NotNullClause, TableDefinition } from '../ast.ts';
import { renderColumn, renderDefault } from '../canonical/render-table.ts';
import { comparableExpression, canonicalExpression } from '../canonical-expression.ts';
import { canonicalType } from '../canonical-type.ts';
import { comparableDefault } from '../comparable-default.ts';
import type { AppliedRule } from '../comparison.ts';
import { foldIdentifier, isSameName } from '../fold-identifier.ts';
import { renderName } from '../render-name.ts';
import { describeConstraints } from './describe-constraints.ts';
import { describeName, type Description, type Facet } from './facet.ts';
import { isImplicitlyNotNull, isRowidAlias, primaryKeyOf } from './table-keys.ts';

/** Says what a table says, apart from the order of its columns and from all that makes no difference to SQLite. */
export function describeTable(table: TableDefinition): Description {
  const columns = table.columns.map((column) => describeColumn(column, table));
  const constraints = describeConstraints(table);
  const facets: readonly (Facet | undefined)[] = [
    describeName('name', table.name),
    ...columns.flatMap((column) => column.facets),
    ...constraints.facets,
    flag('strict', table.strict, 'STRICT'),
    flag('withoutRowid', table.withoutRowid, 'WITHOUT ROWID'),
  ];
  return {
    facets: facets.filter((facet) => facet !== undefined),
    remarks: [...columns.flatMap(({ remarks }) => remarks), ...constraints.remarks],
  };
}

function flag(kind: 'strict' | 'withoutRowid', isSet: boolean, text: string): Facet | undefined {
  return isSet ? { kind, key: '', value: '', subject: '', text } : undefined;
}

function describeColumn(column: ColumnDefinition, table: TableDefinition): Description {
  const subject = column.name;
  const name = foldIdentifier(column.name);
  const own = { key: name, column: name, subject };
  const notNull = describeNotNull(column, table);
  const defaultValue = comparableDefault(column.defaultText);
  const collation = foldIdentifier(column.collation ?? 'binary');
  const remarks: readonly (AppliedRule | undefined)[] = [
    ...notNull.remarks,
    column.defaultText !== undefined && defaultValue === undefined
      ? { rule: 'defaultSpelling', subject }
      : undefined,
    column.collation !== undefined && collation === 'binary'
      ? { rule: 'impliedCollation', subject }
      : undefined,
  ];
  const facets: readonly (Facet | undefined)[] = [
    {
      kind: 'column',
      key: name,
      value: '',
      subject,
      text: renderColumn(column, renderName),
      source: subject,
      spelling: 'identifierCase',
    },
    {
      ...own,
      kind: 'type',
      value: canonicalType(column.type),
      text: canonicalType(column.type),
      source: column.type,
      spelling: 'typeSpelling',
    },
    ...notNull.facets,
    defaultValue === undefined
      ? undefined
      : {
          ...own,
          kind: 'default',
          value: defaultValue,
          text: renderDefault(column.defaultText ?? ''),
          source: column.defaultText,
          spelling: 'defaultSpelling',
        },
    collation === 'binary'
      ? undefined
      : {
          ...own,
          kind: 'collation',
          value: collation,
          text: column.collation ?? '',
          source: column.collation,
          spelling: 'identifierCase',
        },
    describeGenerated(column, own),
  ];
  return {
    facets: facets.filter((facet) => facet !== undefined),
    remarks: remarks.filter((r) => r !== undefined),
  };
}

function describeGenerated(
  { generated }: ColumnDefinition,
  own: Pick<Facet, 'key' | 'column' | 'subject'>,
): Facet | undefined {
  if (generated === undefined) return undefined;
  const storage = generated.stored ? 'STORED' : 'VIRTUAL';
  return {
    ...own,
    kind: 'generated',
    value: `${storage} ${comparableExpression(generated.expression)}`,
    text: `(${canonicalExpression(generated.expression)}) ${storage}`,
    source: generated.expression,
  };
}

function describeNotNull(column: ColumnDefinition, table: TableDefinition): Description {
  const isKey = isKeyColumn(column, table);
  // A rowid is never NULL, said or not.
  if (isKey && isRowidAlias(table)) return { facets: [], remarks: remarkNotNull(column, true) };

  const isImplied = isKey && isImplicitlyNotNull(table);
  const clause = column.notNull ?? (isImplied ? {} : undefined);
  const remarks = remarkNotNull(column, isImplied);
  return { facets: clause === undefined ? [] : [notNullFacet(column.name, clause)], remarks };
}

function notNullFacet(subject: string, { name, conflict = 'abort' }: NotNullClause): Facet {
  const key = foldIdentifier(subject);
  const text = conflict === 'abort' ? 'NOT NULL' : `NOT NULL ON CONFLICT ${conflict.toUpperCase()}`;
  return { kind: 'notNull', key, column: key, value: conflict, subject, text, constraintName: name };
}

function remarkNotNull({ name, notNull }: ColumnDefinition, isImplied: boolean): readonly AppliedRule[] {
  if (notNull === undefined) return [];
  const rules = [
    isImplied ? 'impliedNotNull' : undefined,
    notNull.conflict === 'abort' ? 'noEffect' : undefined,
  ] as const;
  return rules.filter((rule) => rule !== undefined).map((rule) => ({ rule, subject: name }));
}

function isKeyColumn({ name }: ColumnDefinition, table: TableDefinition): boolean {
  return primaryKeyOf(table)?.columns.some(({ column }) => isSameName(column, name)) ?? false;
}
