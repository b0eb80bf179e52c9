import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { copyDatabase, makePlainDatabase, queryPlain, runPlainSql } from '#main/store/plain-connection.ts';
import { openTestHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
let folder: string;

beforeAll(async () => {
  host = await openTestHost();
  folder = join(host.dataDir, 'files');
  mkdirSync(folder);
});

afterAll(() => host.close());

function aShop(name: string): string {
  const path = join(folder, name);
  const sql = "create table item (id integer primary key, name text); insert into item values (1, 'tea')";
  expect(makePlainDatabase(path, sql).ok).toBe(true);
  return path;
}

interface BadFile {
  readonly title: string;
  readonly make: (path: string) => void;
  readonly code: string;
}

const badFiles: readonly BadFile[] = [
  { title: 'nothing', make: () => undefined, code: 'file-not-found' },
  { title: 'C065 an empty file', make: (path) => writeFileSync(path, ''), code: 'empty-file' },
  {
    title: 'C065 a text',
    make: (path) => writeFileSync(path, 'Dear diary. '.repeat(50)),
    code: 'not-a-database',
  },
  { title: 'a folder', make: (path) => mkdirSync(path), code: 'not-a-database' },
  {
    title: 'C065 a damaged database',
    make: (path) => {
      makePlainDatabase(path, 'create table t (x); insert into t values (zeroblob(20000))');
      truncateSync(path, 9000);
    },
    code: 'damaged-file',
  },
  {
    title: 'C062 W13 a replica of another format',
    make: (path) =>
      makePlainDatabase(
        path,
        `create table _concord_meta (key text primary key, value any) strict; insert into _concord_meta values ('format', 99)`,
      ),
    code: 'other-format',
  },
];

test.for(badFiles)(
  '$title is refused as $code in one sentence, and left as it was',
  async ({ title, make, code }) => {
    const path = join(folder, `${title.replaceAll(' ', '-')}.db`);
    make(path);
    const before = read(path);
    const answer = await host.client.call('fleet.openDatabase', { path });
    expect(answer).toMatchObject({
      ok: false,
      error: { code, path, message: expect.stringMatching(/\S.*[.]$/) as unknown },
    });
    expect(read(path)).toEqual(before);
    expect((await host.ask('fleet.get', {})).replicas.filter((replica) => replica.path === path)).toEqual([]);
  },
);

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

test('a database becomes a replica: its tables show at once', async () => {
  const path = aShop('corner.db');
  const opened = await host.ask('fleet.openDatabase', { path });
  expect(opened).toMatchObject({ attached: true, journalModeChanged: true, tables: 1 });
  expect(await host.replica('corner')).toMatchObject({
    ref: opened.ref,
    path,
    state: 'inSync',
    host: 'this machine',
  });
  const { objects } = await host.ask('replica.catalog', { ref: opened.ref });
  expect(objects.map(({ name, rows }) => [name, rows])).toEqual([['item', 1]]);
});

test('opening it again is opening the same, also by another way to the file', async () => {
  const path = aShop('twice.db');
  const { ref } = await host.ask('fleet.openDatabase', { path, name: 'once' });
  symlinkSync(path, join(folder, 'link.db'));
  const again = await host.ask('fleet.openDatabase', { path: join(folder, 'link.db') });
  expect(again).toEqual({ ref, attached: false, journalModeChanged: false, tables: 1 });
});

test('C032 a copy of a file of the fleet is refused with both paths, and taken on as a replica of its own', async () => {
  const path = aShop('first.db');
  const copy = join(folder, 'second.db');
  const first = await host.ask('fleet.openDatabase', { path, name: 'first' });
  await copyDatabase(path, copy);
  const before = (await host.replica('first')).status?.site;

  const refused = await host.client.call('fleet.openDatabase', { path: copy });
  expect(refused).toMatchObject({ error: { code: 'duplicate-site', path: copy, otherPath: path } });
  const { replicas } = await host.ask('fleet.get', {});
  expect(replicas.filter(({ path: shown }) => shown === copy)).toEqual([]);

  const { ref } = await host.ask('fleet.openDatabase', { path: copy, name: 'second', asNewSite: true });
  const second = await host.replica('second');
  expect(second.status?.site).not.toBe(before);
  expect((await host.replica('first')).status?.site).toBe(before);
  expect(await host.ask('replica.check', { ref })).toEqual({ problems: [] });

  runPlainSql(copy, "insert into item values (2, 'of the copy')", Date.now());
  await host.ask('fleet.addLink', { a: first.ref, b: ref });
  await host.ask('fleet.syncNow', { refs: null });
  expect(queryPlain(path, 'select id from item order by id')).toMatchObject({ value: [[1n], [2n]] });
  expect(await host.ask('replica.prune', { ref })).toEqual({
    tombstones: 0,
    logEntries: 0,
    history: 0,
    held: 0,
  });
});

test('a path may begin at home', async () => {
  aShop('home.db');
  const { ref } = await host.ask('fleet.openDatabase', { path: '~/files/home.db' });
  expect((await host.replica('home')).ref).toBe(ref);
});

test('a new replica is made, and none over a file or in a folder that is not there', async () => {
  const path = join(folder, 'fresh.db');
  const { ref } = await host.ask('fleet.createReplica', { path });
  expect(await host.replica('fresh')).toMatchObject({ ref, state: 'inSync' });
  expect(await host.client.call('fleet.createReplica', { path })).toMatchObject({
    error: { code: 'file-exists' },
  });
  const nowhere = join(folder, 'none', 'fresh.db');
  expect(await host.client.call('fleet.createReplica', { path: nowhere })).toMatchObject({
    error: { code: 'folder-not-found' },
  });
});

test('what plain SQLite writes to one replica arrives at another', async () => {
  const path = aShop('source.db');
  const source = await host.ask('fleet.openDatabase', { path });
  const target = await host.ask('fleet.createReplica', { path: join(folder, 'target.db') });
  await host.ask('fleet.addLink', { a: source.ref, b: target.ref });
  const names = () => queryPlain(join(folder, 'target.db'), 'select id, name from item order by id');
  await host.until(async () => names().ok);
  expect(runPlainSql(path, "update item set name = 'rum'; insert into item values (2, 'jam')", null).ok).toBe(
    true,
  );
  await host.until(async () => {
    const { rows } = await host.ask('replica.query', { ref: target.ref, sql: 'select count(*) from item' });
    return rows[0]?.[0] === 2;
  });
  expect(names()).toEqual({
    ok: true,
    value: [
      [1n, 'rum'],
      [2n, 'jam'],
    ],
  });
});

test('a paused link carries nothing, until it is resumed or taken away', async () => {
  const a = await host.ask('fleet.createReplica', { path: join(folder, 'a.db') });
  const b = await host.ask('fleet.createReplica', { path: join(folder, 'b.db') });
  const link = await host.ask('fleet.addLink', { a: a.ref, b: b.ref });
  expect(await host.client.call('fleet.addLink', { a: b.ref, b: a.ref })).toMatchObject({
    error: { code: 'link-exists', id: link.id },
  });
  await host.ask('fleet.pauseLink', link);
  await host.ask('replica.exec', { ref: a.ref, sql: 'create table t (id integer primary key)' });
  expect(await host.ask('fleet.syncNow', { refs: [a.ref] })).toMatchObject({ changes: 0 });
  expect(await host.replica('a')).toMatchObject({ paused: true, state: 'paused' });
  expect((await host.ask('replica.checklist', { ref: b.ref })).items[0]).toMatchObject({
    check: 'link',
    verdict: 'stops',
  });

  await host.ask('fleet.resumeLink', link);
  await host.until(async () => (await host.ask('replica.catalog', { ref: b.ref })).objects.length === 1);
  await host.ask('fleet.removeLink', link);
  expect(await host.client.call('fleet.removeLink', link)).toMatchObject({ error: { code: 'link-unknown' } });
  expect((await host.ask('replica.checklist', { ref: b.ref })).items[0]).toMatchObject({
    check: 'link',
    verdict: 'stops',
  });
});

test('a replica that leaves the fleet takes its links along, and its file stays', async () => {
  const path = aShop('leaving.db');
  const leaving = await host.ask('fleet.openDatabase', { path });
  const other = await host.ask('fleet.createReplica', { path: join(folder, 'staying.db') });
  await host.ask('fleet.addLink', { a: leaving.ref, b: other.ref });
  await host.ask('fleet.remove', { ref: leaving.ref });
  const { replicas, links } = await host.ask('fleet.get', {});
  expect(replicas.some(({ ref }) => ref === leaving.ref)).toBe(false);
  expect(links.some(({ a }) => a === leaving.ref)).toBe(false);
  expect(queryPlain(path, 'select name from item')).toEqual({ ok: true, value: [['tea']] });
  expect(await host.client.call('replica.catalog', { ref: leaving.ref })).toEqual({
    ok: false,
    error: { code: 'replica-unknown', ref: leaving.ref },
  });
});

test('SQL runs through Concord, and what SQLite says is handed on', async () => {
  const { ref } = await host.ask('fleet.createReplica', { path: join(folder, 'sql.db') });
  const results = await host.ask('replica.exec', {
    ref,
    sql: "create table t (id integer primary key, v); insert into t values (1, x'ff'), (2, 9223372036854775807); select v from t",
  });
  expect(results.map(({ rows, changes }) => [rows, changes])).toEqual([
    [[], 0],
    [[], 2],
    [[[{ blob: 'ff' }], [{ int: '9223372036854775807' }]], expect.any(Number)],
  ]);
  expect(await host.client.call('replica.exec', { ref, sql: 'insert into t values (1, 1)' })).toMatchObject({
    error: { code: 'sqlite', message: expect.stringContaining('UNIQUE') as unknown },
  });
});

test('a replica is renamed and put into a group', async () => {
  const { ref } = await host.ask('fleet.openDatabase', { path: aShop('plain.db') });
  await host.ask('fleet.renameReplica', { ref, name: 'market', group: 'Shops' });
  expect(await host.replica('market')).toMatchObject({ ref, group: 'Shops' });
});

test('what the command line adds to the fleet of a running host is taken up', async () => {
  const path = aShop('added.db');
  const { ref } = await host.ask('fleet.openDatabase', { path });
  await host.ask('fleet.remove', { ref });
  host.addToFleet({ ref: 'by-hand', path, name: 'added by hand' });
  await host.until(async () => {
    const { replicas } = await host.ask('fleet.get', {});
    return replicas.find((replica) => replica.ref === 'by-hand')?.state === 'inSync';
  });
});
