import { err, ok, type Result } from '#shared/result.ts';

import type { DdlStatement } from './ast.ts';
import { locateOffset } from './locate-offset.ts';
import { readAlterTable } from './parse/read-alter-table.ts';
import { readCreateIndex } from './parse/read-create-index.ts';
import { readCreateTable } from './parse/read-create-table.ts';
import { readCreateTrigger } from './parse/read-create-trigger.ts';
import { readCreateView } from './parse/read-create-view.ts';
import { readCreateVirtualTable } from './parse/read-create-virtual-table.ts';
import { readDrop } from './parse/read-drop.ts';
import { createTokenCursor, type TokenCursor } from './parse/token-cursor.ts';
import { isSignificant, type Token } from './token.ts';
import { tokenize, type LexError } from './tokenize.ts';

export interface DdlError {
  readonly code: 'ddl-syntax';
  readonly message: string;
  /** 1-based; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The token that does not fit; '' at the end of the text. */
  readonly near: string;
}

/**
 * Reads one DDL statement of SQLite or of Concord's dialect, with or without a semicolon after it.
 *
 * Demands a right frame and leaves what is inside expressions, selects and bodies to SQLite: they only have to
 * balance. What SQLite accepts as DDL is read; some of what is read SQLite refuses.
 *
 * Errors:
 * - `ddl-syntax`: not one statement of DDL; says what was expected and where.
 */
export function parseDdl(text: string): Result<DdlStatement, DdlError> {
  const known = readTexts.get(text);
  if (known !== undefined) return known;
  const read = readText(text);
  if (readTexts.size >= KEPT_MAX) readTexts.clear();
  if (text.length <= KEPT_LENGTH_MAX) readTexts.set(text, read);
  return read;
}

// Whoever decides about a table reads the same few statements several times over.
const readTexts = new Map<string, Result<DdlStatement, DdlError>>();

/** Bounds memory, together. */
const KEPT_MAX = 200;
const KEPT_LENGTH_MAX = 5_000;

function readText(text: string): Result<DdlStatement, DdlError> {
  const tokens = tokenize(text);
  if (!tokens.ok) return err(lexErrorToDdlError(tokens.error));

  const cursor = createTokenCursor(text, withoutSemicolons(tokens.value));
  const statement = readStatement(cursor);
  if (!cursor.isAtEnd()) cursor.fail('expected the end of the statement');

  const failure = cursor.failure();
  if (failure === undefined) return ok(statement);
  const { message, offset, near } = failure;
  return err({ code: 'ddl-syntax', message, ...locateOffset(text, offset), near });
}

function withoutSemicolons(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex((token) => isSignificant(token) && token.text !== ';');
  return tokens.slice(0, last + 1);
}

function readStatement(cursor: TokenCursor): DdlStatement {
  if (cursor.take('create')) return readCreate(cursor);
  if (cursor.take('alter')) {
    cursor.expect('table');
    return readAlterTable(cursor);
  }
  if (!cursor.take('drop')) cursor.fail('expected CREATE, ALTER or DROP');
  return readDrop(cursor);
}

function readCreate(cursor: TokenCursor): DdlStatement {
  if (cursor.take('unique', 'index')) return readCreateIndex(cursor, true);
  if (cursor.take('index')) return readCreateIndex(cursor, false);
  if (cursor.take('virtual', 'table')) return readCreateVirtualTable(cursor);

  const temporary = cursor.take('temp') || cursor.take('temporary');
  if (cursor.take('view')) return readCreateView(cursor, temporary);
  if (cursor.take('trigger')) return readCreateTrigger(cursor, temporary);
  if (!cursor.take('table')) cursor.fail('expected TABLE, INDEX, VIEW or TRIGGER');
  return readCreateTable(cursor, temporary);
}

function lexErrorToDdlError({ code, line, column, near }: LexError): DdlError {
  const message = code === 'unterminated-token' ? 'a quotation that never ends' : 'not a part of SQL';
  return { code: 'ddl-syntax', message, line, column, near };
}
