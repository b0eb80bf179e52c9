import type { FactBlock, TableReference } from '#shared/model/change-group.ts';

/**
 * Whether a row of a block is one without a key, or with NULL in it: no fact, so that nobody but the replica that has it
 * can tell which row is meant, and no drop of its table can have known of it.
 */
export function isNamelessRow(
  { key }: TableReference,
  { kind, columns, rows }: FactBlock,
  row: number,
): boolean {
  if (kind !== 'rows') return false;
  const values = rows[row] ?? [];
  return key.length === 0 || key.some((index) => (values[columns.indexOf(index)] ?? null) === null);
}
