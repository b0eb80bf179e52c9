import { scanTokens } from './scan-tokens.ts';
import { isSignificant } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

/**
 * Reads a written type as SQLite declares it: where the text starts with a quotation, that alone is the type.
 *
 * Source: `sqlite3AddColumn`, which dequotes the text of the type as if it were one name.
 */
export function declaredType(type: string): string {
  const first = scanTokens(type).find(isSignificant);
  const isQuoted = first?.kind === 'quotedIdentifier' || first?.kind === 'string';
  return isQuoted ? unquoteIdentifier(first.text) : type;
}
