import type { Route } from './route-model.ts';

/** A sentence as parts: plain words, and names that are set in mono and may lead somewhere. */
export type Sentence = readonly SentencePart[];

export type SentencePart = string | NamePart;

export interface NamePart {
  readonly name: string;
  readonly to?: Route;
}

/** The sentence as one string, as it is read aloud, copied and compared in tests. */
export function sentenceText(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === 'string' ? part : part.name)).join('');
}

/** At most this many names are said; the rest is counted, so that a sentence stays one. */
const NAMES_MAX = 4;

/** `a`, `a and b`, `a, b and c`, `a, b, c and 9 more`. */
export function listed(names: readonly NamePart[]): Sentence {
  if (names.length > NAMES_MAX) {
    const shown = names.slice(0, NAMES_MAX - 1);
    return [...separated(shown, ', '), ` and ${names.length - shown.length} more`];
  }
  const last = names.at(-1);
  if (last === undefined) return [];
  if (names.length === 1) return [last];
  return [...separated(names.slice(0, -1), ', '), ' and ', last];
}

/** Joins clauses: `a`, `a, and b`, `a, b, and c`. */
export function joinedClauses(clauses: readonly Sentence[]): Sentence {
  return clauses.flatMap((clause, index) => {
    if (index === 0) return clause;
    return index === clauses.length - 1 ? [', and ', ...clause] : [', ', ...clause];
  });
}

function separated(names: readonly NamePart[], separator: string): Sentence {
  return names.flatMap((name, index) => (index === 0 ? [name] : [separator, name]));
}

const NAMED = /`([^`]+)`/;

/** Reads a host's sentence, in which names stand between backquotes. */
export function textToSentence(text: string): Sentence {
  return text
    .split(NAMED)
    .map((part, index): SentencePart => (index % 2 === 1 ? { name: part } : part))
    .filter((part) => part !== '');
}
