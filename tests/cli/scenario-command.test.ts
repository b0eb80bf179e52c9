import { existsSync, readdirSync, writeFileSync } from 'node:fs';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { queryPlain } from '#main/store/plain-connection.ts';
import { makeCliHome, type CliHome } from '../support/cli-run.ts';

let home: CliHome;

const GOOD = `title: A row travels
replicas: { a: {}, b: {} }
steps:
  - on: a
    sql: CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1);
  - sync: a -> b
  - expect: { rows: { on: b, sql: SELECT id FROM t, are: [[1]] } }
`;
const BAD = GOOD.replace('A row travels', 'Another row does not').replace('[[1]]', '[[2]]');

beforeEach(() => {
  home = makeCliHome();
  writeFileSync(home.path('good.yaml'), GOOD);
  writeFileSync(home.path('bad.yaml'), BAD);
  writeFileSync(home.path('odd.yaml'), `${GOOD}  - expect: { synced: [a] }\n`);
});
afterEach(() => home.remove());

test('one line a file and a count; status 0 only when all pass', async () => {
  expect(await home.run('scenario', 'good.yaml')).toEqual({
    status: 0,
    err: '',
    out: 'ok A row travels\n1 passed, 0 failed\n',
  });
  expect(await home.run('scenario', 'good.yaml', 'bad.yaml')).toEqual({
    status: 1,
    err: '',
    out: 'ok A row travels\nFAILED Another row does not: step 3 expected on b: [[2]]; there: [[1]]\n1 passed, 1 failed\n',
  });
});

test('a file that is not understood gives status 2; the others are played all the same', async () => {
  const run = await home.run('scenario', 'odd.yaml', 'good.yaml');
  expect(run).toMatchObject({ status: 2, out: 'ok A row travels\n1 passed, 1 failed\n' });
  expect(run.err).toMatch(/^odd\.yaml:8: unknown expectation "synced"; known: rows, .*\n$/);
});

test('with --json there is one document and nothing else', async () => {
  const { status, out } = await home.run('scenario', 'good.yaml', 'bad.yaml', '--json');
  expect(status).toBe(1);
  expect(JSON.parse(out)).toEqual({
    passed: 1,
    failed: 1,
    scenarios: [
      { file: 'good.yaml', outcome: 'ok', title: 'A row travels' },
      {
        file: 'bad.yaml',
        outcome: 'failed',
        title: 'Another row does not',
        step: 3,
        line: 7,
        expected: 'on b: [[2]]',
        there: '[[1]]',
      },
    ],
  });
});

test('with --keep the closed files stay, and a second run writes over nothing', async () => {
  await home.run('scenario', 'good.yaml', '--keep', 'kept');
  expect(readdirSync(home.path('kept/good'))).toEqual(['a.db', 'b.db']);
  expect(queryPlain(home.path('kept/good/b.db'), 'select id from t')).toEqual({ ok: true, value: [[1n]] });
  await home.run('scenario', 'good.yaml', '--keep', 'kept');
  expect(readdirSync(home.path('kept')).sort()).toEqual(['good', 'good-2']);
});

test('without --keep nothing stays', async () => {
  const before = readdirSync(home.folder);
  await home.run('scenario', 'good.yaml');
  expect(readdirSync(home.folder)).toEqual(before);
});

test('a folder for --keep that cannot be made is told before anything runs', async () => {
  const run = await home.run('scenario', 'good.yaml', '--keep', 'good.yaml/kept');
  expect(run).toMatchObject({ status: 1, out: '' });
  expect(run.err).toBe('good.yaml/kept cannot be made: name a folder that you may write.\n');
  expect(existsSync(home.path('kept'))).toBe(false);
});
