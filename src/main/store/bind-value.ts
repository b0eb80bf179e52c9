import type { SqlValue } from '#shared/model/sql-value.ts';

/** A value as a parameter: text that is not UTF-8 goes in as bytes. */
export function bindValue(value: SqlValue): { readonly sql: string; readonly bound: unknown } {
  const isRaw = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  return isRaw ? { sql: 'cast(? as text)', bound: value.textBytes } : { sql: '?', bound: value };
}
