import { foldIdentifier } from './fold-identifier.ts';
import { locateOffset } from './locate-offset.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant, type Token } from './token.ts';

export interface StatementText {
  /** Without the semicolon and without white space and comments around it. */
  readonly text: string;
  /** Offsets in UTF-16 units of `text` in what was split. */
  readonly start: number;
  readonly end: number;
  /** 1-based line on which the statement starts. */
  readonly line: number;
}

/**
 * Cuts a script into its statements. A trigger with its body is one statement; empty ones are dropped.
 *
 * Never fails: text that is not SQL ends up in a statement for SQLite to complain about.
 */
export function splitStatements(sql: string): readonly StatementText[] {
  const statements: StatementText[] = [];
  let pending: Token[] = [];
  for (const token of scanTokens(sql).filter(isSignificant)) {
    if (token.text !== ';') pending.push(token);
    else if (isInsideTrigger(pending)) pending.push(token);
    else pending = close(pending);
  }
  close(pending);
  return statements;

  function close(tokens: readonly Token[]): Token[] {
    const first = tokens.at(0);
    const last = tokens.at(-1);
    if (first !== undefined && last !== undefined) {
      const text = sql.slice(first.start, last.end);
      statements.push({ text, start: first.start, end: last.end, line: locateOffset(sql, first.start).line });
    }
    return [];
  }
}

// A trigger ends as in sqlite3_complete: with END right after a semicolon, which no CASE can write.
function isInsideTrigger(tokens: readonly Token[]): boolean {
  if (!startsTrigger(tokens)) return false;
  if (!tokens.some((token) => isWord(token, 'begin'))) return false;
  return !(isWord(tokens.at(-1), 'end') && tokens.at(-2)?.text === ';');
}

function startsTrigger(tokens: readonly Token[]): boolean {
  let at = 0;
  if (isWord(tokens[at], 'explain')) at += isWord(tokens[1], 'query') ? 3 : 1;
  if (!isWord(tokens[at], 'create')) return false;
  at += isWord(tokens[at + 1], 'temp') || isWord(tokens[at + 1], 'temporary') ? 2 : 1;
  return isWord(tokens[at], 'trigger');
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && foldIdentifier(token.text) === word;
}
