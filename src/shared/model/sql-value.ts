import { z } from 'zod';

/**
 * A value as SQLite stores it: INTEGER is a bigint, REAL a number, TEXT a string, BLOB bytes.
 * Text that is not UTF-8 is `RawText`, since a JavaScript string cannot hold it.
 */
export type SqlValue = null | bigint | number | string | Uint8Array | RawText;

/** Text whose bytes are not UTF-8. */
export interface RawText {
  readonly textBytes: Uint8Array;
}

/** A value in JSON, as formats.md says: what plain JSON cannot say exactly is tagged. */
export const JsonSqlValue = z.union([
  z.null(),
  z.string(),
  z.number(),
  z.strictObject({ int: z.string().regex(/^-?\d{1,19}$/) }),
  z.strictObject({ real: z.string() }),
  z.strictObject({ blob: z.string().regex(/^([0-9a-f]{2})*$/) }),
  z.strictObject({ text: z.string().regex(/^([0-9a-f]{2})*$/) }),
]);
export type JsonSqlValue = z.infer<typeof JsonSqlValue>;
