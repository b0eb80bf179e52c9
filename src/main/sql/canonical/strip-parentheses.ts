import type { Lexeme } from './lexeme.ts';
import { AND, EQUALITY, LOOSEST, OPERAND, OR, precedenceAt } from './precedence.ts';

/**
 * Takes out the parentheses that change nothing: around one operand, around a whole expression, and where the
 * operators bind that way anyhow. When in doubt they stay.
 */
export function stripParentheses(lexemes: readonly Lexeme[]): readonly Lexeme[] {
  const groups = findGroups(lexemes);
  const dropped = new Set<number>();
  for (const group of groups) {
    if (isRedundant(lexemes, group, dropped)) {
      dropped.add(group.open);
      dropped.add(group.close);
    }
  }
  return dropped.size === 0 ? lexemes : lexemes.filter((_, at) => !dropped.has(at));
}

interface Group {
  readonly open: number;
  readonly close: number;
}

/** Innermost first, so that what is judged has clean contents. */
function findGroups(lexemes: readonly Lexeme[]): readonly Group[] {
  const groups: Group[] = [];
  const opened: number[] = [];
  for (const [at, { text, kind }] of lexemes.entries()) {
    if (kind !== 'operator') continue;
    if (text === '(') opened.push(at);
    const open = text === ')' ? opened.pop() : undefined;
    if (open !== undefined) groups.push({ open, close: at });
  }
  return groups;
}

/** Keywords that may stand before a parenthesis that groups, rather than calls, lists or selects. */
const OPENERS: ReadonlySet<string> = new Set(
  'AND OR NOT IS BETWEEN ESCAPE CASE WHEN THEN ELSE WHERE ON HAVING DISTINCT'.split(' '),
);

function isRedundant(lexemes: readonly Lexeme[], group: Group, dropped: ReadonlySet<number>): boolean {
  const before = previousKept(lexemes, group.open, dropped);
  const content = contentOf(lexemes, group, dropped);
  if (content === undefined || !canGroup(lexemes, before) || isRowOfValues(lexemes, group)) return false;
  if (content === OPERAND) return true;

  const left = before < 0 ? LOOSEST : bindingOf(lexemes, before);
  const right = bindingOf(lexemes, nextKept(lexemes, group.close, dropped));
  const isChain = content === AND || content === OR;
  return (content > left || (isChain && content === left)) && content >= right;
}

function canGroup(lexemes: readonly Lexeme[], before: number): boolean {
  const lexeme = lexemes[before];
  if (lexeme === undefined) return true;
  if (lexeme.kind === 'keyword') return OPENERS.has(lexeme.text);
  return lexeme.text === '(' || lexeme.text === ',' || precedenceAt(lexemes, before) > LOOSEST;
}

/** The loosest operator inside, outside of deeper parentheses and CASE; nothing for lists and selects. */
function contentOf(
  lexemes: readonly Lexeme[],
  group: Group,
  dropped: ReadonlySet<number>,
): number | undefined {
  const depth = { parentheses: 0, cases: 0 };
  let loosest = OPERAND;
  for (let at = group.open + 1; at < group.close; at += 1) {
    const lexeme = lexemes[at];
    if (lexeme === undefined || dropped.has(at)) continue;
    const isOutermost = depth.parentheses === 0 && depth.cases === 0;
    if (isOutermost && opensNoExpression(lexeme)) return undefined;
    if (isOutermost) loosest = Math.min(loosest, bindingOf(lexemes, at) || OPERAND);
    count(depth, lexeme);
  }
  return group.close === group.open + 1 ? undefined : loosest;
}

function opensNoExpression({ kind, text }: Lexeme): boolean {
  if (kind === 'operator') return text === ',' || text === ';';
  return kind !== 'name' && kind !== 'literal' && NO_EXPRESSION.has(text.toUpperCase());
}

const NO_EXPRESSION: ReadonlySet<string> = new Set(
  'SELECT VALUES WITH JOIN AS ORDER PARTITION ASC DESC'.split(' '),
);

function count(depth: { parentheses: number; cases: number }, { kind, text }: Lexeme): void {
  if (kind === 'operator' && text === '(') depth.parentheses += 1;
  if (kind === 'operator' && text === ')') depth.parentheses -= 1;
  if (kind === 'keyword' && text === 'CASE') depth.cases += 1;
  if (kind === 'softWord' && text === 'END') depth.cases -= 1;
}

/** Like `precedenceAt`, but the AND of a BETWEEN binds as the BETWEEN does. */
function bindingOf(lexemes: readonly Lexeme[], at: number): number {
  const precedence = precedenceAt(lexemes, at);
  return precedence === AND && belongsToBetween(lexemes, at) ? EQUALITY : precedence;
}

function belongsToBetween(lexemes: readonly Lexeme[], and: number): boolean {
  let depth = 0;
  let pending = 1;
  for (let at = and - 1; at >= 0 && depth >= 0; at -= 1) {
    const lexeme = lexemes[at];
    if (lexeme?.kind === 'operator' && lexeme.text === ')') depth += 1;
    if (lexeme?.kind === 'operator' && lexeme.text === '(') depth -= 1;
    if (depth !== 0 || lexeme?.kind !== 'keyword') continue;
    if (lexeme.text === 'BETWEEN') pending -= 1;
    if (lexeme.text === 'AND') pending += 1;
    if (pending === 0) return true;
  }
  return false;
}

// `values (1), (2)`: those parentheses make rows.
function isRowOfValues(lexemes: readonly Lexeme[], group: Group): boolean {
  let depth = 0;
  for (let at = group.open - 1; at >= 0; at -= 1) {
    const text = lexemes[at]?.text;
    if (text === ')') depth += 1;
    if (text === '(') depth -= 1;
    if (depth < 0) return false;
    if (depth === 0 && text === 'VALUES') return true;
    if (depth === 0 && text !== '(' && text !== ',') return false;
  }
  return false;
}

function previousKept(lexemes: readonly Lexeme[], from: number, dropped: ReadonlySet<number>): number {
  let at = from - 1;
  while (at >= 0 && dropped.has(at)) at -= 1;
  return lexemes[at] === undefined ? -1 : at;
}

function nextKept(lexemes: readonly Lexeme[], from: number, dropped: ReadonlySet<number>): number {
  let at = from + 1;
  while (lexemes[at] !== undefined && dropped.has(at)) at += 1;
  return at;
}
