import type { Lexeme } from './lexeme.ts';

// How tightly SQLite's operators bind; 0 is no operator. Source: https://sqlite.org/lang_expr.html, section 2.

export const LOOSEST = 0;
export const OR = 1;
export const AND = 2;
const NOT = 3;
export const EQUALITY = 4;
const COLLATE = 11;
export const SIGN = 12;
export const OPERAND = 13;

const BY_OPERATOR: ReadonlyMap<string, number> = new Map([
  ['=', EQUALITY],
  ['<>', EQUALITY],
  ['<', 5],
  ['<=', 5],
  ['>', 5],
  ['>=', 5],
  ['&', 7],
  ['|', 7],
  ['<<', 7],
  ['>>', 7],
  ['+', 8],
  ['-', 8],
  ['*', 9],
  ['/', 9],
  ['%', 9],
  ['||', 10],
  ['->', 10],
  ['->>', 10],
  ['~', SIGN],
]);

const BY_WORD: ReadonlyMap<string, number> = new Map([
  ['or', OR],
  ['and', AND],
  ['not', NOT],
  ['is', EQUALITY],
  ['isnull', EQUALITY],
  ['notnull', EQUALITY],
  ['in', EQUALITY],
  ['between', EQUALITY],
  ['like', EQUALITY],
  ['glob', EQUALITY],
  ['match', EQUALITY],
  ['regexp', EQUALITY],
  ['escape', 6],
  ['collate', COLLATE],
]);

/** How tightly the operator at `at` binds; 0 when no operator stands there. */
export function precedenceAt(lexemes: readonly Lexeme[], at: number): number {
  const lexeme = lexemes[at];
  if (lexeme === undefined) return LOOSEST;
  const previous = lexemes[at - 1];
  if (lexeme.kind === 'operator') return precedenceOfOperator(lexeme.text, previous);
  if (lexeme.kind === 'keyword') return precedenceOfKeyword(lexeme.text, previous);
  // Without something on its left, LIKE and its like are functions or names.
  const isOperator = lexeme.kind === 'softWord' && (endsOperand(previous) || previous?.text === 'NOT');
  return isOperator ? (BY_WORD.get(lexeme.folded) ?? LOOSEST) : LOOSEST;
}

function precedenceOfOperator(text: string, previous: Lexeme | undefined): number {
  const isSign = (text === '-' || text === '+') && !endsOperand(previous);
  return isSign ? SIGN : (BY_OPERATOR.get(text) ?? LOOSEST);
}

function precedenceOfKeyword(text: string, previous: Lexeme | undefined): number {
  // `x NOT IN`, `x IS NOT`: there NOT is a part of a comparison.
  const isPartOfTest = text === 'NOT' && (endsOperand(previous) || previous?.text === 'IS');
  return isPartOfTest ? EQUALITY : (BY_WORD.get(text.toLowerCase()) ?? LOOSEST);
}

/** Whether an operand can end with this lexeme, so that what follows is an operator and not a sign or a start. */
export function endsOperand(lexeme: Lexeme | undefined): boolean {
  if (lexeme === undefined) return false;
  if (lexeme.kind === 'operator') return lexeme.text === ')';
  if (lexeme.kind === 'softWord') return !OPERATOR_WORDS.has(lexeme.folded);
  return lexeme.kind !== 'keyword' || OPERAND_KEYWORDS.has(lexeme.text);
}

const OPERATOR_WORDS: ReadonlySet<string> = new Set(['like', 'glob', 'match', 'regexp', 'by']);

const OPERAND_KEYWORDS: ReadonlySet<string> = new Set([
  'ISNULL',
  'NOTNULL',
  'NULL',
  'TRUE',
  'FALSE',
  'CURRENT_DATE',
  'CURRENT_TIME',
  'CURRENT_TIMESTAMP',
]);
