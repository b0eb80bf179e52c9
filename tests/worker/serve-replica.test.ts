import { expect, test } from 'vitest';

import type { Replica } from '#main/replica/replica.ts';
import { serveReplica } from '#main/worker/serve-replica.ts';
import type { FromWriter } from '#main/worker/worker-messages.ts';
import { createManualTimers } from '../support/manual-timers.ts';
import { createMemoryLog } from '../support/memory-log.ts';

const locked = (): Error => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

function served() {
  const timers = createManualTimers(1_000_000);
  const said: FromWriter[] = [];
  let head = 5;
  let foreign = 0;
  let isLocked = false;
  let notices = 0;
  let prunes = 0;
  let isClosed = false;
  const replica: Partial<Replica> = {
    identity: () => ({ head }) as ReturnType<Replica['identity']>,
    notice: (request) => {
      notices += 1;
      // As long as nothing has to be written a look needs no lock.
      if (isLocked && (foreign > 0 || request?.mustWrite === true)) throw locked();
      const changes = foreign;
      foreign = 0;
      head += changes;
      return { head, changes, migrations: 0 };
    },
    exec: (sql) => {
      if (sql === 'bug') throw new Error('a bug');
      if (isLocked) throw locked();
      head += 1;
      return { ok: true, value: [] };
    },
    prune: () => {
      prunes += 1;
      if (isLocked) throw locked();
      return { tombstones: 0, logEntries: 0, history: 0, held: 0 };
    },
    close: () => (isClosed = true),
  };
  const { receive } = serveReplica({
    replica: replica as Replica,
    send: (message) => said.push(message),
    timers,
    nowMs: timers.nowMs,
    log: createMemoryLog(),
    onClosed: () => said.push({ kind: 'refused', error: { code: 'locked', path: '', message: 'the end' } }),
  });
  timers.advance(0);
  said.length = 0;
  return {
    receive,
    timers,
    said,
    notices: () => notices,
    prunes: () => prunes,
    isClosed: () => isClosed,
    writeByOthers: (changes: number) => (foreign += changes),
    lock: (locked: boolean) => (isLocked = locked),
  };
}

test('answers a call, and then tells the head that it moved', () => {
  const { receive, said } = served();
  receive({ kind: 'call', id: 3, method: 'exec', args: ['insert'] });
  expect(said).toEqual([
    { kind: 'answer', id: 3, value: { ok: true, value: [] } },
    { kind: 'head', head: 6 },
  ]);
});

test('a call that throws is answered with what it threw, and the next is answered too', () => {
  const { receive, said } = served();
  receive({ kind: 'call', id: 1, method: 'exec', args: ['bug'] });
  receive({ kind: 'call', id: 2, method: 'exec', args: ['fine'] });
  expect(said).toMatchObject([
    { kind: 'threw', id: 1, message: 'a bug' },
    { kind: 'answer', id: 2 },
    { kind: 'head' },
  ]);
});

test('W12 once an hour it is looked at whether something is to be pruned, whatever comes of it', () => {
  const { timers, prunes, lock } = served();
  timers.advance(3_590_000);
  expect(prunes()).toBe(0);
  timers.advance(20_000);
  expect(prunes()).toBe(1);
  lock(true);
  timers.advance(3_600_000);
  lock(false);
  timers.advance(3_600_000);
  expect(prunes()).toBeGreaterThan(1);
});

test("looks for other programs' writes every 2 s, and every 200 ms while the file changes", () => {
  const { timers, notices, said, writeByOthers } = served();
  const before = notices();
  timers.advance(10_000);
  expect(notices() - before).toBe(5);

  writeByOthers(4);
  timers.advance(2_000);
  expect(said).toEqual([{ kind: 'head', head: 9 }]);
  const lively = notices();
  timers.advance(2_000);
  expect(notices() - lively).toBe(10);
  const calm = notices();
  timers.advance(10_000);
  expect(notices() - calm).toBe(5);
});

const TROUBLE = [
  { kind: 'trouble', message: 'database is locked' },
  { kind: 'trouble', message: null },
];

test('a file that another program keeps locked is told once, and when it is over', () => {
  const { timers, said, lock, writeByOthers } = served();
  writeByOthers(1);
  lock(true);
  timers.advance(6_000);
  lock(false);
  timers.advance(4_000);
  expect(said).toEqual([...TROUBLE, { kind: 'head', head: 6 }]);
});

test('C064 a call that meets a lock is told as trouble, which is over when something can be written again', () => {
  const { receive, timers, said, lock } = served();
  lock(true);
  receive({ kind: 'call', id: 1, method: 'exec', args: ['insert'] });
  timers.advance(6_000);
  expect(said).toMatchObject([{ kind: 'threw', id: 1 }, TROUBLE[0]]);
  lock(false);
  timers.advance(4_000);
  expect(said.slice(1)).toEqual(TROUBLE);
});

test('closes the replica when it is asked to, and looks no more', () => {
  const { receive, timers, isClosed, notices } = served();
  receive({ kind: 'close' });
  expect(isClosed()).toBe(true);
  const before = notices();
  timers.advance(10_000);
  expect(notices()).toBe(before);
});
