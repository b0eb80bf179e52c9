import type { IndexPart, KeyColumn } from '../ast.ts';
import { foldIdentifier } from '../fold-identifier.ts';
import { isReservedWord } from '../keywords.ts';
import type { Token } from '../token.ts';
import { unquoteIdentifier } from '../unquote-identifier.ts';
import { readBalanced } from './read-balanced.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads one entry of an index: a column or an expression, with its collation and direction. */
export function readIndexPart(cursor: TokenCursor): IndexPart {
  const { from, tokens } = readBalanced(
    cursor,
    () => cursor.isAtOperator(',') || cursor.isAt('autoincrement'),
  );
  const direction = wordOf(tokens.at(-1));
  const hasDirection = tokens.length > 1 && (direction === 'asc' || direction === 'desc');
  const expression = hasDirection ? tokens.slice(0, -1) : tokens;
  const descending = hasDirection && direction === 'desc';

  const column = readColumn(expression);
  if (column !== undefined) return { kind: 'column', ...column, descending };
  return { kind: 'expression', expression: cursor.textBetween(from, from + expression.length), descending };
}

/** Reads `(a, b COLLATE nocase DESC)`, the columns of a key, of which none may be an expression. */
export function readKeyColumns(cursor: TokenCursor): readonly KeyColumn[] {
  cursor.expectOperator('(');
  const columns = readKeyColumnList(cursor);
  cursor.expectOperator(')');
  return columns;
}

/** The same without the parentheses. */
export function readKeyColumnList(cursor: TokenCursor): readonly KeyColumn[] {
  const columns: KeyColumn[] = [];
  do {
    const part = readIndexPart(cursor);
    if (part.kind === 'expression') cursor.fail('a key consists of columns, not of expressions');
    else columns.push({ column: part.column, collation: part.collation, descending: part.descending });
  } while (cursor.takeOperator(','));
  return columns;
}

interface CollatedColumn {
  readonly column: string;
  readonly collation?: string | undefined;
}

/** No more than this is looked through for a column; parentheses nested deeper make an expression of it. */
const COLUMN_TOKENS_MAX = 32;

function readColumn(tokens: readonly Token[]): CollatedColumn | undefined {
  if (tokens.length > COLUMN_TOKENS_MAX) return undefined;
  const inner = withoutParentheses(tokens);
  if (inner.length === 1) return nameOf(inner[0]);
  if (wordOf(inner.at(-2)) !== 'collate') return undefined;
  const column = readColumn(inner.slice(0, -2));
  const collation = nameOf(inner.at(-1));
  if (column === undefined || collation === undefined) return undefined;
  return { column: column.column, collation: collation.column };
}

function withoutParentheses(tokens: readonly Token[]): readonly Token[] {
  let inner = tokens;
  while (inner.at(0)?.text === '(' && inner.at(-1)?.text === ')' && closesAtEnd(inner))
    inner = inner.slice(1, -1);
  return inner;
}

function closesAtEnd(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const [at, { text }] of tokens.entries()) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (depth === 0) return at === tokens.length - 1;
  }
  return false;
}

function nameOf(token: Token | undefined): CollatedColumn | undefined {
  if (token === undefined) return undefined;
  const isName =
    token.kind === 'quotedIdentifier' ||
    token.kind === 'string' ||
    (token.kind === 'word' && !isReservedWord(token.text));
  return isName ? { column: unquoteIdentifier(token.text) } : undefined;
}

function wordOf(token: Token | undefined): string {
  return token?.kind === 'word' ? foldIdentifier(token.text) : '';
}
