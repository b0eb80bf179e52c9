import type { Stamp } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

// Who keeps a unique key that several rows want. The opposite of cells, where the later write wins: a row that came
// later must not push out one that people rely on.

/** A row that wants unique keys of its table: one that stands in it, or one that waits. */
export interface Claimant {
  /** Highest stamp among the cells that any unique key of the table and its WHERE are computed from. */
  readonly claim: Stamp;
  /** Highest stamp among all of its cells but those of the primary key. */
  readonly written: Stamp;
  /** Its identity, as text that sorts alike on every replica. */
  readonly identity: string;
}

/** Two rows, by their places in the list, that are equal in a unique key. */
export interface Collision {
  readonly left: number;
  readonly right: number;
  /** The key, as every replica names it. */
  readonly key: string;
}

/** Why a row has no place: who has the key that it wants. */
export interface Rival {
  readonly row: number;
  readonly key: string;
}

/**
 * Which rows stay out, each with the first that it collides with.
 *
 * Rows are taken in the order of their claims; one that collides with a row that was taken stays out. So the outcome is
 * a function of the rows alone (ROW-004), whatever the order in which they came; what is left out blocks nobody.
 */
export function settleClaims(
  rows: readonly Claimant[],
  collisions: readonly Collision[],
): ReadonlyMap<number, Rival> {
  const rivals = rivalsByRow(collisions);
  const leftOut = new Map<number, Rival>();
  const taken = new Set<number>();
  const ranked = rows.map((_row, place) => place).sort((left, right) => compareClaimants(rows, left, right));
  const rank = new Map(ranked.map((place, at) => [place, at]));
  const isEarlier = (left: Rival, right: Rival): boolean => {
    const order = (rank.get(left.row) ?? 0) - (rank.get(right.row) ?? 0);
    return order < 0 || (order === 0 && left.key < right.key);
  };
  for (const place of ranked) {
    const inTheWay = (rivals.get(place) ?? []).filter(({ row }) => taken.has(row));
    const [first] = inTheWay.sort((left, right) => (isEarlier(left, right) ? -1 : 1));
    if (first === undefined) taken.add(place);
    else leftOut.set(place, first);
  }
  return leftOut;
}

function rivalsByRow(collisions: readonly Collision[]): ReadonlyMap<number, readonly Rival[]> {
  const byRow = new Map<number, Rival[]>();
  const add = (row: number, rival: Rival): void => {
    const known = byRow.get(row);
    if (known === undefined) byRow.set(row, [rival]);
    else known.push(rival);
  };
  for (const { left, right, key } of collisions) {
    add(left, { row: right, key });
    add(right, { row: left, key });
  }
  return byRow;
}

function compareClaimants(rows: readonly Claimant[], left: number, right: number): number {
  const [one, other] = [rows[left], rows[right]];
  if (one === undefined || other === undefined) return 0;
  return (
    compareStamps(one.claim, other.claim) ||
    compareStamps(one.written, other.written) ||
    (one.identity < other.identity ? -1 : one.identity > other.identity ? 1 : 0)
  );
}
