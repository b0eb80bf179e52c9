import fc from 'fast-check';
import { expect, test } from 'vitest';

import { advanceHlc, DRIFT_MAX_MS, observeHlc } from '#main/engine/clock/advance-hlc.ts';
import { HLC_COUNTER_MAX, packHlc, unpackHlc } from '#shared/model/hlc.ts';

const nowMs = 1_000_000;
const bound = { nowMs, driftMaxMs: DRIFT_MAX_MS };

test('H06 with a fixed wall clock each tick is above the last', () => {
  const first = advanceHlc(packHlc(nowMs), nowMs);
  expect(unpackHlc(first)).toEqual({ wallMs: nowMs, counter: 1 });
  expect(unpackHlc(advanceHlc(first, nowMs))).toEqual({ wallMs: nowMs, counter: 2 });
});

test('H06 a new millisecond resets the counter', () => {
  expect(unpackHlc(advanceHlc(packHlc(nowMs, 7), nowMs + 1))).toEqual({ wallMs: nowMs + 1, counter: 0 });
});

test('H06 a wall clock that steps back does not take the stamps along', () => {
  expect(unpackHlc(advanceHlc(packHlc(nowMs, 7), nowMs - 5000))).toEqual({ wallMs: nowMs, counter: 8 });
});

test('H13 a counter at its maximum moves the wall time on by one millisecond', () => {
  const next = advanceHlc(packHlc(nowMs, HLC_COUNTER_MAX), nowMs);
  expect(unpackHlc(next)).toEqual({ wallMs: nowMs + 1, counter: 0 });
});

// Guards CLOCK-001.
test('H06 whatever the wall clock does, ticks rise and are never before it', () => {
  const walls = fc.array(fc.constantFrom(nowMs - 2, nowMs, nowMs + 1), { maxLength: 20 });
  fc.assert(
    fc.property(walls, (wallTimes) => {
      let last = packHlc(nowMs, HLC_COUNTER_MAX - 3);
      for (const wallMs of wallTimes) {
        const next = advanceHlc(last, wallMs);
        expect(next > last).toBe(true);
        expect(next >= packHlc(wallMs)).toBe(true);
        last = next;
      }
    }),
  );
});

test.for([
  ['just ahead', nowMs + 1],
  ['ahead by the bound', nowMs + DRIFT_MAX_MS],
] as const)('H07 a remote stamp %s is taken, and the next tick is above it', ([, remoteMs]) => {
  const remote = packHlc(remoteMs, 5);
  const observed = observeHlc({ last: packHlc(nowMs), remote, ...bound });
  expect(observed).toEqual({ ok: true, value: remote });
  expect(advanceHlc(remote, nowMs)).toBe(remote + 1n);
});

test('H07 a remote stamp from the past leaves the clock where it is', () => {
  const last = packHlc(nowMs, 3);
  expect(observeHlc({ last, remote: packHlc(nowMs - 10), ...bound })).toEqual({ ok: true, value: last });
});

test('H08 a remote stamp that is ahead by more than the bound is refused, with both times', () => {
  const remoteMs = nowMs + DRIFT_MAX_MS + 1;
  expect(observeHlc({ last: packHlc(nowMs), remote: packHlc(remoteMs), ...bound })).toEqual({
    ok: false,
    error: { code: 'clock-ahead', remoteMs, ...bound },
  });
});
