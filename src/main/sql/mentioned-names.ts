import type { DdlStatement } from './ast.ts';
import { canonicalStatement } from './canonical-statement.ts';
import { foldIdentifier } from './fold-identifier.ts';
import { isReservedWord } from './keywords.ts';
import { scanTokens } from './scan-tokens.ts';
import { findTablePlaces } from './table-places.ts';
import { isSignificant, type Token } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

export interface MentionedNames {
  /** Folded, each once, in the order in which they first stand in the statement. */
  readonly identifiers: readonly string[];
}

/**
 * Lists every name that a statement may mean a table or a column by. Names too much rather than too little: functions,
 * types, aliases and soft keywords are in it; string literals only where SQLite could take one for a table.
 */
export function mentionedNames(statement: DdlStatement): MentionedNames {
  const tokens = scanTokens(canonicalStatement(statement)).filter(isSignificant);
  const isTable = findTablePlaces(tokens);
  const names = tokens.filter((token, at) => isNameLike(token) || (token.kind === 'string' && isTable(at)));
  return { identifiers: [...new Set(names.map(({ text }) => foldIdentifier(unquoteIdentifier(text))))] };
}

function isNameLike({ kind, text }: Token): boolean {
  return kind === 'quotedIdentifier' || (kind === 'word' && !isReservedWord(text));
}
