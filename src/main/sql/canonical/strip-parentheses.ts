import type { Lexeme } from './lexeme.ts';
import { AND, LOOSEST, OPERAND, OR } from './precedence.ts';
import { readStructure, type Structure } from './read-structure.ts';

/**
 * Takes out the parentheses that change nothing: around one operand, around a whole expression, and where the
 * operators bind that way anyhow. When in doubt they stay.
 *
 * Takes time in proportion to the text, however deep it is nested.
 */
export function stripParentheses(lexemes: readonly Lexeme[]): readonly Lexeme[] {
  const structure = readStructure(lexemes);
  const dropped = new Set<number>();
  const groups: Group[] = [];
  let group: Group = { open: -1, isExpression: true, loosest: undefined };

  for (const [at, lexeme] of lexemes.entries()) {
    const bracket = structure.brackets[at];
    if (bracket === 'opens') {
      groups.push(group);
      group = { open: at, isExpression: true, loosest: undefined };
    } else if (bracket === 'closes') {
      const isDropped = isRedundant({ lexemes, structure, group, close: at });
      if (isDropped) dropped.add(group.open).add(at);
      const inside = isDropped ? group.loosest : OPERAND;
      group = withOperator(groups.pop() ?? group, inside ?? OPERAND);
    } else {
      group = readOn(group, lexeme, structure.bindings[at] ?? LOOSEST);
    }
  }
  return dropped.size === 0 ? lexemes : lexemes.filter((_, at) => !dropped.has(at));
}

/** A parenthesis or a CASE, as far as it is read. */
interface Group {
  readonly open: number;
  /** Not a list and not a select. */
  readonly isExpression: boolean;
  /** How loosely its loosest operator binds; nothing while it is empty. */
  readonly loosest: number | undefined;
}

function readOn(group: Group, lexeme: Lexeme, binding: number): Group {
  if (isNoExpression(lexeme)) return { ...group, isExpression: false };
  return withOperator(group, binding === LOOSEST ? OPERAND : binding);
}

function withOperator(group: Group, binding: number): Group {
  return { ...group, loosest: Math.min(group.loosest ?? OPERAND, binding) };
}

function isNoExpression({ kind, text }: Lexeme): boolean {
  if (kind === 'operator') return text === ',' || text === ';';
  return kind !== 'name' && kind !== 'literal' && NO_EXPRESSION.has(text.toUpperCase());
}

const NO_EXPRESSION: ReadonlySet<string> = new Set(
  'SELECT VALUES WITH JOIN AS ORDER PARTITION ASC DESC'.split(' '),
);

interface Scene {
  readonly lexemes: readonly Lexeme[];
  readonly structure: Structure;
  readonly group: Group;
  readonly close: number;
}

function isRedundant(scene: Scene): boolean {
  const { structure, group } = scene;
  const canGo = group.isExpression && structure.rows[group.open] !== true && canGroup(scene);
  return canGo && group.loosest !== undefined && bindsAnyhow(scene, group.loosest);
}

/** Whether what is inside holds together against the operators on both sides. All of SQLite's bind to the left. */
function bindsAnyhow({ structure, group, close }: Scene, loosest: number): boolean {
  if (loosest === OPERAND) return true;
  const left = structure.bindings[group.open - 1] ?? LOOSEST;
  const right = structure.bindings[close + 1] ?? LOOSEST;
  const isChain = loosest === AND || loosest === OR;
  return (isChain ? loosest >= left : loosest > left) && loosest >= right;
}

/** Words that may stand before a parenthesis that groups, rather than calls, lists or selects. */
const OPENERS: ReadonlySet<string> = new Set(
  'AND OR NOT IS BETWEEN ESCAPE CASE WHEN THEN ELSE SELECT DISTINCT WHERE ON HAVING LIMIT BY OFFSET'.split(
    ' ',
  ),
);

function canGroup({ lexemes, structure, group }: Scene): boolean {
  if (lexemes[group.open]?.text !== '(') return false;
  const before = lexemes[group.open - 1];
  if (before === undefined) return true;
  const isOpener = before.kind !== 'name' && OPENERS.has(before.text.toUpperCase());
  if (before.kind === 'keyword') return isOpener;
  const binding = structure.bindings[group.open - 1] ?? LOOSEST;
  return isOpener || before.text === '(' || before.text === ',' || binding > LOOSEST;
}
