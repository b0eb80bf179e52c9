import { foldIdentifier } from './fold-identifier.ts';
import type { Token } from './token.ts';

/**
 * Tells by the words around it whether SQLite takes the token at a place of a statement for the name of a table or another
 * object, or for the schema in front of one, if it is a name at all; `tokens` are the significant ones. There even 'x' is
 * a name.
 */
export function findTablePlaces(tokens: readonly Token[]): (at: number) => boolean {
  const places = new Set<number>();
  const levels: Level[] = [];
  let level: Level = 'other';
  for (const [at, token] of tokens.entries()) {
    const isListed = isInList(tokens, at, level);
    if (isListed || isAfterWord(tokens, at, level) || isAfterSchema(tokens, at, places)) places.add(at);
    if (token.text === '(') {
      levels.push(level);
      level = isListed ? 'from' : 'other';
    } else {
      level = token.text === ')' ? (levels.pop() ?? 'other') : nextLevel(level, token, tokens[at - 1]);
    }
  }
  return (at) => places.has(at);
}

/** What the words at one level of parentheses are about: tables of FROM, the condition of a join, anything else. */
type Level = 'from' | 'joined' | 'other';

function nextLevel(level: Level, token: Token, before: Token | undefined): Level {
  const word = wordOf(token);
  // `a is distinct from b` compares.
  if (word === 'from') return wordOf(before) === 'distinct' ? level : 'from';
  if (word === 'join' || (level === 'joined' && token.text === ',')) return 'from';
  if (level !== 'other' && (word === 'on' || word === 'using')) return 'joined';
  return ENDS.has(word) ? 'other' : level;
}

const ENDS: ReadonlySet<string> = new Set(
  'where group order limit having set select values union except intersect returning window default'.split(
    ' ',
  ),
);

/** Whether the list of a FROM begins or goes on here. */
function isInList(tokens: readonly Token[], at: number, level: Level): boolean {
  const before = tokens[at - 1];
  const word = wordOf(before);
  if (word === 'from') return wordOf(tokens[at - 2]) !== 'distinct';
  return word === 'join' || (level === 'from' && (before?.text === ',' || before?.text === '('));
}

function isAfterSchema(tokens: readonly Token[], at: number, places: ReadonlySet<number>): boolean {
  return tokens[at - 1]?.text === '.' && places.has(at - 2);
}

function isAfterWord(tokens: readonly Token[], at: number, level: Level): boolean {
  const word = wordOf(tokens[at - 1]);
  // Outside of a join, ON is the one of CREATE INDEX and CREATE TRIGGER.
  if (BEFORE_NAMES.has(word) || (word === 'on' && level === 'other')) return true;
  // `update or ignore t`
  return wordOf(tokens[at - 2]) === 'or' && wordOf(tokens[at - 3]) === 'update';
}

const BEFORE_NAMES: ReadonlySet<string> = new Set(
  'into update in table index view trigger exists references to'.split(' '),
);

function wordOf(token: Token | undefined): string {
  return token?.kind === 'word' ? foldIdentifier(token.text) : '';
}
