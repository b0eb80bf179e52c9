import { copyFileSync } from 'node:fs';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { runPlainSql } from '#main/store/plain-connection.ts';
import { makeCliHome, type CliHome } from '../support/cli-run.ts';

let home: CliHome;

beforeEach(async () => {
  home = makeCliHome();
  await home.run('init', 'a.db');
  await home.run('init', 'b.db');
  await home.run(
    'exec',
    'a.db',
    `create table t (id integer primary key, v text); insert into t values (1, 'one')`,
  );
  await home.run('sync', 'a.db', 'b.db');
});
afterEach(() => home.remove());

test('check says that a replica is sound, and what is not, with what to do and status 1', async () => {
  expect(await home.run('check', 'a.db')).toMatchObject({ status: 0, out: 'a.db is sound.\n' });
  runPlainSql(
    home.path('a.db'),
    `update _concord_state set capture = 0; insert into t values (2, 'x'); update _concord_state set capture = 1`,
    Date.UTC(2026, 5, 1),
  );
  const found = await home.run('check', 'a.db');
  expect(found.status).toBe(1);
  expect(found.out).toMatch(
    /^a\.db has 1 problem:\n {2}1 rows of "t" are not recorded\. .* insert them again/,
  );
});

test('prune says what went, and what it does not understand', async () => {
  await home.run('exec', 'a.db', 'delete from t');
  const pruned = await home.run('prune', 'a.db', '--older-than', '0h');
  expect(pruned.out).toMatch(
    /^Pruned a\.db: 1 deletion, \d+ log entries, no entries of the history, no held changes\.\n$/,
  );
  expect(await home.run('prune', 'a.db', '--older-than', 'long')).toMatchObject({ status: 2 });
  expect(await home.run('check', 'a.db')).toMatchObject({ status: 0 });
});

test('C032 new-site gives a copied file an identity of its own, with its rows and what it wrote', async () => {
  copyFileSync(home.path('a.db'), home.path('copy.db'));
  await home.run('exec', 'copy.db', `insert into t values (2, 'of the copy')`);
  await home.run('exec', 'a.db', `insert into t values (3, 'of the first')`);

  const twins = await home.run('sync', 'a.db', 'copy.db');
  expect(twins.status).toBe(1);
  expect(`${twins.out}${twins.err}`).toMatch(/new site/);

  expect(await home.run('new-site', 'copy.db')).toMatchObject({ status: 2 });
  const renewed = await home.run('new-site', 'copy.db', '--because', 'it is the second machine');
  expect(renewed).toMatchObject({ status: 0 });
  expect(renewed.out).toMatch(/^copy\.db is a replica of its own now: [\w-]{22}, before [\w-]{22}\./);
  expect(await home.run('sync', 'copy.db', 'a.db')).toMatchObject({ status: 0 });
  expect(await home.run('diff', 'a.db', 'copy.db')).toMatchObject({ status: 0 });
  for (const file of ['a.db', 'copy.db'])
    expect((await home.run('exec', file, 'select id from t order by id')).out).toMatch(/1[^]*2[^]*3/);
});

test('C032 a line that a copy blocks names the way out that works, and is tried again without an object', async () => {
  copyFileSync(home.path('a.db'), home.path('copy.db'));
  await home.run('exec', 'copy.db', `insert into t values (2, 'of the copy')`);
  await home.run('exec', 'a.db', `insert into t values (3, 'of the first')`);
  await home.run('sync', 'a.db', 'b.db');
  await home.run('sync', 'copy.db', 'b.db');

  const blocked = await home.run('blocked', 'b.db');
  expect(blocked.out).toMatch(/ {2}concord new-site FILE --because "\.\.\."\n$/);
  const decided = await home.run('resolve', 'b.db', '--with', 'newSite', '--because', 'why not');
  expect(decided).toMatchObject({ status: 1 });
  expect(decided.err).toMatch(/concord new-site FILE/);
  const again = await home.run('resolve', 'b.db', '--with', 'retry', '--because', 'to see');
  expect(again.out).toMatch(/^The line is decided on b\.db with retry/);
});
