import { err, ok, type Result } from '#shared/result.ts';

import { locateOffset } from './locate-offset.ts';
import { scanTokens } from './scan-tokens.ts';
import type { Token } from './token.ts';

export interface LexError {
  readonly code: 'unterminated-token' | 'unknown-token';
  /** 1-based; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The first characters of what is no token. */
  readonly near: string;
}

/**
 * Cuts SQL text into tokens, or says where it stops being SQL. The texts of the tokens, joined, are the text.
 *
 * Errors:
 * - `unterminated-token`: a quotation that never ends.
 * - `unknown-token`: a character or number that SQL does not have; U+0000 anywhere.
 */
export function tokenize(sql: string): Result<readonly Token[], LexError> {
  const tokens = scanTokens(sql);
  // To SQLite a text ends at U+0000, even inside of a quotation.
  const stray = tokens.find(({ kind, text }) => kind === 'unknown' || text.includes('\0'));
  if (stray === undefined) return ok(tokens);
  const isUnfinished = stray.kind === 'unknown' && isUnterminated(stray.text);
  const code = isUnfinished ? 'unterminated-token' : 'unknown-token';
  return err({ code, ...locateOffset(sql, stray.start), near: stray.text.slice(0, NEAR_LENGTH_MAX) });
}

/** Long enough to recognise the place, short enough for one line. */
const NEAR_LENGTH_MAX = 40;

function isUnterminated(text: string): boolean {
  return /^['"`[]/.test(text) || /^[xX]'[^']*$/.test(text);
}
