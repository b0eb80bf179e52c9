import type { SqlValue } from '#shared/model/sql-value.ts';

/** Whether two values are one to the byte: storage class and all. */
export function isSameValue(left: SqlValue, right: SqlValue): boolean {
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object')
    return Object.is(left, right);
  return !(right instanceof Uint8Array) && Buffer.compare(left.textBytes, right.textBytes) === 0;
}
