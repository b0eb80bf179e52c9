import type { Token, TokenKind } from './token.ts';

// SQLite takes every byte from 0x80 on as a letter, so emoji need no quotes; a byte order mark is space.
const ID_START = 'A-Za-z_\\u0080-\\ufefe\\uff00-\\uffff';
const ID_PART = `${ID_START}\\ufeff0-9$`;
const DIGITS = '[0-9](?:_?[0-9])*';

interface Rule {
  readonly kind: TokenKind;
  readonly pattern: RegExp;
}

// The first rule that matches wins; the last one takes what no rule knows.
const RULES: readonly Rule[] = [
  rule('space', '[ \\t\\n\\f\\r\\ufeff]+'),
  // An unfinished block comment runs to the end of the text, as in SQLite.
  rule('comment', '--[^\\n]*|/\\*(?:[^*]|\\*(?!/))*(?:\\*/)?'),
  rule('blob', "[xX]'(?:[0-9A-Fa-f]{2})*'"),
  rule('unknown', "[xX]'[^']*'?"),
  rule('word', `[${ID_START}][${ID_PART}]*`),
  rule('string', "'(?:[^']|'')*'"),
  rule('quotedIdentifier', '"(?:[^"]|"")*"|`(?:[^`]|``)*`|\\[[^\\]]*\\]'),
  // An unfinished quotation swallows the rest.
  rule('unknown', '[\'"`\\[][^]*'),
  rule('number', numberSource()),
  rule('unknown', `\\.?[0-9][${ID_PART}]*`),
  rule('parameter', `\\?[0-9]*|[:@#][${ID_PART}]+|\\$(?:[${ID_PART}]|::)+(?:\\([^ \\t\\n\\f\\r)]*\\))?`),
  rule('operator', '->>|->|\\|\\||<<|>>|<=|>=|<>|==|!=|[-+*/%&|~<>=(),.;]'),
  rule('unknown', '[^]'),
];

/**
 * Cuts SQL text into tokens as SQLite's own tokenizer does. Never fails: what is no token of the
 * language has kind `unknown`. The texts of the tokens, joined, are the text.
 */
export function scanTokens(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  let start = 0;
  while (start < sql.length) {
    const { kind, end } = nextToken(sql, start);
    tokens.push({ kind, text: sql.slice(start, end), start, end });
    start = end;
  }
  return tokens;
}

function nextToken(sql: string, start: number): { readonly kind: TokenKind; readonly end: number } {
  for (const { kind, pattern } of RULES) {
    pattern.lastIndex = start;
    if (pattern.test(sql)) return { kind, end: pattern.lastIndex };
  }
  return { kind: 'unknown', end: start + 1 };
}

function numberSource(): string {
  const exponent = `(?:[eE][-+]?${DIGITS})?`;
  const decimal = `(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})${exponent}`;
  return `(?:0[xX][0-9A-Fa-f](?:_?[0-9A-Fa-f])*|${decimal})(?![${ID_PART}])`;
}

function rule(kind: TokenKind, source: string): Rule {
  return { kind, pattern: new RegExp(source, 'y') };
}
