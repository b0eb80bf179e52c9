import type { Token, TokenKind } from './token.ts';

/**
 * Cuts SQL text into tokens as SQLite's own tokenizer does. Never fails: what is no token of the
 * language has kind `unknown`, an unfinished quotation up to the end of the text. The texts of the tokens, joined, are
 * the text.
 */
export function scanTokens(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  let start = 0;
  while (start < sql.length) {
    const { kind, end } = scanDelimited(sql, start) ?? scanPattern(sql, start);
    tokens.push({ kind, text: sql.slice(start, end), start, end });
    start = end;
  }
  return tokens;
}

interface Scanned {
  readonly kind: TokenKind;
  readonly end: number;
}

/** Quotations and comments: by search, since they can be as long as a text of many megabytes. */
function scanDelimited(sql: string, start: number): Scanned | undefined {
  switch (sql.charAt(start)) {
    case "'":
      return quotation('string', endOfQuotation(sql, start));
    case '"':
    case '`':
      return quotation('quotedIdentifier', endOfQuotation(sql, start));
    case '[':
      return quotation('quotedIdentifier', after(sql, ']', start));
    case '-':
      return sql.startsWith('--', start) ? { kind: 'comment', end: endOfLine(sql, start) } : undefined;
    case '/':
      // An unfinished comment runs to the end of the text, as in SQLite.
      return sql.startsWith('/*', start)
        ? { kind: 'comment', end: after(sql, '*/', start + 2) ?? sql.length }
        : undefined;
    default:
      return undefined;
  }

  function quotation(kind: TokenKind, end: number | undefined): Scanned {
    return end === undefined ? { kind: 'unknown', end: sql.length } : { kind, end };
  }
}

// A doubled quote stands for one; only a single one ends the quotation.
function endOfQuotation(sql: string, start: number): number | undefined {
  const quote = sql.charAt(start);
  let end = after(sql, quote, start + 1);
  while (end !== undefined && sql.charAt(end) === quote) end = after(sql, quote, end + 1);
  return end;
}

function endOfLine(sql: string, start: number): number {
  const end = sql.indexOf('\n', start);
  return end < 0 ? sql.length : end;
}

function after(sql: string, delimiter: string, from: number): number | undefined {
  const at = sql.indexOf(delimiter, from);
  return at < 0 ? undefined : at + delimiter.length;
}

// SQLite takes every byte from 0x80 on as a letter, so emoji need no quotes; a byte order mark is space.
const ID_START = 'A-Za-z_\\u0080-\\ufefe\\uff00-\\uffff';
const ID_PART = `${ID_START}\\ufeff0-9$`;
const DIGITS = '[0-9](?:_?[0-9])*';
const EXPONENT = `(?:[eE][-+]?${DIGITS})?`;
const DECIMAL = `(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})${EXPONENT}`;
const HEXADECIMAL = '0[xX][0-9A-Fa-f](?:_?[0-9A-Fa-f])*';

interface Rule {
  readonly kind: TokenKind;
  readonly pattern: RegExp;
}

/** The first that matches wins; the last takes what no other knows. */
const RULES: readonly Rule[] = [
  rule('space', '[ \\t\\n\\f\\r\\ufeff]+'),
  rule('blob', "[xX]'(?:[0-9A-Fa-f]{2})*'"),
  rule('unknown', "[xX]'[^']*'?"),
  rule('word', `[${ID_START}][${ID_PART}]*`),
  rule('number', `(?:${HEXADECIMAL}|${DECIMAL})(?![${ID_PART}])`),
  rule('unknown', `\\.?[0-9][${ID_PART}]*`),
  rule('parameter', `\\?[0-9]*|[:@#][${ID_PART}]+|\\$(?:[${ID_PART}]|::)+(?:\\([^ \\t\\n\\f\\r)]*\\))?`),
  rule('operator', '->>|->|\\|\\||<<|>>|<=|>=|<>|==|!=|[-+*/%&|~<>=(),.;]'),
  rule('unknown', '[^]'),
];

function scanPattern(sql: string, start: number): Scanned {
  for (const { kind, pattern } of RULES) {
    pattern.lastIndex = start;
    if (pattern.test(sql)) return { kind, end: pattern.lastIndex };
  }
  return { kind: 'unknown', end: start + 1 };
}

function rule(kind: TokenKind, source: string): Rule {
  return { kind, pattern: new RegExp(source, 'y') };
}
