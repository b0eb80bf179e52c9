import { LOOSEST, precedenceAt } from './canonical/precedence.ts';
import { readStructure } from './canonical/read-structure.ts';
import { tokensToLexemes, type Lexeme } from './canonical/lexeme.ts';
import { foldIdentifier } from './fold-identifier.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant, type Token } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

/** A name in a text of SQL. Offsets in UTF-16 units, `end` excluded, quotes included. */
export interface NameInText {
  /** Without its quotes. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A name that means a column, with the table in front of its dot if there is one. */
export interface ColumnInText extends NameInText {
  readonly table: NameInText | undefined;
}

/**
 * Lists the columns that an expression of a definition names: a CHECK, a generated column, an index part, a WHERE.
 *
 * Left out: functions, collations, types after CAST AS, keywords, texts, numbers. What is left out for sure is no column;
 * what is listed may still be a text in double quotes, or TRUE, where the table has no column of that name.
 */
export function listExpressionNames(expression: string): readonly ColumnInText[] {
  const tokens = scanTokens(expression).filter(isSignificant);
  const lexemes = tokensToLexemes(tokens);
  const isType = findTypes(lexemes);
  const { brackets } = readStructure(lexemes);
  return tokens.flatMap((_, at) => {
    const isName = isNameAt(lexemes, at) && brackets[at] === undefined && !isType(at);
    return isName && lexemes[at + 1]?.text !== '.' ? [columnAt(tokens, at)] : [];
  });
}

/** The folded names of the columns that an expression names. */
export function columnsNamed(expression: string): ReadonlySet<string> {
  return new Set(listExpressionNames(expression).map(({ name }) => foldIdentifier(name)));
}

/** Whether the lexeme can be the name of a column, or of a table in front of a dot. */
function isNameAt(lexemes: readonly Lexeme[], at: number): boolean {
  const lexeme = lexemes[at];
  if (lexeme === undefined) return false;
  // Bare TRUE and FALSE are a column wherever the table has one of that name.
  const isTruth = lexeme.kind === 'keyword' && /^(?:TRUE|FALSE)$/.test(lexeme.text);
  if (lexeme.kind !== 'name' && lexeme.kind !== 'softWord' && !isTruth) return false;
  if (lexemes[at - 1]?.text === 'COLLATE' || isOperator(lexemes[at + 1], '(')) return false;
  return lexeme.kind !== 'softWord' || precedenceAt(lexemes, at) === LOOSEST;
}

function columnAt(tokens: readonly Token[], at: number): ColumnInText {
  const token = tokens[at];
  if (token === undefined) throw new Error('There is no token here.');
  const table = tokens[at - 1]?.text === '.' ? tokens[at - 2] : undefined;
  return { ...nameOf(token), table: table === undefined ? undefined : nameOf(table) };
}

function nameOf({ text, start, end }: Token): NameInText {
  return { name: unquoteIdentifier(text), start, end };
}

/** Tells the lexemes that are the type of a CAST: from its AS to its closing parenthesis. */
function findTypes(lexemes: readonly Lexeme[]): (at: number) => boolean {
  const types = new Set<number>();
  let depth = 0;
  let typeDepth: number | undefined;
  for (const [at, lexeme] of lexemes.entries()) {
    if (isOperator(lexeme, '(')) depth += 1;
    if (isOperator(lexeme, ')')) depth -= 1;
    if (typeDepth !== undefined && depth < typeDepth) typeDepth = undefined;
    if (typeDepth !== undefined) types.add(at);
    if (lexeme.kind === 'keyword' && lexeme.text === 'AS') typeDepth ??= depth;
  }
  return (at) => types.has(at);
}

function isOperator(lexeme: Lexeme | undefined, text: string): boolean {
  return lexeme?.kind === 'operator' && lexeme.text === text;
}
