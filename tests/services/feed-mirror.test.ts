import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { queryPlain, runPlainSql } from '#main/store/plain-connection.ts';
import { present } from '#shared/assert.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { openTestHost, type TestHost } from '../support/test-host.ts';

// A program in plain Node follows the feed of a replica of a real host, in a process of its own.

let host: TestHost;
beforeAll(async () => {
  host = await openTestHost();
});
afterAll(async () => {
  await host.close();
});

interface Change {
  readonly seq: number;
  readonly table: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly op: 'upsert' | 'delete';
  readonly values: Readonly<Record<string, unknown>> | null;
}

/** Starts the example program and mirrors what it prints. */
function follow(replica: string, cursorFile: string) {
  const program = join(import.meta.dirname, '..', '..', 'examples', 'follow-feed.mjs');
  const child: ChildProcess = spawn(process.execPath, [program, host.url, replica, cursorFile], {
    env: { ...process.env, CONCORD_TOKEN: host.tokenFor('read') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const seen: Change[] = [];
  const waiting: { readonly isIt: (change: Change) => boolean; readonly go: () => void }[] = [];
  createInterface({ input: present(child.stdout, 'stdout is a pipe') }).on('line', (line) => {
    const change = JSON.parse(line) as Change;
    seen.push(change);
    for (const { isIt, go } of waiting) if (isIt(change)) go();
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    seen,
    until: (isIt: (change: Change) => boolean) =>
      seen.some(isIt) ? Promise.resolve() : new Promise<void>((go) => waiting.push({ isIt, go })),
    end: async () => {
      child.stdin?.end();
      return ended;
    },
  };
}

function mirrored(changes: readonly Change[], table: string): readonly string[] {
  const rows = new Map<string, string>();
  for (const change of changes.filter((one) => one.table === table)) {
    const key = JSON.stringify(change.key);
    if (change.values === null) rows.delete(key);
    else rows.set(key, JSON.stringify(Object.values(change.values)));
  }
  return [...rows.values()].sort();
}

test('F05 a mirror in another process follows while rows are written, changed and deleted, and ends equal, each change once', async () => {
  const path = join(host.dataDir, 'shop.db');
  const { ref } = await host.ask('fleet.createReplica', { path });
  await host.ask('replica.exec', { ref, sql: 'create table item (id integer primary key, name text)' });
  const cursorFile = join(host.dataDir, 'mirror-cursor');
  const { draw } = createSeededRandom(7);
  const write = async (turn: number): Promise<void> => {
    const id = 1 + Math.floor(draw() * 20);
    const sql = present(
      [
        `insert or replace into item values (${id}, 'n${turn}')`,
        `update item set name = 'u${turn}' where id between ${id} and ${id + 3}`,
        `delete from item where id = ${id}`,
      ][Math.floor(draw() * 3)],
      'one of three',
    );
    if (draw() < 0.5) await host.ask('replica.exec', { ref, sql });
    else expect(runPlainSql(path, sql, null)).toMatchObject({ ok: true });
  };
  const isMark =
    (name: string) =>
    ({ values }: Change): boolean =>
      values?.['name'] === name;

  const first = follow(ref, cursorFile);
  for (let turn = 0; turn < 60; turn += 1) await write(turn);
  await host.ask('replica.exec', { ref, sql: "insert or replace into item values (1000, 'half')" });
  await first.until(isMark('half'));
  expect(await first.end()).toBe(0);

  // Ended and started again: it goes on where it was, with what was written meanwhile.
  for (let turn = 60; turn < 90; turn += 1) await write(turn);
  const second = follow(ref, cursorFile);
  for (let turn = 90; turn < 120; turn += 1) await write(turn);
  await host.ask('replica.exec', { ref, sql: "insert or replace into item values (1001, 'end')" });
  await second.until(isMark('end'));
  expect(await second.end()).toBe(0);

  const all = [...first.seen, ...second.seen];
  const there = queryPlain(path, 'select id, name from item');
  if (!there.ok) throw new Error(there.error.message);
  expect(mirrored(all, 'item')).toEqual(
    there.value.map(([id, name]) => JSON.stringify([Number(id), name])).sort(),
  );
  const identities = all.map(({ seq, key, op }) => `${seq} ${JSON.stringify(key)} ${op}`);
  expect(new Set(identities).size).toBe(identities.length);
  expect(all.map(({ seq }) => seq)).toEqual(
    all.map(({ seq }) => seq).toSorted((left, right) => left - right),
  );
});

test('a program with a wrong token is told so, and ends', async () => {
  const program = join(import.meta.dirname, '..', '..', 'examples', 'follow-feed.mjs');
  const child = spawn(process.execPath, [program, host.url, 'shop'], {
    env: { ...process.env, CONCORD_TOKEN: 'no.token' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const told: string[] = [];
  child.stderr.on('data', (text: Buffer) => told.push(text.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  expect(status).toBe(1);
  expect(told.join('')).toContain('refuses with 401');
});
