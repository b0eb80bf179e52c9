import { expect, test } from 'vitest';

import { createHybridClock } from '#main/engine/clock/hybrid-clock.ts';
import { packHlc } from '#shared/model/hlc.ts';

const startMs = 1_000_000;

function aClock(restored = 0n) {
  const wall = { nowMs: startMs };
  const clock = createHybridClock({
    clock: { nowMs: () => wall.nowMs, isWallClock: false },
    restored,
    driftMaxMs: 60_000,
  });
  return { wall, clock };
}

test('H06 the clock ticks from the wall time on', () => {
  const { clock, wall } = aClock();
  expect(clock.tick()).toBe(packHlc(startMs));
  expect(clock.tick()).toBe(packHlc(startMs, 1));
  wall.nowMs += 1;
  expect(clock.tick()).toBe(packHlc(startMs + 1));
  expect(clock.last()).toBe(packHlc(startMs + 1));
});

test('H10 a reopened clock goes on above what was stored, whatever the wall says', () => {
  const stored = packHlc(startMs + 5000, 9);
  expect(aClock(stored).clock.tick()).toBe(stored + 1n);
});

test('H07 after a remote stamp within the bound the next tick is above it', () => {
  const { clock } = aClock();
  const remote = packHlc(startMs + 59_999, 4);
  expect(clock.observe(remote)).toEqual({ ok: true, value: remote });
  expect(clock.tick()).toBe(remote + 1n);
});

test('H08 a remote stamp beyond the bound is refused and leaves the clock unchanged', () => {
  const { clock } = aClock();
  const before = clock.tick();
  expect(clock.observe(packHlc(startMs + 60_001)).ok).toBe(false);
  expect(clock.last()).toBe(before);
});

test('a stamp that the replica gave itself is taken however far ahead, and never lowers the clock', () => {
  const { clock } = aClock();
  const own = packHlc(startMs + 3_600_000);
  clock.raise(own);
  clock.raise(packHlc(1));
  expect(clock.tick()).toBe(own + 1n);
});
