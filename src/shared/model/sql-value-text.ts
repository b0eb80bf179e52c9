import type { JsonSqlValue } from './sql-value.ts';

/** An SQL value as people write it. */
export function valueText(value: JsonSqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'number') return String(value);
  if ('int' in value) return value.int;
  if ('real' in value) return value.real;
  return 'blob' in value ? `x'${value.blob}'` : `text x'${value.text}'`;
}
