import fc from 'fast-check';
import { expect, test } from 'vitest';

import { compareStatements } from '#main/sql/compare-statements.ts';
import { isKeyword } from '#main/sql/keywords.ts';
import { quoteString } from '#main/sql/quote-string.ts';
import { scanTokens } from '#main/sql/scan-tokens.ts';
import { isSignificant, type Token } from '#main/sql/token.ts';
import { unquoteIdentifier } from '#main/sql/unquote-identifier.ts';
import { CORPUS } from './corpus.ts';

const definitions = CORPUS.filter(
  ({ sql }) =>
    /^(?:create|\/\*)/i.test(sql) && !/ (?:AS (?:SELECT|VALUES)|VIRTUAL)/.test(sql.split('(')[0] ?? ''),
);

// Where a bare name is a text, its case counts.
const respellable = definitions.filter(({ sql }) => !sql.includes('DEFAULT x'));

const gap = fc.constantFrom(' ', '\n', '\t ', ' /* c */ ', ' -- c\n', '/**/', '\r\n  ');

test.for(respellable)('G03: no respelling changes what is said: $title', ({ sql }) => {
  const tokens = scanTokens(sql).filter(isSignificant);
  const spelling = fc.tuple(gap, fc.nat({ max: 6 }));
  fc.assert(
    fc.property(fc.array(spelling, { minLength: tokens.length, maxLength: tokens.length }), (spellings) => {
      const respelt = tokens
        .map((token, at) => {
          const [before, choice] = spellings[at] ?? [' ', 0];
          return before + respell(token, choice);
        })
        .join('');
      const compared = compareStatements(sql, `${respelt} ;`);
      expect(compared).toMatchObject({ ok: true, value: { equal: true, differences: [] } });
      // Whatever is taken as equal is explained.
      expect(compared.ok ? compared.value.rules : []).not.toEqual([]);
      expect(compareStatements(respelt, sql)).toMatchObject({
        ok: true,
        value: { equal: true, differences: [] },
      });
    }),
    { numRuns: 20 },
  );
});

const withLiterals = definitions.filter(({ sql }) => scanTokens(sql).some(isText));

test.for(withLiterals)('a change inside of a text does: $title', ({ sql }) => {
  const tokens = scanTokens(sql);
  for (const [at, token] of tokens.entries()) {
    if (!isText(token)) continue;
    const changed = quoteString(`${unquoteIdentifier(token.text)}z`);
    const other = tokens.map(({ text }, position) => (position === at ? changed : text)).join('');
    expect(compareStatements(sql, other)).toMatchObject({ ok: true, value: { equal: false } });
  }
});

function isText({ kind }: Token): boolean {
  return kind === 'string';
}

function respell(token: Token, choice: number): string {
  if (token.kind === 'word') return choice % 2 === 0 ? flipCase(token.text) : requote(token.text, choice);
  if (token.kind !== 'quotedIdentifier' || isText(token)) return token.text;
  const name = unquoteIdentifier(token.text);
  return choice % 2 === 0 ? `"${name.replaceAll('"', '""')}"` : `\`${name.replaceAll('`', '``')}\``;
}

function flipCase(word: string): string {
  return word.replaceAll(/[A-Za-z]/g, (letter) =>
    letter < 'a' ? letter.toLowerCase() : letter.toUpperCase(),
  );
}

/** In quotes only what is known to be a name here, not a type, a value or a function. */
function requote(word: string, choice: number): string {
  const isName = /^(?:base|parent|base_view|config|visit|id|new|old|naïve|🎤|t|i|g|v|x|y)$/.test(word);
  if (!isName || isKeyword(word)) return word;
  return choice === 1 ? `"${word}"` : choice === 3 ? `[${word}]` : `\`${word}\``;
}
