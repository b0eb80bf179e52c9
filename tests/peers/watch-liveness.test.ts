import { expect, test } from 'vitest';

import { watchLiveness } from '#main/peers/watch-liveness.ts';
import { createManualTimers } from '../support/manual-timers.ts';

function aWatch(heardBytes: (pings: number) => number) {
  const timers = createManualTimers();
  let pings = 0;
  let deaths = 0;
  const stop = watchLiveness(
    { timers, bytesHeard: () => heardBytes(pings), ping: () => void (pings += 1) },
    () => void (deaths += 1),
  );
  return { timers, stop, pings: () => pings, deaths: () => deaths };
}

test('a link without a sign of life is dead after 45 s, once', () => {
  const watch = aWatch(() => 7);

  watch.timers.advance(44_999);
  expect([watch.pings(), watch.deaths()]).toEqual([2, 0]);
  watch.timers.advance(600_000);

  expect(watch.deaths()).toBe(1);
  expect(watch.timers.pending()).toEqual([]);
});

test('a quiet link whose other end answers pings lives', () => {
  const watch = aWatch((pings) => pings * 2);

  watch.timers.advance(3_600_000);

  expect(watch.deaths()).toBe(0);
  expect(watch.pings()).toBeGreaterThan(0);
});

test('a large message that arrives slowly counts as life, and nobody is pinged', () => {
  let bytes = 0;
  const watch = aWatch(() => (bytes += 1));

  watch.timers.advance(3_600_000);

  expect([watch.pings(), watch.deaths()]).toEqual([0, 0]);
});

test('a watch that is ended leaves no timer behind', () => {
  const watch = aWatch(() => 7);
  watch.timers.advance(20_000);

  watch.stop();

  expect(watch.timers.pending()).toEqual([]);
});
