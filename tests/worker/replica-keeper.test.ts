import { expect, test } from 'vitest';

import type { Replica } from '#main/replica/replica.ts';
import { createReplicaKeeper, ReplicaNotOpen, type KeeperEvent } from '#main/worker/replica-keeper.ts';
import { WorkerError, WorkerGone } from '#main/worker/pending-calls.ts';
import type { WorkerFailure } from '#main/worker/worker-messages.ts';
import { createFakeWorker, type FakeWorker } from '../support/fake-worker.ts';
import { createMemoryLog } from '../support/memory-log.ts';

const FIVE_MINUTES_MS = 5 * 60_000;
const IDENTITY = { head: 7 } as ReturnType<Replica['identity']>;
const LOCKED: WorkerFailure = { code: 'locked', path: '/a.db', message: 'It is locked.' };

function aKeeper() {
  const workers: FakeWorker[] = [];
  const events: KeeperEvent['kind'][] = [];
  let nowMs = 0;
  let signature = 'as it was';
  const keeper = createReplicaKeeper({
    start: () => {
      const worker = createFakeWorker();
      workers.push(worker);
      return worker.end;
    },
    readSignature: async () => signature,
    nowMs: () => nowMs,
    log: createMemoryLog(),
  });
  keeper.onEvent(({ kind }) => events.push(kind));
  const last = (): FakeWorker => {
    const worker = workers.at(-1);
    if (worker === undefined) throw new Error('No worker was started.');
    return worker;
  };
  return {
    keeper,
    workers,
    events,
    last,
    wait: (ms: number) => (nowMs += ms),
    writeByOthers: () => (signature = `${signature} and more`),
    /** Opened, and one call answered. */
    opened: async () => {
      const call = keeper.replica.identity();
      last().open();
      await tick();
      last().answer(IDENTITY);
      await call;
    },
  };
}

/** Lets what was resolved go on. */
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('opens at the first call, and once for many', async () => {
  const { keeper, workers, last } = aKeeper();
  const [one, two] = [keeper.replica.identity(), keeper.acquire()];
  expect(workers).toHaveLength(1);
  last().open();
  expect(await two).toEqual({ ok: true, value: { attached: false, journalModeChanged: false } });
  await tick();
  last().answer(IDENTITY);
  expect(await one).toBe(IDENTITY);
});

test('says why a file cannot be opened, and tries it again after 1 s, doubling', async () => {
  const { keeper, workers, last, wait, events } = aKeeper();
  const first = keeper.acquire();
  last().say({ kind: 'refused', error: LOCKED });
  last().exit(null);
  expect(await first).toEqual({ ok: false, error: LOCKED });
  expect(keeper.state()).toMatchObject({ isOpen: false, failure: LOCKED });

  wait(999);
  await keeper.look();
  expect(workers).toHaveLength(1);
  wait(1);
  const look = keeper.look();
  await tick();
  last().say({ kind: 'refused', error: LOCKED });
  last().exit(null);
  await look;
  wait(1999);
  await keeper.look();
  expect(workers).toHaveLength(2);
  expect(events).toEqual(['failed', 'failed']);
});

test('a call of a file that cannot be opened is rejected with the failure', async () => {
  const { keeper, last } = aKeeper();
  const call = keeper.replica.status();
  last().say({ kind: 'refused', error: LOCKED });
  await expect(call).rejects.toThrow(ReplicaNotOpen);
});

test('closes after five minutes without a call, and not before', async () => {
  const { keeper, opened, wait, events } = aKeeper();
  await opened();
  wait(FIVE_MINUTES_MS - 1);
  await keeper.look();
  expect(keeper.state().isOpen).toBe(true);
  wait(1);
  await keeper.look();
  expect(keeper.state().isOpen).toBe(false);
  expect(events).toEqual(['opened', 'closed']);
});

test('does not close while a call waits for its answer', async () => {
  const { keeper, opened, last, wait } = aKeeper();
  await opened();
  const long = keeper.replica.status();
  await tick();
  wait(FIVE_MINUTES_MS);
  await keeper.look();
  expect(keeper.state().isOpen).toBe(true);
  last().answer('done');
  expect(await long).toBe('done');
});

test('a closed one is opened again when another program has written to the file', async () => {
  const { keeper, opened, workers, last, wait, writeByOthers } = aKeeper();
  await opened();
  wait(FIVE_MINUTES_MS);
  await keeper.look();
  await keeper.look();
  expect(workers).toHaveLength(1);
  writeByOthers();
  const look = keeper.look();
  await tick();
  expect(workers).toHaveLength(2);
  last().open();
  await look;
  expect(keeper.state().isOpen).toBe(true);
});

// Guards HOST-004.
test('a crash rejects what waits, is told, and the next call starts another worker', async () => {
  const { keeper, opened, workers, last, events } = aKeeper();
  await opened();
  const call = keeper.replica.status();
  await tick();
  last().exit('Error: out of memory');
  await expect(call).rejects.toThrow(WorkerGone);
  expect(events).toEqual(['opened', 'crashed']);
  const again = keeper.replica.identity();
  expect(workers).toHaveLength(2);
  last().open();
  await tick();
  last().answer(IDENTITY);
  expect(await again).toBe(IDENTITY);
});

test('a crashed one is started again by itself after a second', async () => {
  const { keeper, opened, workers, last, wait } = aKeeper();
  await opened();
  last().exit('Error: out of memory');
  await keeper.look();
  expect(workers).toHaveLength(1);
  wait(1000);
  const look = keeper.look();
  await tick();
  expect(workers).toHaveLength(2);
  last().open();
  await look;
});

test('a call that meets a bug is rejected with it, and the replica stays open', async () => {
  const { keeper, opened, last } = aKeeper();
  await opened();
  const call = keeper.replica.status();
  await tick();
  last().say({ kind: 'threw', id: 1, message: 'cursor lost', stack: 'at here' });
  await expect(call).rejects.toThrow(new WorkerError('cursor lost'));
  expect(keeper.state().isOpen).toBe(true);
});

test('tells what may have changed more than the head', async () => {
  const { keeper, opened, last, events } = aKeeper();
  await opened();
  const call = keeper.replica.exec('select 1');
  await tick();
  last().say({ kind: 'head', head: 8 });
  last().answer({ ok: true, value: [] });
  await call;
  expect(events).toEqual(['opened', 'head', 'wrote']);
});

test('trouble is remembered until it is over', async () => {
  const { keeper, opened, last } = aKeeper();
  await opened();
  last().say({ kind: 'trouble', message: 'database is locked' });
  expect(keeper.state().trouble).toBe('database is locked');
  last().say({ kind: 'trouble', message: null });
  expect(keeper.state().trouble).toBeNull();
});
