import type { TriggerDefinition, ViewDefinition } from './ast.ts';
import { foldIdentifier } from './fold-identifier.ts';
import { replaceNames, type NameChanges, type Replacement } from './rename-in-definition.ts';
import { isKeyword } from './keywords.ts';
import { scanTokens } from './scan-tokens.ts';
import { findTablePlaces } from './table-places.ts';
import { isSignificant, type Token, type TokenKind } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

// Word by word, without knowledge of scopes: for texts that SQLite itself cannot rename in, because they refer to
// something that is not there. Where a word may mean columns of several tables, a change in any of them counts.

/** Puts new names of tables and columns into a view, as far as words alone tell what they mean. The view keeps its own. */
export function renameInView(view: ViewDefinition, changes: NameChanges): ViewDefinition {
  return { ...view, select: renameInBody(view.select, { own: null, changes }) };
}

/** The same for a trigger: its table, the columns of UPDATE OF, its condition and its body. */
export function renameInTrigger(trigger: TriggerDefinition, changes: NameChanges): TriggerDefinition {
  const own = foldIdentifier(trigger.table);
  const context = { own, changes };
  const columns = changes.columns.get(own);
  const { when } = trigger;
  return {
    ...trigger,
    table: changes.tables.get(own) ?? trigger.table,
    columns: trigger.columns.map((column) => columns?.get(foldIdentifier(column)) ?? column),
    ...(when === undefined ? {} : { when: renameInBody(when, context) }),
    body: trigger.body.map((statement) => renameInBody(statement, context)),
  };
}

interface BodyContext {
  /** Folded name of the trigger's table: what NEW and OLD mean. */
  readonly own: string | null;
  readonly changes: NameChanges;
}

function renameInBody(text: string, context: BodyContext): string {
  const tokens = scanTokens(text).filter(isSignificant);
  const isTable = findTablePlaces(tokens);
  const replacements = tokens.flatMap((token, at): readonly Replacement[] => {
    if (token.kind !== 'word' && token.kind !== 'quotedIdentifier') return [];
    const name = unquoteIdentifier(token.text);
    const newName = isTable(at) ? newTableAt(tokens, at, context) : newNameAt(tokens, at, context);
    return newName === undefined ? [] : [{ name, start: token.start, end: token.end, newName }];
  });
  return replaceNames(text, replacements);
}

/** A table, or the schema in front of one, which stays. */
function newTableAt(tokens: readonly Token[], at: number, { changes }: BodyContext): string | undefined {
  return tokens[at + 1]?.text === '.' ? undefined : changes.tables.get(nameOf(tokens[at]));
}

function newNameAt(tokens: readonly Token[], at: number, context: BodyContext): string | undefined {
  const folded = nameOf(tokens[at]);
  const before = wordOf(tokens[at - 1]);
  const after = tokens[at + 1]?.text;
  if (before === '.') return qualifiedColumn(folded, nameOf(tokens[at - 2]), context);
  if (after === '.') return context.changes.tables.get(folded);
  if (before === 'collate' || before === 'as' || after === '(' || isAlias(tokens[at - 1])) return undefined;
  return anyColumn(folded, context);
}

/** Whether what stands before is an operand, so that a name behind it can only be an alias. */
function isAlias(before: Token | undefined): boolean {
  if (before === undefined) return false;
  if (before.kind === 'word') return !isKeyword(before.text);
  return before.text === ')' || OPERANDS.has(before.kind);
}

const OPERANDS: ReadonlySet<TokenKind> = new Set(['quotedIdentifier', 'string', 'number', 'blob']);

function qualifiedColumn(
  column: string,
  qualifier: string,
  { own, changes }: BodyContext,
): string | undefined {
  const table = own !== null && (qualifier === 'new' || qualifier === 'old') ? own : qualifier;
  const columns = changes.columns.get(table);
  if (columns !== undefined) return columns.get(column);
  // A table whose columns stay, or an alias.
  return table === own || changes.tables.has(table) ? undefined : anyColumn(column, { own, changes });
}

/** The trigger's own table comes last: in its body it is only meant by NEW and OLD, or where it is named. */
function anyColumn(column: string, { own, changes }: BodyContext): string | undefined {
  const others = [...changes.columns].filter(([table]) => table !== own).map(([, columns]) => columns);
  const found = others.find((columns) => columns.has(column))?.get(column);
  return found ?? (own === null ? undefined : changes.columns.get(own)?.get(column));
}

const nameOf = (token: Token | undefined): string =>
  token === undefined ? '' : foldIdentifier(unquoteIdentifier(token.text));

const wordOf = (token: Token | undefined): string => (token === undefined ? '' : foldIdentifier(token.text));
