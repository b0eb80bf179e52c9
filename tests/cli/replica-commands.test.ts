import { existsSync, readdirSync, writeFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makePlainDatabase, queryPlain, runPlainSql } from '#main/store/plain-connection.ts';
import { makeCliHome, type CliHome } from '../support/cli-run.ts';

let home: CliHome;

beforeEach(() => {
  home = makeCliHome();
});
afterEach(() => home.remove());

const fine = { status: 0, err: '' };

async function json(...args: readonly string[]): Promise<unknown> {
  const { out } = await home.run(...args, '--json');
  return JSON.parse(out);
}

async function twoOfDifferentShape(): Promise<void> {
  await home.run('init', 'a.db');
  await home.run('init', 'b.db');
  await home.run(
    'exec',
    'a.db',
    "create table orders (id text primary key, total real); insert into orders values ('a1', 9.5)",
  );
  await home.run(
    'exec',
    'b.db',
    "create table orders (id text primary key, total text); insert into orders values ('b1', '7.250'), ('b2', 'see slip')",
  );
  await home.run(
    'exec',
    'a.db',
    "create table note (id integer primary key, body text); insert into note values (1, 'behind')",
  );
}

test('init makes a replica, says its site ID, and leaves nothing beside it', async () => {
  const made = await home.run('init', 'till.db');
  expect(made).toMatchObject(fine);
  expect(made.out).toMatch(/^Made the replica till\.db\. Its site ID is [\w-]{22}\.\n$/);
  expect(readdirSync(home.folder)).toEqual(['till.db']);
});

describe('attach and detach', () => {
  beforeEach(() => {
    makePlainDatabase(
      home.path('app.db'),
      `create table customer (id integer primary key, name text); insert into customer values (1, 'Ada');
       create table loose (x text); create index customer_name on customer(name);`,
    );
  });

  test('what is true of many tables alike is said once, and the others are named', async () => {
    makePlainDatabase(
      home.path('many.db'),
      'create table one (x); create table two (x); create table three (x); create table four (id integer primary key)',
    );
    const { out } = await home.run('attach', 'many.db');
    expect(out.match(/has no primary key/g)).toHaveLength(1);
    expect(out).toContain('one: Table "one" has no primary key');
    expect(out).toContain('\n  The same of three, two.');
    expect((await home.run('status', 'many.db')).out).toContain('\n  The same of three, two.');
  });

  test('attach says how many tables, that WAL is on now, and which rows stay local', async () => {
    const attached = await home.run('attach', 'app.db');
    expect(attached).toMatchObject(fine);
    expect(attached.out).toContain('Attached app.db with 2 tables.');
    expect(attached.out).toContain('Its journal mode was delete and is WAL now');
    expect(attached.out).toContain('loose:');
    const catalog = await home.run('catalog', 'app.db');
    expect(catalog.out).toMatch(/table +customer +– +1 +id\*, name/);
    expect(catalog.out).toContain('x (no key: its rows stay local)');
    expect(catalog.out).toMatch(/index +customer_name +customer/);
  });

  test('with --keep-journal-mode it stays as it is', async () => {
    expect(await json('attach', 'app.db', '--keep-journal-mode')).toMatchObject({
      tables: 2,
      journalMode: 'delete',
      journalModeChanged: false,
    });
  });

  test('detach leaves the plain database with the rows it has now', async () => {
    await home.run('attach', 'app.db');
    await home.run('exec', 'app.db', "insert into customer values (2, 'Bob')");
    const detached = await home.run('detach', 'app.db');
    expect(detached).toMatchObject(fine);
    expect(detached.out).toBe('Detached app.db: it is a plain database again, with journal mode delete.\n');
    const names = queryPlain(
      home.path('app.db'),
      `select count(*) from sqlite_schema where name like '\\_concord%' escape '\\'`,
    );
    expect(names).toEqual({ ok: true, value: [[0n]] });
    expect(queryPlain(home.path('app.db'), 'select count(*) from customer')).toEqual({
      ok: true,
      value: [[2n]],
    });
    expect(await home.run('status', 'app.db')).toMatchObject({ status: 1 });
  });
});

describe('exec', () => {
  beforeEach(async () => {
    await home.run('init', 'a.db');
  });

  test('says what each statement did, and shows rows', async () => {
    const run = await home.run(
      'exec',
      'a.db',
      "create table t (id integer primary key, v text); insert into t values (1, 'x'), (2, null); select id, v from t",
    );
    expect(run).toMatchObject(fine);
    expect(run.out).toContain("insert into t values (1, 'x'), (2, null): 2 rows changed");
    expect(run.out).toContain('id  v\n 1  x\n 2  null\n2 rows');
  });

  test('values that JSON cannot say are tagged', async () => {
    expect(
      await json(
        'exec',
        'a.db',
        `select 9223372036854775807 as i, 1.0 as r, x'00ff' as b, 1.5 as f, 'a' as t`,
      ),
    ).toMatchObject([
      {
        columns: ['i', 'r', 'b', 'f', 't'],
        rows: [[{ int: '9223372036854775807' }, { real: '1' }, { blob: '00ff' }, 1.5, 'a']],
      },
    ]);
  });

  test('statements may come from a file', async () => {
    writeFileSync(home.path('schema.sql'), 'create table t (id integer primary key);');
    expect(await home.run('exec', 'a.db', '--file', 'schema.sql')).toMatchObject(fine);
    expect(await home.run('exec', 'a.db', '--file', 'gone.sql')).toMatchObject({
      status: 1,
      err: 'gone.sql cannot be read: check the path.\n',
    });
  });

  test("what SQLite refuses is told in SQLite's words, with status 1", async () => {
    const run = await home.run('exec', 'a.db', 'insert into nowhere values (1)');
    expect(run).toMatchObject({ status: 1, out: '' });
    expect(run.err).toBe('no such table: nowhere; the statement was: insert into nowhere values (1)\n');
  });
});

test('status, catalog, migrations: in words and as one document; reading leaves nothing beside the file', async () => {
  await home.run('init', 'a.db');
  await home.run('exec', 'a.db', 'create table t (id integer primary key, v text)');
  const before = readdirSync(home.folder);
  const status = await home.run('status', 'a.db');
  expect(status).toMatchObject(fine);
  expect(status.out).toMatch(/^a\.db is in sync/);
  expect(await json('status', 'a.db')).toMatchObject({ state: 'inSync', tables: 1, heldRows: 0, peers: [] });
  expect(await json('catalog', 'a.db')).toMatchObject({
    objects: [{ kind: 'table', name: 't', rows: 0, rowsSync: true }],
  });
  expect((await home.run('catalog', 'a.db', '--ddl')).out).toMatch(/^CREATE TABLE t \(/);
  expect(await json('migrations', 'a.db')).toMatchObject([
    { type: 'create_table', object: 't', verdict: 'executed' },
  ]);
  expect(readdirSync(home.folder)).toEqual(before);
});

describe('sync', () => {
  test('both ways until quiet; what another program wrote goes along', async () => {
    await home.run('init', 'a.db');
    await home.run('init', 'b.db');
    await home.run(
      'exec',
      'a.db',
      "create table t (id integer primary key, v text); insert into t values (1, 'a')",
    );
    expect(await home.run('sync', 'a.db', 'b.db')).toEqual({
      ...fine,
      out: 'a.db → b.db: 1 fact, 1 schema change.\nb.db → a.db: nothing new.\n',
    });
    runPlainSql(home.path('b.db'), "update t set v = 'by another program' where id = 1", null);
    expect(await home.run('sync', 'a.db', 'b.db')).toMatchObject(fine);
    expect(queryPlain(home.path('a.db'), 'select v from t')).toEqual({
      ok: true,
      value: [['by another program']],
    });
  });

  test('one way only where that is said', async () => {
    await home.run('init', 'a.db');
    await home.run('init', 'b.db');
    await home.run('exec', 'b.db', 'create table t (id integer primary key)');
    expect((await home.run('sync', 'a.db', 'b.db', '--one-way')).out).toBe('a.db → b.db: nothing new.\n');
    expect(await json('catalog', 'a.db')).toMatchObject({ objects: [] });
  });

  test('a replica does not sync with a copy of itself', async () => {
    await home.run('init', 'a.db');
    expect(await home.run('sync', 'a.db', 'a.db')).toMatchObject({ status: 1 });
  });
});

describe('a conflict', () => {
  beforeEach(async () => {
    await twoOfDifferentShape();
    await home.run('sync', 'a.db', 'b.db');
  });

  test('stops the sync, with status 1, and is told by status and blocked', async () => {
    const again = await home.run('sync', 'a.db', 'b.db');
    expect(again).toMatchObject({ status: 1, err: '' });
    expect(again.out).toContain('blocked:');
    expect(await home.run('status', 'b.db')).toMatchObject({ status: 1 });
    const blocked = await home.run('blocked', 'b.db');
    expect(blocked).toMatchObject({ status: 1, err: '' });
    expect(blocked.out).toContain('b.db is blocked on orders');
    expect(blocked.out).toMatch(/total +type +TEXT +REAL/);
    expect(blocked.out).toContain('concord resolve b.db orders --with');
    expect(await json('blocked', 'b.db')).toMatchObject([{ object: 'orders', cause: 'divergentDefinition' }]);
  });

  test('shows beforehand what a decision changes, and changes nothing by that', async () => {
    const before = await json('status', 'b.db');
    const preview = await home.run('resolve', 'b.db', 'orders', '--with', 'takeRemote', '--preview');
    expect(preview).toMatchObject(fine);
    expect(preview.out).toContain('With takeRemote, b.db changes the shape of orders. Nothing was changed.');
    expect(preview.out).toContain('2 rows of orders here, 1 of them converted');
    expect(preview.out).toContain('1 cast loses something');
    expect(preview.out).toContain('"7.250"');
    expect(await json('status', 'b.db')).toMatchObject({
      fingerprint: (before as { readonly fingerprint: string }).fingerprint,
    });
    expect(await json('blocked', 'b.db')).toHaveLength(1);
  });

  test('is decided, and the other side comes free at its next sync', async () => {
    const decided = await home.run(
      'resolve',
      'b.db',
      'orders',
      '--with',
      'takeRemote',
      '--because',
      'numbers are numbers',
    );
    expect(decided).toMatchObject(fine);
    expect(decided.out).toContain('orders is decided on b.db with takeRemote');
    expect(await home.run('sync', 'a.db', 'b.db')).toMatchObject(fine);
    expect(await home.run('blocked', 'a.db')).toMatchObject({
      status: 0,
      out: 'Nothing is blocked on a.db.\n',
    });
    const rows = 'select id, typeof(total) from orders order by id';
    const expected = {
      ok: true,
      value: [
        ['a1', 'real'],
        ['b1', 'real'],
        ['b2', 'text'],
      ],
    };
    expect(queryPlain(home.path('a.db'), rows)).toEqual(expected);
    expect(queryPlain(home.path('b.db'), rows)).toEqual(expected);
    expect(queryPlain(home.path('b.db'), 'select body from note')).toEqual({ ok: true, value: [['behind']] });
  });

  test('set aside, its rows are held and the line goes on', async () => {
    expect(
      await home.run('resolve', 'b.db', 'orders', '--with', 'setAside', '--because', 'later'),
    ).toMatchObject({ status: 0 });
    await home.run('sync', 'a.db', 'b.db', '--one-way');
    const held = await home.run('held', 'b.db');
    expect(held).toMatchObject(fine);
    expect(held.out).toContain('1 row is held on b.db. They go in by themselves when they fit.');
    expect(await json('held', 'b.db', '--table', 'orders', '--reason', 'setAside')).toMatchObject({
      items: [
        { op: 'row', key: ['a1'], reason: 'setAside' },
        { op: 'migration', reason: 'setAside' },
      ],
    });
  });

  test('what is held is quarantined, released, drained, exported, and deleted with a reason', async () => {
    await home.run('resolve', 'b.db', 'orders', '--with', 'setAside', '--because', 'later');
    await home.run('sync', 'a.db', 'b.db', '--one-way');
    expect(
      await home.run('held', 'quarantine', 'b.db', '--reason', 'setAside', '--because', 'to look at'),
    ).toMatchObject({
      ...fine,
      out: expect.stringContaining('Quarantined on b.db: ') as string,
    });
    expect((await home.run('held', 'b.db')).out).toContain('setAside, quarantined');
    expect(await home.run('held', 'release', 'b.db', '--all')).toMatchObject(fine);
    const drained = await home.run('held', 'drain', 'b.db');
    expect(drained).toMatchObject({ status: 1, err: '' });
    expect(drained.out).toMatch(
      /^Of 2 held changes on b\.db 0 went in\.\n- 2 changes of orders \(setAside\): Its object was set aside\./,
    );
    expect(JSON.parse((await home.run('held', 'export', 'b.db')).out)).toMatchObject({
      format: 'concord-held',
      version: 1,
      replica: 'b.db',
      changes: [{ key: ['a1'] }, { op: 'migration' }],
    });
    const { items } = (await json('held', 'b.db')) as { readonly items: readonly { readonly id: number }[] };
    const gone = await home.run(
      'held',
      'delete',
      'b.db',
      '--id',
      String(items[0]?.id),
      '--because',
      'a trial',
    );
    expect(gone).toMatchObject(fine);
    expect(gone.out).toMatch(
      /^Deleted on b\.db: 1 change of 1 row of orders \(setAside\), \d+ bytes: key "a1"\. The journal has it\.\n$/,
    );
    expect(
      await home.run('held', 'delete', 'b.db', '--id', String(items[0]?.id), '--because', 'again'),
    ).toMatchObject({
      status: 1,
      out: '',
      err: `Nothing with the number ${String(items[0]?.id)} is held here, so there is nothing to delete.\n`,
    });
  });

  test('of another object is named instead', async () => {
    expect(await home.run('resolve', 'b.db', 'invoice', '--with', 'retry', '--because', 'x')).toMatchObject({
      status: 1,
      err: 'invoice is not blocked on b.db; what is: orders.\n',
    });
  });
});

test('a held row is written with other values, by its number', async () => {
  await home.run('init', 'a.db');
  await home.run('exec', 'a.db', 'create table t (id integer primary key, sku text unique, n integer)');
  await home.run('init', 'b.db');
  await home.run('sync', 'a.db', 'b.db');
  await home.run('exec', 'a.db', `insert into t values (1, 'A', 1)`);
  await home.run('exec', 'b.db', `insert into t values (2, 'A', 2)`);
  await home.run('sync', 'a.db', 'b.db');
  const { items } = (await json('held', 'b.db')) as { readonly items: readonly { readonly id: number }[] };
  const edit = (...rest: readonly string[]) =>
    home.run('held', 'edit', 'b.db', '--id', String(items[0]?.id), '--values', ...rest);
  expect(await edit('{"sku": "A"}')).toMatchObject({
    status: 1,
    out: '',
    err: expect.stringContaining('SQLite refuses the row: UNIQUE constraint failed: t.sku') as string,
  });
  expect(await edit('{"sku": "B", "n": {"int": "7"}}', '--because', 'typed twice')).toEqual({
    status: 0,
    out: 'The row of t that was held as uniqueCollision was written with sku = "B", n = {"int":"7"}.\n',
    err: '',
  });
  await home.run('sync', 'a.db', 'b.db');
  for (const file of ['a.db', 'b.db']) {
    expect((await home.run('held', file)).out).toContain('Nothing is held');
    expect(queryPlain(home.path(file), 'select * from t order by id')).toEqual({
      ok: true,
      value: [
        [1n, 'A', 1n],
        [2n, 'B', 7n],
      ],
    });
  }
});

test('nothing held and nothing blocked is said in words', async () => {
  await home.run('init', 'a.db');
  expect((await home.run('held', 'a.db')).out).toContain('Nothing is held on a.db.');
  expect((await home.run('blocked', 'a.db')).out).toBe('Nothing is blocked on a.db.\n');
});

test('the example fleet is made where one says, and its names are known from then on', async () => {
  const made = await home.run('example', 'shops');
  expect(made).toMatchObject(fine);
  expect(existsSync(home.path('shops/till-2.db'))).toBe(true);
  expect(await home.run('blocked', 'harbour')).toMatchObject({ status: 1 });
  expect((await home.run('blocked', 'harbour')).out).toMatch(/The line of hq: since \d+ min ago/);
  const { site } = (await json('status', 'market')) as { readonly site: string };
  expect((await home.run('status', site.slice(0, 8))).out).toMatch(/^market is blocked/);
  expect((await home.run('status', site.slice(0, 1))).err).toContain('no replica of the fleet has that name');
  const fleet = await home.run('status');
  expect(fleet).toMatchObject({ status: 1, err: '' });
  expect(fleet.out).toMatch(/^3 of 5 replicas need you: /);
  expect(await home.run('example', 'shops')).toMatchObject({ status: 1, out: '' });
});
