import type { Cursor } from '#shared/model/change-group.ts';

/**
 * What a cursor says in the place of `inside` when its holder has been as far as it says, and reads again what lies before: all, with
 * the catalog as it is now, or the rows alone. The place still tells a file that was restored since (COPY-001).
 */
export const AGAIN = { all: 'again:all', rows: 'again:rows' } as const;

/** Whether a cursor, by its `inside`, asks for what lies before it. */
export const isReadAgain = (inside: string | null | undefined): boolean =>
  inside === AGAIN.all || inside === AGAIN.rows;

/** From where a cursor asks to be read on; null: from the start, the catalog included. */
export function placeAsked(cursor: Cursor): Cursor | null {
  const { inside, ...place } = cursor;
  if (inside === AGAIN.all) return null;
  return inside === AGAIN.rows ? { ...place, seq: 0 } : cursor;
}
