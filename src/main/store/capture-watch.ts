import { foldIdentifier } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { isSignificant } from '../sql/token.ts';
import { unquoteIdentifier } from '../sql/unquote-identifier.ts';
import type { CaptureSubject, CaptureTrigger } from './capture-triggers.ts';
import { keyDiffersExpression } from './key-expression.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { StoreDatabase } from './store-database.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { ColumnFacts, UniqueFacts } from './table-facts.ts';
import { TRIGGER_TIME } from './trigger-time.ts';

/**
 * REPLACE deletes rows that collide in a secondary unique key without firing their delete trigger, unless
 * `recursive_triggers` is on, which it is not in other programs. So the rows in the way are noted before the insert, and before
 * an update of what a key is made of; the fold finds out which of them are gone.
 */
export function watchTriggers(
  db: StoreDatabase,
  watched: { readonly names: Record<'insert' | 'update', string>; readonly subject: CaptureSubject },
): readonly CaptureTrigger[] {
  const { names, subject } = watched;
  const watches = subject.uniques.flatMap((unique) => {
    const collisions = collisionTerms(subject, unique);
    return collisions === null || !canLookUp(db, subject, { unique, collisions })
      ? []
      : [{ collisions, madeOf: columnsOf(db, subject, unique) }];
  });
  // What is made of no column stays as it is whatever is updated.
  const updated = watches.filter(({ madeOf }) => madeOf.length > 0);
  return [
    ...trigger(watches, ({ collisions }) => [isOtherRow(subject), ...collisions], {
      name: names.insert,
      head: 'before insert',
    }),
    ...trigger(
      updated,
      ({ madeOf, collisions }) => [anyDiffers(madeOf), isThirdRow(subject), ...collisions],
      {
        name: names.update,
        head: `before update${columnList(subject, updated)}`,
      },
    ),
  ];

  function trigger(
    watching: readonly Watch[],
    termsOf: (watch: Watch) => readonly string[],
    { name, head }: { readonly name: string; readonly head: string },
  ): readonly CaptureTrigger[] {
    if (watching.length === 0) return [];
    const statements = watching.map((watch) => watchStatement(subject, termsOf(watch)));
    return [
      { name, sql: `create trigger ${name} ${head} on ${subject.name} begin ${statements.join(' ')} end` },
    ];
  }
}

interface Watch {
  /** True of a row that has the unique key of the new one. */
  readonly collisions: readonly string[];
  /** Columns that the key is made of. */
  readonly madeOf: readonly ColumnFacts[];
}

function watchStatement({ tbl, name, rid, keyOf }: CaptureSubject, terms: readonly string[]): string {
  return (
    `insert into _concord_log (kind, tbl, rid, key, hlc) select ${LOG_KIND.watch}, ${tbl}, ${rid('t.')}, ${keyOf('t.')},` +
    ` (select ${TRIGGER_TIME} from _concord_state) from ${name} as t where (select capture from _concord_state) = 1` +
    ` and ${terms.join(' and ')};`
  );
}

/**
 * The columns whose update is watched; nothing, and so all, where the rowid is among them: it can be set by names that no
 * such list knows.
 */
function columnList({ kind }: CaptureSubject, watches: readonly Watch[]): string {
  const columns = new Map(watches.flatMap(({ madeOf }) => madeOf.map((column) => [column.name, column])));
  const isRowidIn = kind === TABLE_KIND.integerKey && [...columns.values()].some(({ pk }) => pk > 0);
  return isRowidIn ? '' : ` of ${[...columns.keys()].map(quoteIdentifier).join(', ')}`;
}

/**
 * Exactly, since an index may compare otherwise than its column. Naming them here also makes SQLite read them before the update,
 * which it else does not do for the generated columns that are worked out from them.
 */
const anyDiffers = (columns: readonly ColumnFacts[]): string =>
  `(${columns.map(({ name }) => `old.${quoteIdentifier(name)} is not new.${quoteIdentifier(name)} collate binary`).join(' or ')})`;

/** A rowid that SQLite is still to give reads as -1 before the insert. */
const isOtherRow = ({ kind, key, rid }: CaptureSubject): string =>
  kind === TABLE_KIND.integerKey
    ? `(${rid('t.')} <> ${rid('new.')} or ${rid('new.')} = -1)`
    : keyDiffersExpression(key, 't.', 'new.');

/** Neither the row that is written nor the one whose identity it takes, which the update itself tells of. */
const isThirdRow = ({ kind, key, rid }: CaptureSubject): string =>
  kind === TABLE_KIND.integerKey
    ? `${rid('t.')} <> ${rid('old.')} and ${rid('t.')} <> ${rid('new.')}`
    : `${keyDiffersExpression(key, 't.', 'old.')} and ${keyDiffersExpression(key, 't.', 'new.')}`;

/** The columns that a unique key and its condition are worked out from, those that are stored; all where that cannot be told. */
function columnsOf(db: StoreDatabase, subject: CaptureSubject, unique: UniqueFacts): readonly ColumnFacts[] {
  const { columns, name } = subject.table;
  const parts = unique.columns.map((part) => part.expression ?? quoteIdentifier(part.name ?? ''));
  const named = new Set(namesIn(`${parts.join(' ')} ${unique.where ?? ''}`));
  const generated = columns.filter((column) => column.generated);
  if (generated.some((column) => named.has(foldIdentifier(column.name)))) {
    const expressions = generatedColumns(db, name);
    if (expressions === null) return columns.filter((column) => !column.generated);
    // What one is worked out from may be another.
    for (const _ of generated)
      for (const [column, expression] of expressions)
        if (named.has(column)) for (const each of namesIn(expression)) named.add(each);
  }
  return columns.filter((column) => !column.generated && named.has(foldIdentifier(column.name)));
}

/** Expressions of generated columns, by folded name; null where the table's text cannot be read. */
function generatedColumns(db: StoreDatabase, table: string): ReadonlyMap<string, string> | null {
  const sql = db
    .preparePluck<[string], string>(`select sql from sqlite_schema where type = 'table' and name = ?`)
    .get(table);
  const parsed = sql === undefined ? null : parseDdl(sql);
  if (parsed?.ok !== true || parsed.value.kind !== 'createTable') return null;
  return new Map(
    parsed.value.table.columns.flatMap(({ name, generated }) =>
      generated === undefined ? [] : [[foldIdentifier(name), generated.expression] as const],
    ),
  );
}

/** True where a row that is there has the unique key of the new one; null where a part of it cannot be read. */
function collisionTerms(subject: CaptureSubject, unique: UniqueFacts): readonly string[] | null {
  const terms = unique.columns.map(({ name, expression, collation }) => {
    const collate = `collate ${quoteIdentifier(collation)}`;
    if (name !== null)
      return `t.${quoteIdentifier(name)} = ${newValue(subject.table.columns, name)} ${collate}`;
    return expression === null
      ? null
      : `(${expression}) = ${ofNewRow(subject, unique, expression)} ${collate}`;
  });
  if (!terms.every((term) => term !== null)) return null;
  return [...terms, ...(unique.where === null ? [] : [`(${unique.where})`])];
}

/** What the new row will hold: OR REPLACE puts the default in the place of a NULL that is not allowed. */
function newValue(columns: readonly ColumnFacts[], name: string): string {
  const value = `new.${quoteIdentifier(name)}`;
  const instead = columns.find((column) => column.name === name)?.insteadOfNull ?? null;
  return instead !== null && LITERAL.test(instead) ? `coalesce(${value}, ${instead})` : value;
}

/** Defaults that mean the same in a trigger; a bare word is text there alone. */
const LITERAL = /^(?:'(?:[^']|'')*'|[xX]'[0-9a-fA-F]*'|[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)$/;

/**
 * An index's expression, worked out for the new row: its columns by their names, in a row of their own. Not where the
 * index passes the row over: there the expression may fail.
 */
function ofNewRow({ table }: CaptureSubject, { where }: UniqueFacts, expression: string): string {
  const named = namesIn(`${expression} ${where ?? ''}`);
  const columns = table.columns
    .filter(({ name }) => named.has(foldIdentifier(name)))
    .map(({ name }) => `${newValue(table.columns, name)} as ${quoteIdentifier(name)}`);
  const value = where === null ? `(${expression})` : `case when (${where}) then (${expression}) end`;
  return columns.length === 0 ? `(select ${value})` : `(select ${value} from (select ${columns.join(', ')}))`;
}

/** Folded names in an expression but those of functions. A column that is added later must not be taken for one of them. */
function namesIn(expression: string): ReadonlySet<string> {
  const tokens = scanTokens(expression).filter(isSignificant);
  const names = tokens.filter(({ kind }, at) => kind !== 'string' && tokens[at + 1]?.text !== '(');
  return new Set(names.map(({ text }) => foldIdentifier(unquoteIdentifier(text))));
}

/**
 * Whether the rows in the way are found by the index. Those of an expression that SQLite would look for through the whole
 * table, or that does not compile, are not watched: the application's inserts come first.
 */
function canLookUp(
  db: StoreDatabase,
  { name }: CaptureSubject,
  watch: { readonly unique: UniqueFacts; readonly collisions: readonly string[] },
): boolean {
  if (watch.unique.columns.every((part) => part.name !== null)) return true;
  try {
    const plan = db.raw
      .prepare<[], { readonly detail: string }>(
        `explain query plan select (select 1 from ${name} as t where ${watch.collisions.join(' and ')}) from (select * from ${name} as other limit 0) as new`,
      )
      .all();
    return !plan.some(({ detail }) => /^SCAN t\b/.test(detail));
  } catch {
    return false;
  }
}
