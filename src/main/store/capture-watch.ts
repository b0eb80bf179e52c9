import { foldIdentifier } from '../sql/fold-identifier.ts';
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
 * `recursive_triggers` is on, which it is not in other programs. So the rows in the way are noted before the insert;
 * the fold finds out which of them are gone.
 */
export function watchTrigger(
  db: StoreDatabase,
  watched: { readonly name: string; readonly subject: CaptureSubject },
): readonly CaptureTrigger[] {
  const { name, subject } = watched;
  const bodies = subject.uniques.flatMap((unique) => watchStatement(db, subject, unique));
  if (bodies.length === 0) return [];
  return [
    { name, sql: `create trigger ${name} before insert on ${subject.name} begin ${bodies.join(' ')} end` },
  ];
}

function watchStatement(db: StoreDatabase, subject: CaptureSubject, unique: UniqueFacts): readonly string[] {
  const { tbl, name, rid, keyOf } = subject;
  const collisions = collisionTerms(subject, unique);
  if (collisions === null || !canLookUp(db, subject, { unique, collisions })) return [];
  return [
    `insert into _concord_log (kind, tbl, rid, key, hlc) select ${LOG_KIND.watch}, ${tbl}, ${rid('t.')}, ${keyOf('t.')},` +
      ` (select ${TRIGGER_TIME} from _concord_state) from ${name} as t where (select capture from _concord_state) = 1` +
      ` and ${[...collisions, isOtherRow(subject)].join(' and ')};`,
  ];
}

/** A rowid that SQLite is still to give reads as -1 before the insert. */
const isOtherRow = ({ kind, key, rid }: CaptureSubject): string =>
  kind === TABLE_KIND.integerKey
    ? `(${rid('t.')} <> ${rid('new.')} or ${rid('new.')} = -1)`
    : keyDiffersExpression(key, 't.', 'new.');

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
