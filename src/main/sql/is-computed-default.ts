import { foldIdentifier } from './fold-identifier.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant } from './token.ts';

/**
 * Whether a default may be another value each time and on each replica: it calls a function or asks for the time. With or
 * without its parentheses.
 */
export function isComputedDefault(text: string): boolean {
  const tokens = scanTokens(text).filter(isSignificant);
  return tokens.some(
    (token, at) =>
      token.kind === 'word' && (tokens[at + 1]?.text === '(' || TIMES.has(foldIdentifier(token.text))),
  );
}

const TIMES: ReadonlySet<string> = new Set(['current_date', 'current_time', 'current_timestamp']);
