import { foldIdentifier } from '../sql/fold-identifier.ts';
import type { NameChanges } from '../sql/rename-in-definition.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { isSignificant, type Token } from '../sql/token.ts';
import { unquoteIdentifier } from '../sql/unquote-identifier.ts';

/**
 * Whether a text is another one with new names in it, word by word: what SQLite makes of the views, triggers and indexes
 * that name a table or column when that is renamed.
 */
export function isRenamedText(before: string, after: string, changes: NameChanges): boolean {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old.length === 0 || old.length !== now.length) return false;
  const newNames = collectNewNames(changes);
  return old.every((token, at) => {
    const other = now[at];
    return other !== undefined && (isSameWord(token, other) || isRenamed(token, other, newNames));
  });
}

/** Empty where the text cannot be read. */
function wordsOf(sql: string): readonly Token[] {
  const parsed = parseDdl(sql);
  return parsed.ok ? scanTokens(canonicalStatement(parsed.value)).filter(isSignificant) : [];
}

/** Folded old names to all that they may be now. */
function collectNewNames({ tables, columns }: NameChanges): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const [from, to] of [tables, ...columns.values()].flatMap((renamed) => [...renamed])) {
    const known = names.get(from) ?? new Set();
    names.set(from, known.add(foldIdentifier(to)));
  }
  return names;
}

const isName = ({ kind }: Token): boolean => kind === 'word' || kind === 'quotedIdentifier';

const nameOf = (token: Token): string => foldIdentifier(unquoteIdentifier(token.text));

function isSameWord(left: Token, right: Token): boolean {
  if (left.text === right.text) return true;
  if (isName(left) && isName(right)) return nameOf(left) === nameOf(right);
  // A renaming SQLite writes strings in double quotes as what they are.
  return (
    [left, right].every((token) => isName(token) || token.kind === 'string') &&
    unquoteIdentifier(left.text) === unquoteIdentifier(right.text)
  );
}

const isRenamed = (
  before: Token,
  after: Token,
  newNames: ReadonlyMap<string, ReadonlySet<string>>,
): boolean => isName(before) && isName(after) && newNames.get(nameOf(before))?.has(nameOf(after)) === true;
