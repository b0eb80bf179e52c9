import { readdirSync, readFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { makeCliHome, type CliHome } from '../support/cli-run.ts';

let home: CliHome;

beforeEach(async () => {
  home = makeCliHome();
  for (const name of ['a.db', 'b.db', 'c.db']) await home.run('init', name);
  await home.run('exec', 'a.db', 'create table orders (id integer primary key, note text)');
  await home.run('sync', 'a.db', 'b.db');
});
afterEach(() => {
  vi.unstubAllEnvs();
  home.remove();
});

async function rehearsed(sql: string, ...args: readonly string[]) {
  const { out, status } = await home.run('rehearse', sql, '--json', '--on', ...args);
  return { status, all: JSON.parse(out) as unknown };
}

const bytesOf = (name: string) => readFileSync(home.path(name));

describe('concord rehearse', () => {
  test('says what would happen where it is written and where it arrives, and changes nothing', async () => {
    await home.run('exec', 'b.db', `insert into orders values (1, 'x'), (2, 'y')`);
    vi.stubEnv('TMPDIR', home.folder);
    const before = readdirSync(home.folder);
    const bytes = ['a.db', 'b.db', 'c.db'].map(bytesOf);
    const { status, all } = await rehearsed('create index ix on orders (note)', 'a.db', 'b.db', 'c.db');
    expect(status).toBe(0);
    expect(all).toMatchObject([
      {
        name: 'a.db',
        role: 'author',
        rehearsal: {
          outcome: 'executes',
          steps: [{ type: 'create_index', verdict: 'executed', reason: 'It was written here.' }],
          result: [{ kind: 'index', name: 'ix', ddl: 'CREATE INDEX ix ON orders (note)' }],
        },
      },
      {
        name: 'b.db',
        role: 'receiver',
        rehearsal: {
          outcome: 'executes',
          rows: 2,
          steps: [{ verdict: 'executed', reason: 'There was no `ix` here, so it was made.' }],
        },
      },
      // What it needs comes before it, and is no part of what is told.
      { name: 'c.db', rehearsal: { outcome: 'executes', rows: 0, result: [{ name: 'ix' }] } },
    ]);
    expect(['a.db', 'b.db', 'c.db'].map(bytesOf)).toEqual(bytes);
    expect(readdirSync(home.folder)).toEqual(before);
  });

  test('what would block says why, with status 1', async () => {
    await home.run('exec', 'b.db', `insert into orders values (1, 'same'), (2, 'same')`);
    const { status, all } = await rehearsed('create unique index ix on orders (note)', 'a.db', 'b.db');
    expect(status).toBe(1);
    expect(all).toMatchObject([
      { rehearsal: { outcome: 'executes' } },
      {
        rehearsal: {
          outcome: 'blocks',
          message: expect.stringContaining('orders') as unknown,
          steps: [{ verdict: 'conflict' }],
          rows: 0,
        },
      },
    ]);
    expect((await home.run('blocked', 'b.db')).out).toContain('Nothing is blocked');
  });

  test('what would wait behind another conflict says so', async () => {
    await home.run('exec', 'c.db', 'create table orders (id text primary key)');
    const { status, all } = await rehearsed('alter table orders add column x text', 'a.db', 'c.db');
    expect(status).toBe(1);
    expect(all).toMatchObject([{}, { rehearsal: { outcome: 'waits', steps: [{ verdict: null }] } }]);
  });

  test('what cannot be written is refused with the words of SQLite, and arrives nowhere', async () => {
    const { status, all } = await rehearsed('create table orders (x)', 'a.db', 'b.db');
    expect(status).toBe(1);
    expect(all).toMatchObject([
      { rehearsal: { outcome: 'refused', message: 'table orders already exists', rows: 0, bytes: 0 } },
    ]);
  });

  test('a dropped table counts its rows', async () => {
    await home.run('exec', 'b.db', `insert into orders values (1, 'x'), (2, 'y'), (3, 'z')`);
    const { all } = await rehearsed('drop table orders', 'a.db', 'b.db');
    expect(all).toMatchObject([
      { rehearsal: { rows: 0, result: [{ kind: 'table', name: 'orders', ddl: null }] } },
      { rehearsal: { outcome: 'executes', rows: 3 } },
    ]);
  });

  test('a view that loses what it shows would be parked, not gone', async () => {
    await home.run('exec', 'a.db', 'create view notes as select note from orders');
    const { all } = await rehearsed('alter table orders drop column note', 'a.db');
    expect(all).toMatchObject([
      {
        rehearsal: {
          result: [
            { kind: 'table', name: 'orders', isParked: false },
            { kind: 'view', name: 'notes', isParked: true },
          ],
          findings: [{ kind: 'parked', table: 'notes' }],
        },
      },
    ]);
  });

  test('in words: a line a replica, the shape, and that nothing was changed', async () => {
    const { out, status } = await home.run(
      'rehearse',
      'create table t (id integer primary key)',
      '--on',
      'a.db',
    );
    expect(status).toBe(0);
    expect(out).toMatch(/a\.db \(written here\) +execute it +– +[\d.]+ KB +It was written here\./);
    expect(out).toContain('CREATE TABLE t (');
    expect(out).toMatch(/Nothing was changed\.\n$/);
  });

  test.for(['insert into orders values (1, 2)', '', 'create table t (x); delete from orders'])(
    'only schema statements are rehearsed: %s',
    async (sql) => {
      const { status, err } = await home.run('rehearse', sql, '--on', 'a.db');
      expect(status).toBe(1);
      expect(err).toMatch(/Only CREATE, DROP and ALTER are rehearsed|no statement to rehearse/);
    },
  );
});
