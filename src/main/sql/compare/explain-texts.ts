import type { ComparisonRule } from '../comparison.ts';
import { foldIdentifier } from '../fold-identifier.ts';
import { isKeyword } from '../keywords.ts';
import { scanTokens } from '../scan-tokens.ts';
import type { Token, TokenKind } from '../token.ts';
import { unquoteIdentifier } from '../unquote-identifier.ts';

/** Names the rules of pure spelling in which two statements differ, whether or not they say the same. */
export function explainTexts(left: string, right: string): readonly ComparisonRule[] {
  const [leftTokens, rightTokens] = [scanTokens(left), scanTokens(right)];
  const rules: readonly (readonly [ComparisonRule, boolean])[] = [
    ['whiteSpace', textsOf(leftTokens, 'space') !== textsOf(rightTokens, 'space')],
    ['comments', textsOf(leftTokens, 'comment') !== textsOf(rightTokens, 'comment')],
    ['keywordCase', isSpeltOtherwise(keywordSpellings(leftTokens), keywordSpellings(rightTokens))],
    ['quoting', isSpeltOtherwise(nameQuotations(leftTokens), nameQuotations(rightTokens))],
    ['noEffect', countIdleWords(leftTokens) !== countIdleWords(rightTokens)],
  ];
  return rules.filter(([, isApplied]) => isApplied).map(([rule]) => rule);
}

/** All the text of one kind of token, to see whether two texts differ in it. */
export function textsOf(tokens: readonly Token[], kind: TokenKind): string {
  return JSON.stringify(tokens.filter((token) => token.kind === kind).map(({ text }) => text));
}

/** Words that say what is so without them too: ASC, BEFORE, FOR EACH ROW, GENERATED ALWAYS, VIRTUAL, IF NOT EXISTS. */
const IDLE_WORDS: ReadonlySet<string> = new Set(['asc', 'before', 'each', 'generated', 'virtual', 'if']);

function countIdleWords(tokens: readonly Token[]): string {
  const words = tokens.filter(({ kind, text }) => kind === 'word' && IDLE_WORDS.has(foldIdentifier(text)));
  return JSON.stringify(words.map(({ text }) => foldIdentifier(text)).toSorted());
}

type Spellings = ReadonlyMap<string, ReadonlySet<string>>;

function keywordSpellings(tokens: readonly Token[]): Spellings {
  const keywords = tokens.filter(({ kind, text }) => kind === 'word' && isKeyword(text));
  return gather(keywords.map(({ text }) => [foldIdentifier(text), text]));
}

function nameQuotations(tokens: readonly Token[]): Spellings {
  const names = tokens.filter(
    ({ kind, text }) => kind === 'quotedIdentifier' || (kind === 'word' && !isKeyword(text)),
  );
  return gather(
    names.map(({ kind, text }) => [
      foldIdentifier(unquoteIdentifier(text)),
      kind === 'word' ? '' : text.charAt(0),
    ]),
  );
}

function gather(entries: readonly (readonly [string, string])[]): Spellings {
  const spellings = new Map<string, ReadonlySet<string>>();
  for (const [key, spelling] of entries)
    spellings.set(key, new Set([...(spellings.get(key) ?? []), spelling]));
  return spellings;
}

function isSpeltOtherwise(left: Spellings, right: Spellings): boolean {
  return [...left].some(([key, spellings]) => {
    const others = right.get(key);
    return (
      others !== undefined &&
      (others.size !== spellings.size || [...others].some((one) => !spellings.has(one)))
    );
  });
}
