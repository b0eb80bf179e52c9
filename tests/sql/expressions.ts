import fc from 'fast-check';

import { quoteIdentifier } from '#main/sql/quote-identifier.ts';

/** Names that are operators, functions, types, collations or values elsewhere in the same expressions. */
export const COLUMNS = [
  'a',
  'key',
  'like',
  'end',
  'x y',
  'nocase',
  'integer',
  'lower',
  'true',
  'match',
  'naïve 🎵',
  'q"q',
] as const;

const spelt = (name: string): fc.Arbitrary<string> => {
  const quoted = [quoteIdentifier(name), `\`${name}\``, ...(name.includes(']') ? [] : [`[${name}]`])];
  const isBare = /^[a-z]+$/.test(name);
  return fc.constantFrom(...quoted, ...(isBare ? [name, name.toUpperCase()] : []));
};

const column = fc
  .constantFrom(...COLUMNS)
  .chain((name) => fc.tuple(fc.constantFrom('', '', '', 't.', '"t" . ', 'T.'), spelt(name)))
  .map(([qualifier, name]) => qualifier + name);

/** Expressions over `COLUMNS` of a table `t`; SQLite takes most of them. */
export const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    column,
    fc.constantFrom("'a'", "'it''s key'", '1', 'null', "x'00'", '/* key */ 2', '-- like\n 3'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('=', '<>', '||', '+', ' like ', ' NOT LIKE ', ' glob ', ' is not ', ' and ', ' OR '),
        tie('expression'),
      )
      .map((parts) => parts.join(' ')),
    tie('expression').map((one) => `(${one})`),
    tie('expression').map((one) => `lower(${one})`),
    tie('expression').map((one) => `"lower" (${one})`),
    fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `like(${one}, ${other})`),
    tie('expression').map((one) => `cast(${one} as integer)`),
    tie('expression').map((one) => `CAST (${one} AS "a" (3))`),
    tie('expression').map((one) => `(${one}) collate nocase`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([one, two, three]) => `case ${one} when ${two} then ${three} else ${one} end`),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([one, two]) => `(${one}) between (${two}) and (${one})`),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([one, two]) => `(${one}) not in (${two}, 'a', ${one})`),
    tie('expression').map((one) => `(${one}) isnull`),
    tie('expression').map((one) => `not (${one})`),
    fc.tuple(tie('expression'), tie('expression')).map(([one, two]) => `iif(${one}, ${two}, -(${one}))`),
  ),
}));
