import type { KeyColumn } from './ast.ts';
import { isSameName } from './fold-identifier.ts';

/** Whether two keys are made of the same columns, in the same order, directions and collations. */
export function isSameKey(left: readonly KeyColumn[], right: readonly KeyColumn[]): boolean {
  return (
    left.length === right.length &&
    left.every((part, at) => {
      const other = right[at];
      return (
        other !== undefined &&
        isSameName(part.column, other.column) &&
        isSameName(part.collation ?? '', other.collation ?? '') &&
        part.descending === other.descending
      );
    })
  );
}
