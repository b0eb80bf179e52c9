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
  switch (lexeme?.kind) {
    case 'operator':
      return isSignAt(lexemes, at) ? SIGN : precedenceOf(BY_OPERATOR, lexeme.text);
    case 'keyword':
      return isPartOfTest(lexemes, at) ? EQUALITY : precedenceOf(BY_WORD, lexeme.text.toLowerCase());
    case 'softWord':
      return isOperatorWord(lexemes, at) ? precedenceOf(BY_WORD, lexeme.folded) : LOOSEST;
    default:
      return LOOSEST;
  }
}

function precedenceOf(operators: ReadonlyMap<string, number>, operator: string): number {
  return operators.get(operator) ?? LOOSEST;
}

function isSignAt(lexemes: readonly Lexeme[], at: number): boolean {
  const text = lexemes[at]?.text;
  return (text === '-' || text === '+') && !endsOperandAt(lexemes, at - 1);
}

/** Of a NOT, whether it belongs to what follows: `x NOT IN`, `x IS NOT`. */
function isPartOfTest(lexemes: readonly Lexeme[], at: number): boolean {
  if (!isNot(lexemes[at])) return false;
  return lexemes[at - 1]?.text === 'IS' || endsOperandAt(lexemes, at - 1);
}

/** Without something on its left, LIKE and its like are functions or names. */
function isOperatorWord(lexemes: readonly Lexeme[], at: number): boolean {
  return endsOperandAt(lexemes, isNot(lexemes[at - 1]) ? at - 2 : at - 1);
}

/** Whether an operand can end with the lexeme at `at`, so that what follows is an operator and not a sign or a start. */
export function endsOperandAt(lexemes: readonly Lexeme[], at: number): boolean {
  const lexeme = lexemes[at];
  if (lexeme?.kind !== 'softWord' || !OPERATOR_WORDS.has(lexeme.folded)) return endsOperand(lexeme);
  // In `a like like`, the second is a name. Of more in a row than anybody writes, no word is looked at.
  let from = at;
  while (at - from < OPERATOR_WORDS_MAX && isOperatorLike(lexemes[from - 1])) from -= 1;
  const isFirstOperator = endsOperand(lexemes[isNot(lexemes[from - 1]) ? from - 2 : from - 1]);
  return ((at - from) % 2 === 1) === isFirstOperator;
}

const OPERATOR_WORDS_MAX = 8;

function isNot(lexeme: Lexeme | undefined): boolean {
  return lexeme?.kind === 'keyword' && lexeme.text === 'NOT';
}

function isOperatorLike(lexeme: Lexeme | undefined): boolean {
  return lexeme?.kind === 'softWord' && OPERATOR_WORDS.has(lexeme.folded);
}

function endsOperand(lexeme: Lexeme | undefined): boolean {
  if (lexeme === undefined) return false;
  if (lexeme.kind === 'operator') return lexeme.text === ')';
  if (lexeme.kind === 'softWord') return lexeme.folded !== 'by';
  return lexeme.kind !== 'keyword' || OPERAND_KEYWORDS.has(lexeme.text);
}

const OPERATOR_WORDS: ReadonlySet<string> = new Set(['like', 'glob', 'match', 'regexp']);

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
