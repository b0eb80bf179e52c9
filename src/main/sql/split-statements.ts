import { foldIdentifier } from './fold-identifier.ts';
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
 * Never fails: text that is not SQL ends up in a statement for SQLite to complain about. Takes time in proportion to
 * the text.
 */
export function splitStatements(sql: string): readonly StatementText[] {
  const statements: StatementText[] = [];
  const countLines = createLineCounter(sql);
  let pending: Token[] = [];
  let isBody = false;

  for (const token of scanTokens(sql)) {
    if (!isSignificant(token)) continue;
    if (token.text === ';' && !(isBody && !endsBody(pending))) close();
    else pending.push(token);
    isBody ||= isWord(token, 'begin') && startsTrigger(pending);
  }
  close();
  return statements;

  function close(): void {
    const first = pending.at(0);
    const last = pending.at(-1);
    if (first !== undefined && last !== undefined) {
      const { start } = first;
      statements.push({ text: sql.slice(start, last.end), start, end: last.end, line: countLines(start) });
    }
    pending = [];
    isBody = false;
  }
}

/** Answers with the line of each offset that is asked for; offsets must not fall. */
function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
      line += 1;
      counted = at + 1;
    }
    return line;
  };
}

// As in sqlite3_complete: with END right after a semicolon, which no CASE can write.
function endsBody(tokens: readonly Token[]): boolean {
  return isWord(tokens.at(-1), 'end') && tokens.at(-2)?.text === ';';
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
