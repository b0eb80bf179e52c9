import { readdirSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makePlainDatabase } from '#main/store/plain-connection.ts';
import { makeCliHome, type CliHome } from '../support/cli-run.ts';

let home: CliHome;

beforeEach(() => {
  home = makeCliHome();
});
afterEach(() => home.remove());

const plain = (name: string, sql: string) => makePlainDatabase(home.path(name), sql);

async function compared(...args: readonly string[]) {
  const { out, status } = await home.run('diff', 'a.db', 'b.db', '--json', ...args);
  return { status, found: JSON.parse(out) as unknown };
}

describe('concord diff', () => {
  test('equal catalogs are 0, however they are written', async () => {
    plain('a.db', `create table t (id integer primary key, "n" text /* name */); create index i on t (n)`);
    plain('b.db', `CREATE TABLE [T] (Id INTEGER PRIMARY KEY, n TEXT); create index "i" on t ("n")`);
    const { status, out } = await home.run('diff', 'a.db', 'b.db');
    expect(status).toBe(0);
    expect(out).toBe('a.db and b.db have equal catalogs of 2 objects.\n');
  });

  test('what differs, and what is only on one side, is 1 with both definitions', async () => {
    plain('a.db', 'create table t (id integer primary key, n text); create table here (x)');
    plain('b.db', 'create table t (id integer primary key, n real); create view there as select 1 as one');
    const { status, out } = await home.run('diff', 'a.db', 'b.db');
    expect(status).toBe(1);
    expect(out).toContain('a.db and b.db differ: 1 is different, 1 is only in a.db, 1 is only in b.db.');
    expect(out).toMatch(/table t: different\n.*\n +n +type +TEXT +REAL/);
    expect(out).toContain('table here: only in a.db');
    expect(out).toContain('view there: only in b.db');
  });

  test('drift is listed as such, and is 0', async () => {
    plain('a.db', 'create table t (id integer primary key, n text, q int check (q > 0))');
    plain('b.db', 'create table t (id integer primary key, q int, n text)');
    const { status, found } = await compared();
    expect(status).toBe(0);
    expect(found).toMatchObject({
      counts: { drift: 1, different: 0 },
      items: [
        {
          state: 'drift',
          differences: [
            { kind: 'check', isDrift: true },
            { kind: 'columnOrder', isDrift: true },
          ],
        },
      ],
    });
  });

  test('what is parked on one side is named, without its text twice', async () => {
    plain(
      'a.db',
      `create table t (id integer primary key, n); create virtual table f using fts5(n);
       create trigger fill after insert on t begin insert into f values (new.n); end`,
    );
    await home.run('attach', 'a.db');
    await home.run('init', 'b.db');
    await home.run('sync', 'a.db', 'b.db');
    const { status, out } = await home.run('diff', 'a.db', 'b.db');
    expect(status).toBe(1);
    expect(out).toContain('Parked in b.db until what they name is there, at work in a.db:\n  trigger fill\n');
    expect(out).not.toContain('CREATE TRIGGER');
    expect((await home.run('diff', 'b.db', 'a.db', '--explain')).out).toMatch(
      /trigger fill: different\n[^]*CREATE TRIGGER/,
    );
  });

  test('explained, what is equal says by which rules', async () => {
    plain('a.db', 'create table t (id integer primary key, "n" text)');
    plain('b.db', 'CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)');
    const { out, status } = await home.run('diff', 'a.db', 'b.db', '--explain');
    expect(status).toBe(0);
    expect(out).toContain('table t: equal');
    expect(out).toContain('a name is the same name however it is quoted (quoting)');
    expect(out).toContain('CREATE TABLE t (');
  });

  test('two replicas and a plain file are compared alike, and nothing is left beside them', async () => {
    await home.run('init', 'a.db');
    await home.run('exec', 'a.db', 'create table t (id integer primary key, n text)');
    await home.run('init', 'c.db');
    await home.run('sync', 'a.db', 'c.db');
    plain('b.db', 'create table t (id integer primary key, n text); create table u (x)');
    expect((await home.run('diff', 'a.db', 'c.db')).status).toBe(0);
    const { status, found } = await compared();
    expect(status).toBe(1);
    expect(found).toMatchObject({ left: 'a.db', right: 'b.db', counts: { equal: 1, onlyRight: 1 } });
    expect(readdirSync(home.folder).filter((name) => name.includes('.db-'))).toEqual([]);
  });

  test('what is not there is trouble: 2', async () => {
    plain('a.db', 'create table t (x)');
    expect(await home.run('diff', 'a.db', 'nowhere.db')).toMatchObject({
      status: 2,
      err: expect.stringContaining('There is no file nowhere.db') as unknown,
    });
  });
});
