import type { FindingKind } from '#shared/model/vocabulary.ts';

import type { TableDefinition } from '../sql/ast.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { checksOf, foreignKeysOf, type DefinedForeignKey } from '../sql/foreign-keys-of.ts';
import type { CatalogReader, ChangedTables, FileCatalog } from './catalog-read.ts';
import { keyOfDefinition } from './definition-key.ts';

/** What each row of a table is to keep, and a merge can break: a CHECK or a foreign key. */
export interface RowRule {
  readonly kind: Extract<FindingKind, 'check' | 'foreignKey'>;
  /** Tells it apart from others of its table. */
  readonly subject: string;
  readonly detail: string;
  readonly advice: string;
  /** SQL, true of a row `t` that breaks it. */
  readonly broken: string;
  /** Of a foreign key. */
  readonly parent: ParentKey | null;
}

/** The key that a foreign key refers to. */
export interface ParentKey {
  /** Folded. */
  readonly table: string;
  /** As defined there; empty where there is no such key. */
  readonly columns: readonly string[];
  /** The columns that refer, beside those they refer to. */
  readonly childColumns: readonly string[];
  /** Whether it is the primary key: the log knows of it which rows went. */
  readonly isPrimary: boolean;
}

/** The rules of one table. */
const rulesOf = (catalog: FileCatalog, table: TableDefinition): readonly RowRule[] => [
  ...foreignKeysOf(table).map((key) => foreignKeyRule(catalog, table, key)),
  ...checksOf(table).map(({ name, expression }): RowRule => ({
    kind: 'check',
    subject: name ?? expression,
    detail: `Rows of ${table.name} do not satisfy CHECK (${expression}).`,
    advice: `Change these rows so that they do, or drop the CHECK.`,
    broken: `not (${expression})`,
    parent: null,
  })),
];

function foreignKeyRule(
  catalog: FileCatalog,
  table: TableDefinition,
  { columns, target }: DefinedForeignKey,
): RowRule {
  const definition = catalog.tables.get(foldIdentifier(target.table))?.definition ?? null;
  const key = definition === null ? [] : keyOfDefinition(definition).map(({ name }) => name);
  const wanted = target.columns.length > 0 ? target.columns : key;
  const referred = definition !== null && wanted.length === columns.length ? wanted : [];
  const isSet = columns.map((column) => `t.${quoteIdentifier(column)} is not null`);
  // Compared as the parent's column stores and compares its values, as SQLite does.
  const equal = referred.map(
    (column, at) => `p.${quoteIdentifier(column)} = t.${quoteIdentifier(columns[at] ?? '')}`,
  );
  const missing =
    referred.length === 0
      ? []
      : [
          `not exists (select 1 from main.${quoteIdentifier(target.table)} as p where ${equal.join(' and ')})`,
        ];
  const at = `${target.table}${wanted.length === 0 ? '' : ` (${wanted.join(', ')})`}`;
  return {
    kind: 'foreignKey',
    subject: `(${columns.join(', ')}) references ${at}`,
    detail: `Rows of ${table.name} refer by ${columns.join(', ')} to rows of ${at} that are not there.`,
    advice: `Insert the missing rows of ${target.table}, or change or delete these; if they are still to come from a peer, this ends by itself.`,
    broken: [...isSet, ...missing].join(' and '),
    parent: {
      table: foldIdentifier(target.table),
      columns: referred,
      childColumns: columns,
      isPrimary: isSameList(referred, key),
    },
  };
}

const isSameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length > 0 &&
  left.length === right.length &&
  left.every((name, at) => isSameName(name, right[at] ?? ''));

/** Which tables have rules, and which are referred to. */
export interface RuleBook {
  /** By the folded name of the table that has them. */
  readonly rules: ReadonlyMap<string, readonly RowRule[]>;
  /** By the folded name of the parent: the folded names of the tables that refer to it. */
  readonly children: ReadonlyMap<string, ReadonlySet<string>>;
}

interface GrowingBook extends RuleBook {
  readonly rules: Map<string, readonly RowRule[]>;
  readonly children: Map<string, Set<string>>;
}

/** The rules of a whole catalog. Reads its definitions once. */
function ruleBookOf(catalog: FileCatalog): GrowingBook {
  const book: GrowingBook = { rules: new Map(), children: new Map() };
  for (const name of catalog.tables.keys()) addRules(book, catalog, name);
  return book;
}

function addRules({ rules, children }: GrowingBook, catalog: FileCatalog, name: string): void {
  const definition = catalog.tables.get(name)?.definition ?? null;
  const found = definition === null ? [] : rulesOf(catalog, definition);
  if (found.length > 0) rules.set(name, found);
  for (const { parent } of found) {
    if (parent === null) continue;
    const known = children.get(parent.table);
    if (known === undefined) children.set(parent.table, new Set([name]));
    else known.add(name);
  }
}

function removeRules({ rules, children }: GrowingBook, name: string): void {
  for (const { parent } of rules.get(name) ?? []) {
    if (parent === null) continue;
    const known = children.get(parent.table);
    known?.delete(name);
    if (known?.size === 0) children.delete(parent.table);
  }
  rules.delete(name);
}

/** A rule may name the key of its parent, so the rules of those that refer to a table change with it. */
function changeRules(book: GrowingBook, catalog: FileCatalog, tables: readonly string[]): void {
  const concerned = new Set(tables.flatMap((name) => [name, ...(book.children.get(name) ?? [])]));
  for (const name of concerned) removeRules(book, name);
  for (const name of concerned) addRules(book, catalog, name);
}

/** Reads the rules of a catalog when they are first asked for, and afterwards those of the tables that have changed. */
export function createRuleReader(catalog: CatalogReader): () => RuleBook {
  let known: { readonly of: ChangedTables; readonly upTo: number; readonly book: GrowingBook } | null = null;
  return () => {
    const now = catalog.read();
    const { changedTables: of } = now;
    const upTo = of.names.length;
    if (known?.of !== of) known = { of, upTo, book: ruleBookOf(now) };
    else if (known.upTo < upTo) {
      changeRules(known.book, now, of.names.slice(known.upTo));
      known = { ...known, upTo };
    }
    return known.book;
  };
}
