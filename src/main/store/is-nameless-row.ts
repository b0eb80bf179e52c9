import type { FactBlock, TableReference } from '#shared/model/change-group.ts';

/** Whether a row of a block has no key, or NULL in it: no peer could tell which row is meant, so it is this replica's alone. */
export function isNamelessRow(
  { key }: TableReference,
  { kind, columns, rows }: FactBlock,
  row: number,
): boolean {
  if (kind !== 'rows') return false;
  const values = rows[row] ?? [];
  return key.length === 0 || key.some((index) => (values[columns.indexOf(index)] ?? null) === null);
}
