import fc from 'fast-check';
import { expect, test } from 'vitest';

import { settleClaims } from '#main/engine/merge/settle-claims.ts';
import type { Claimant, Collision } from '#main/engine/merge/settle-claims.ts';
import { present } from '#shared/assert.ts';
import { narrowStamp } from '../support/arbitraries.ts';

// Rows with two keys of three values each: chains and rings of collisions are the rule.
const KEYS = ['first', 'second'] as const;
const keyValue = fc.option(fc.constantFrom('x', 'y', 'z'));
const wanting = fc.record({ claim: narrowStamp, written: narrowStamp, keys: fc.tuple(keyValue, keyValue) });

interface Row extends Claimant {
  readonly keys: readonly (string | null)[];
}

const rows = fc
  .array(wanting, { maxLength: 9 })
  .map((list) => list.map((row, at): Row => ({ ...row, identity: String(at) })));

/** Equal values collide, NULL with nothing. */
function collisionsOf(list: readonly Row[]): readonly Collision[] {
  return list.flatMap((left, at) =>
    list.slice(at + 1).flatMap((right, beyond) =>
      KEYS.flatMap((key, place) => {
        const wanted = left.keys[place] ?? null;
        return wanted !== null && wanted === right.keys[place]
          ? [{ left: at, right: at + 1 + beyond, key }]
          : [];
      }),
    ),
  );
}

/** By identity: who stays out, because of whom, for which key. */
function outcome(list: readonly Row[], collisions = collisionsOf(list)): unknown {
  return [...settleClaims(list, collisions)]
    .map(([place, { row, key }]) => [list[place]?.identity, list[row]?.identity, key])
    .sort();
}

test('ROW-004 who keeps a unique key does not depend on the order in which rows and collisions are listed', () => {
  fc.assert(
    fc.property(
      rows.chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        ),
      ),
      ([list, shuffled]) => {
        expect(outcome(shuffled)).toEqual(outcome(list));
        expect(outcome(shuffled, collisionsOf(shuffled).toReversed())).toEqual(outcome(list));
      },
    ),
  );
});

test('no two rows that stay collide, and each that stays out collides with an earlier one that stays', () => {
  fc.assert(
    fc.property(rows, (list) => {
      const leftOut = settleClaims(list, collisionsOf(list));
      for (const { left, right } of collisionsOf(list))
        expect(leftOut.has(left) || leftOut.has(right)).toBe(true);
      for (const [place, { row }] of leftOut) {
        expect(leftOut.has(row)).toBe(false);
        const [one, other] = [present(list[row], 'a rival'), present(list[place], 'a row')];
        expect(one.claim.hlc <= other.claim.hlc).toBe(true);
      }
    }),
  );
});

test('a row that is left out blocks nobody: settled without the rows that are out, the outcome is the same', () => {
  fc.assert(
    fc.property(rows, (list) => {
      const leftOut = settleClaims(list, collisionsOf(list));
      const staying = list.filter((_row, place) => !leftOut.has(place));
      expect(settleClaims(staying, collisionsOf(staying)).size).toBe(0);
    }),
  );
});

test('a chain: the earliest has the key, the second waits, and what only the second stood in the way of comes in', () => {
  const row = (identity: string, ms: bigint, keys: Row['keys']): Row => {
    const stamp = { hlc: ms << 16n, site: 'AAAAAAAAAAAAAAAAAAAAAA' as Row['claim']['site'] };
    return { identity, claim: stamp, written: stamp, keys };
  };
  const list = [row('a', 1n, ['x', null]), row('b', 2n, ['x', 'y']), row('c', 3n, [null, 'y'])];
  expect(outcome(list)).toEqual([['b', 'a', 'first']]);
});
