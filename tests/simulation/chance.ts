import { present } from '#shared/assert.ts';

import type { Chance } from '../support/convergence-steps.ts';
import { createSeededRandom } from '../support/seeded-random.ts';

/** Chance of a story: everything that is random in it is drawn here. */
export interface Dice extends Chance {
  readonly happens: (share: number) => boolean;
  /** From `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number;
  /** One of these by weight. */
  readonly weighted: <T>(items: readonly (readonly [weight: number, item: T])[]) => T;
  /** A number that no other value of the story has. */
  readonly number: () => number;
}

export function createDice(seed: number): Dice {
  const { draw } = createSeededRandom(seed);
  const below = (count: number): number => Math.floor(draw() * count);
  const pick = <T>(items: readonly T[]): T => present(items[below(items.length)], 'something to pick from');
  let numbers = 0;
  const number = (): number => (numbers += 1);
  return {
    draw,
    below,
    pick,
    number,
    place: () => pick([0, 1, 2] as const),
    token: () => `v${number()}`,
    happens: (share) => draw() < share,
    between: (least, most) => least + below(most - least + 1),
    weighted: (items) => {
      let left = draw() * items.reduce((sum, [weight]) => sum + weight, 0);
      const drawn = items.find(([weight]) => (left -= weight) < 0) ?? items[0];
      return present(drawn, 'something to draw from')[1];
    },
  };
}
