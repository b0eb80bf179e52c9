import { expect, test } from 'vitest';

import type { LinkRound } from '#main/services/live-link.ts';
import type { Movement } from '#main/peers/has-moved.ts';
import { runSyncRounds } from '#main/services/sync-rounds.ts';

const STILL: Movement = { factsApplied: 0, factsHeld: 0, migrations: 0 };
const moved = (factsApplied: number): Movement => ({ ...STILL, factsApplied });

/** A link that does in each round what a list says, and then nothing. */
function aLink(id: string, rounds: readonly (readonly Movement[])[], stopped: string | null = null) {
  let next = 0;
  return {
    id,
    asked: () => next,
    syncNow: async (): Promise<LinkRound> => {
      const directions = rounds[next] ?? [STILL, STILL];
      next += 1;
      return { directions, stopped };
    },
  };
}

test('ends with the first round in which nothing moves anywhere', async () => {
  const quick = aLink('quick', [[moved(1), STILL]]);
  const slow = aLink('slow', [
    [STILL, STILL],
    [STILL, moved(2)],
    [moved(3), STILL],
  ]);
  const report = await runSyncRounds([quick, slow]);
  expect(report).toEqual({ rounds: 4, quiet: true, stopped: [], changes: 6, migrations: 0 });
  expect([quick.asked(), slow.asked()]).toEqual([4, 4]);
});

test('without links there is nothing to do', async () => {
  expect(await runSyncRounds([])).toMatchObject({ rounds: 1, quiet: true });
});

test('a line that stays blocked is still, and says why', async () => {
  const report = await runSyncRounds([aLink('stuck', [], 'orders differs.')]);
  expect(report).toMatchObject({
    rounds: 1,
    quiet: true,
    stopped: [{ link: 'stuck', reason: 'orders differs.' }],
  });
});

test('links that never come to rest are let go', async () => {
  const link = aLink(
    'busy',
    Array.from({ length: 99 }, () => [moved(1)]),
  );
  expect(await runSyncRounds([link], 5)).toMatchObject({ rounds: 5, quiet: false, changes: 5 });
});
