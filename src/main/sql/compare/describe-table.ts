import type { ColumnDefinition, NotNullClause, TableDefinition } from '../ast.ts';
import { renderColumn, renderDefault } from '../canonical/render-table.ts';
import { comparableExpression, canonicalExpression } from '../canonical-expression.ts';
import { canonicalType } from '../canonical-type.ts';
import { comparableDefault } from '../comparable-default.ts';
import type { AppliedRule, ComparisonRule } from '../comparison.ts';
import { foldIdentifier } from '../fold-identifier.ts';
import { renderName } from '../render-name.ts';
import { describeConstraints } from './describe-constraints.ts';
import { describeName, type Description, type Facet } from './facet.ts';
import { isImplicitlyNotNull, isRowidAlias, primaryKeyOf } from './table-keys.ts';

/** Says what a table says, apart from the order of its columns and from all that makes no difference to SQLite. */
export function describeTable(table: TableDefinition): Description {
  const known = latest.find((one) => one.table === table);
  if (known !== undefined) return known.description;
  const description = describe(table);
  latest = [{ table, description }, ...latest.slice(0, LATEST_MAX - 1)];
  return description;
}

// A plan compares the same two or three definitions several times over. Few are kept: of a large catalog they are big.
let latest: readonly { readonly table: TableDefinition; readonly description: Description }[] = [];

const LATEST_MAX = 4;

function describe(table: TableDefinition): Description {
  const key = readKeyFacts(table);
  const columns = table.columns.map((column) => describeColumn(column, key));
  const constraints = describeConstraints(table);
  return {
    facets: [
      describeName('name', table.name),
      ...columns.flatMap(({ facets }) => facets),
      ...constraints.facets,
      ...(table.strict ? [flag('strict', 'STRICT')] : []),
      ...(table.withoutRowid ? [flag('withoutRowid', 'WITHOUT ROWID')] : []),
    ],
    remarks: [...columns.flatMap(({ remarks }) => remarks), ...constraints.remarks],
  };
}

/** What the primary key makes of its columns. */
interface KeyFacts {
  readonly columns: ReadonlySet<string>;
  readonly isRowid: boolean;
  readonly isNotNull: boolean;
}

function readKeyFacts(table: TableDefinition): KeyFacts {
  const columns = primaryKeyOf(table)?.columns ?? [];
  return {
    columns: new Set(columns.map(({ column }) => foldIdentifier(column))),
    isRowid: isRowidAlias(table),
    isNotNull: isImplicitlyNotNull(table),
  };
}

function flag(kind: 'strict' | 'withoutRowid', text: string): Facet {
  return { kind, key: '', value: '', subject: '', text: () => text };
}

type Own = Pick<Facet, 'key' | 'column' | 'subject'>;

function describeColumn(column: ColumnDefinition, key: KeyFacts): Description {
  const name = foldIdentifier(column.name);
  const own: Own = { key: name, column: name, subject: column.name };
  const existence: Facet = {
    kind: 'column',
    key: name,
    value: '',
    subject: column.name,
    text: () => renderColumn(column, renderName),
    source: column.name,
    spelling: 'identifierCase',
  };
  const parts: readonly Description[] = [
    describeNotNull(column, own, key),
    describeDefault(column, own),
    describeCollation(column, own),
    describeGenerated(column, own),
  ];
  return {
    facets: [existence, describeType(column, own), ...parts.flatMap(({ facets }) => facets)],
    remarks: parts.flatMap(({ remarks }) => remarks),
  };
}

const NOTHING: Description = { facets: [], remarks: [] };

function remark(rule: ComparisonRule, { subject }: Own): Description {
  return { facets: [], remarks: [{ rule, subject }] };
}

function describeType({ type }: ColumnDefinition, own: Own): Facet {
  const value = canonicalType(type);
  return { ...own, kind: 'type', value, text: () => value, source: type, spelling: 'typeSpelling' };
}

function describeDefault({ defaultText }: ColumnDefinition, own: Own): Description {
  if (defaultText === undefined) return NOTHING;
  const value = comparableDefault(defaultText);
  if (value === undefined) return remark('defaultSpelling', own);
  const text = (): string => renderDefault(defaultText);
  const facet: Facet = {
    ...own,
    kind: 'default',
    value,
    text,
    source: defaultText,
    spelling: 'defaultSpelling',
  };
  return { facets: [facet], remarks: [] };
}

function describeCollation({ collation }: ColumnDefinition, own: Own): Description {
  if (collation === undefined) return NOTHING;
  const value = foldIdentifier(collation);
  if (value === 'binary') return remark('impliedCollation', own);
  const text = (): string => collation;
  return {
    facets: [{ ...own, kind: 'collation', value, text, source: collation, spelling: 'identifierCase' }],
    remarks: [],
  };
}

function describeGenerated({ generated }: ColumnDefinition, own: Own): Description {
  if (generated === undefined) return NOTHING;
  const { expression } = generated;
  const storage = generated.stored ? 'STORED' : 'VIRTUAL';
  const value = `${storage} ${comparableExpression(expression)}`;
  const text = (): string => `(${canonicalExpression(expression)}) ${storage}`;
  return { facets: [{ ...own, kind: 'generated', value, text, source: expression }], remarks: [] };
}

function describeNotNull({ notNull }: ColumnDefinition, own: Own, key: KeyFacts): Description {
  const isKey = key.columns.has(own.key);
  // A rowid is never NULL, said or not.
  if (isKey && key.isRowid) return { facets: [], remarks: remarkNotNull(notNull, own, true) };

  const isImplied = isKey && key.isNotNull;
  const clause = notNull ?? (isImplied ? {} : undefined);
  const facets = clause === undefined ? [] : [notNullFacet(clause, own)];
  return { facets, remarks: remarkNotNull(notNull, own, isImplied) };
}

function notNullFacet({ name, conflict = 'abort' }: NotNullClause, own: Own): Facet {
  const text = conflict === 'abort' ? 'NOT NULL' : `NOT NULL ON CONFLICT ${conflict.toUpperCase()}`;
  return { ...own, kind: 'notNull', value: conflict, text: () => text, constraintName: name };
}

function remarkNotNull(
  clause: NotNullClause | undefined,
  { subject }: Own,
  isImplied: boolean,
): readonly AppliedRule[] {
  if (clause === undefined) return [];
  const rules = [
    isImplied ? 'impliedNotNull' : undefined,
    clause.conflict === 'abort' ? 'noEffect' : undefined,
  ] as const;
  return rules.filter((rule) => rule !== undefined).map((rule) => ({ rule, subject }));
}
