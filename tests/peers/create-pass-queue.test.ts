import { expect, test } from 'vitest';

import { createPassQueue } from '#main/peers/create-pass-queue.ts';

/** A pass that ends when the test says so. */
function aQueue() {
  const ends: ((value: number) => void)[] = [];
  let atOnce = 0;
  let most = 0;
  const queue = createPassQueue(async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    const value = await new Promise<number>((resolve) => ends.push(resolve));
    atOnce -= 1;
    return value;
  });
  const turn = async () => new Promise((resolve) => setImmediate(resolve));
  return { queue, ends, turn, most: () => most };
}

test('who asks during a pass shares the next one', async () => {
  const { queue, ends, turn, most } = aQueue();
  const first = queue.request();
  const later = [queue.request(), queue.request(), queue.request()];
  await turn();

  ends[0]?.(1);
  await first;
  await turn();
  ends[1]?.(2);

  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  expect(ends.length).toBe(2);
  expect(most()).toBe(1);
});

test('never two at once, however the asking falls about the end of a pass', async () => {
  let atOnce = 0;
  let most = 0;
  const queue = createPassQueue(async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
  });

  for (let microtasks = 0; microtasks < 12; microtasks += 1) {
    const first = queue.request();
    void queue.request();
    await first;
    for (let step = 0; step < microtasks; step += 1) await Promise.resolve();
    void queue.request();
    await queue.settled();
  }

  expect(most).toBe(1);
});

test('settled waits for what runs and for what waits', async () => {
  const { queue, ends, turn } = aQueue();
  void queue.request();
  void queue.request();
  let isSettled = false;
  const settled = queue.settled().then(() => (isSettled = true));

  ends[0]?.(1);
  await turn();
  expect(isSettled).toBe(false);
  ends[1]?.(2);

  expect(await settled).toBe(true);
});
