import type { TriggerDefinition } from './ast.ts';
import { foldIdentifier } from './fold-identifier.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant, type Token } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

/** What a trigger's body does to its surroundings, by its words. */
export interface TriggerEffects {
  /** Folded names of the tables and views that it writes to, each once. */
  readonly writes: readonly string[];
  /** Whether it can refuse the row that fires it, or pass it over. */
  readonly raises: boolean;
}

/** Reads what a trigger writes to, and whether it raises. */
export function triggerEffects({ when, body }: TriggerDefinition): TriggerEffects {
  const statements = body.map(significant);
  const writes = statements.flatMap((tokens) => writtenBy(tokens) ?? []);
  const texts = when === undefined ? statements : [significant(when), ...statements];
  return { writes: [...new Set(writes)], raises: texts.some(callsRaise) };
}

const significant = (sql: string): readonly Token[] => scanTokens(sql).filter(isSignificant);

/** Null for a SELECT. */
function writtenBy(tokens: readonly Token[]): string | null {
  const verb = verbOf(tokens);
  const at = verb === null ? -1 : targetOf(tokens, verb);
  const target = at < 0 ? undefined : tokens[at];
  return target === undefined ? null : foldIdentifier(unquoteIdentifier(target.text));
}

const VERBS: ReadonlySet<string> = new Set(['insert', 'replace', 'update', 'delete', 'select', 'values']);

/** Place of the statement's verb: what comes before it is WITH and its selects in parentheses. */
function verbOf(tokens: readonly Token[]): number | null {
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.text === '(') depth += 1;
    else if (token.text === ')') depth -= 1;
    else if (depth === 0 && VERBS.has(wordOf(token))) return at;
  }
  return null;
}

/** Place of the name that is written to: INSERT OR x INTO t, REPLACE INTO t, UPDATE OR x t, DELETE FROM t. */
function targetOf(tokens: readonly Token[], verb: number): number {
  switch (wordOf(tokens[verb])) {
    case 'insert':
    case 'replace':
      return tokens.findIndex((token, at) => at > verb && wordOf(token) === 'into') + 1;
    case 'update':
      return wordOf(tokens[verb + 1]) === 'or' ? verb + 3 : verb + 1;
    case 'delete':
      return verb + 2;
    default:
      return -1;
  }
}

const callsRaise = (tokens: readonly Token[]): boolean =>
  tokens.some((token, at) => wordOf(token) === 'raise' && tokens[at + 1]?.text === '(');

const wordOf = (token: Token | undefined): string =>
  token?.kind === 'word' ? foldIdentifier(token.text) : '';
