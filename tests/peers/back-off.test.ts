import { expect, test } from 'vitest';

import { backOffMs } from '#main/peers/back-off.ts';

const chance = (byte: number) => ({ bytes: () => Uint8Array.of(byte) });

test('W06 waits 1 s, doubling to 60 s', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 100, 5_000].map((failures) => backOffMs(failures, chance(0)));

  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
});

test('chance shortens a wait by up to a fifth and never lengthens it', () => {
  const waits = [0, 128, 255].map((byte) => backOffMs(1, chance(byte)));

  expect(waits).toEqual([1_000, 900, 801]);
});
