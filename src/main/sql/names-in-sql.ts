import { scanTokens } from './scan-tokens.ts';
import { findTablePlaces } from './table-places.ts';
import { isSignificant } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

/**
 * Lists every name in a statement of any kind, without its quotes; keywords too. Texts are listed only where SQLite takes
 * them for the name of an object: of `insert into 'a' values ('b')` the first.
 */
export function namesInSql(sql: string): readonly string[] {
  const tokens = scanTokens(sql).filter(isSignificant);
  const isTable = findTablePlaces(tokens);
  return tokens.flatMap(({ kind, text }, at) => {
    const isName = kind === 'word' || kind === 'quotedIdentifier' || (kind === 'string' && isTable(at));
    return isName ? [unquoteIdentifier(text)] : [];
  });
}
