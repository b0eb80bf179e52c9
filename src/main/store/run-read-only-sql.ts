import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import type { JsonSqlValue } from '#shared/model/sql-value.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { unquoteIdentifier } from '../sql/unquote-identifier.ts';
import { openDatabase } from './open-database.ts';
import type { StoredValue } from './store-database.ts';

export interface ReadOnlyLimits {
  readonly rowsMax: number;
  /** Of the values as JSON. */
  readonly bytesMax: number;
}

export interface ReadOnlyRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly JsonSqlValue[])[];
  /** There are more rows than were asked for. */
  readonly truncated: boolean;
}

export type ReadOnlyError =
  | { readonly code: 'sql-error'; readonly message: string }
  | { readonly code: 'not-read-only' }
  | { readonly code: 'result-too-large'; readonly limitBytes: number };

/**
 * Runs one statement that gives rows, on a connection of its own that cannot write.
 *
 * Errors: `sql-error` with SQLite's message or that of opening the file, `not-read-only` for a statement that writes
 * or gives no rows, `result-too-large`.
 */
export function runReadOnlySql(
  path: string,
  sql: string,
  limits: ReadOnlyLimits,
): Result<ReadOnlyRows, ReadOnlyError> {
  if (namesBookkeeping(sql)) {
    const message =
      "The tables that begin with _concord_ are Concord's own: ask for what is in them by their screens.";
    return err({ code: 'sql-error', message });
  }
  const opened = openDatabase({ path, readOnly: true });
  if (!opened.ok) return err({ code: 'sql-error', message: opened.error.message });
  const db = opened.value;
  try {
    const statement = db.raw.prepare<[], StoredValue[]>(sql);
    if (!statement.readonly || !statement.reader) return err({ code: 'not-read-only' });
    const columns = statement.columns().map(({ name }) => name);
    const taken = takeRows(statement.safeIntegers(true).raw(true).iterate(), limits);
    return taken.ok ? ok({ columns, ...taken.value }) : taken;
  } catch (cause) {
    // SQLite's errors, and better-sqlite3's own about none or several statements.
    if (cause instanceof Error) return err({ code: 'sql-error', message: cause.message });
    throw cause;
  } finally {
    db.close();
  }
}

function namesBookkeeping(sql: string): boolean {
  return scanTokens(sql).some(
    ({ kind, text }) =>
      (kind === 'word' || kind === 'quotedIdentifier') && isBookkeepingName(unquoteIdentifier(text)),
  );
}

function takeRows(
  found: Iterable<readonly StoredValue[]>,
  { rowsMax, bytesMax }: ReadOnlyLimits,
): Result<Pick<ReadOnlyRows, 'rows' | 'truncated'>, ReadOnlyError> {
  const rows: JsonSqlValue[][] = [];
  let bytes = 0;
  for (const row of found) {
    if (rows.length === rowsMax) return ok({ rows, truncated: true });
    const values = row.map(sqlValueToJson);
    bytes += JSON.stringify(values).length;
    if (bytes > bytesMax) return err({ code: 'result-too-large', limitBytes: bytesMax });
    rows.push(values);
  }
  return ok({ rows, truncated: false });
}
