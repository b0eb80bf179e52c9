import type { ChangeGroup, Cursor } from '#shared/model/change-group.ts';

// Groups of a page may come in any order, twice, and be broken off anywhere. The watermark stands for all that lies before it, so
// it moves over them in the order of the source (ADMIT-001). Several groups can have one seq: those of the catalog, which come
// before all else, and a part of a stretch, which comes after what its seq ends.

/** The groups in the order of the source; those without a cursor, which come ahead of the line, first. */
export const inOrder = (groups: readonly ChangeGroup[]): readonly ChangeGroup[] =>
  groups.toSorted((left, right) => {
    if (left.cursor === undefined || right.cursor === undefined)
      return Number(right.cursor === undefined) - Number(left.cursor === undefined);
    return compareCursors(left.cursor, right.cursor);
  });

/** Whether a group lies after the watermark: not one that was admitted. */
export function continues(watermark: Cursor | null, cursor: Cursor): boolean {
  if (watermark?.epoch !== cursor.epoch) return true;
  const compared = compareCursors(watermark, cursor);
  // Two places within one stretch cannot be compared here; taking a part in again changes nothing.
  return compared < 0 || (compared === 0 && watermark.inside !== cursor.inside);
}

function compareCursors(left: Cursor, right: Cursor): number {
  return (
    left.seq - right.seq || stageOf(left) - stageOf(right) || catalogPlaceOf(left) - catalogPlaceOf(right)
  );
}

/** Within one seq: a catalog under way, the seq itself, what follows it in part. */
function stageOf({ inside }: Cursor): number {
  if (inside === undefined) return 1;
  return CATALOG.test(inside) ? 0 : 2;
}

const CATALOG = /^catalog:(\d+)$/;

const catalogPlaceOf = ({ inside }: Cursor): number => Number(CATALOG.exec(inside ?? '')?.[1] ?? 0);
