import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { LOG_KIND, ROW_KINDS } from '#main/store/metadata-schema.ts';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, syncAll } from '../support/replica-world.ts';
import type { PullOutcome } from '../support/replica-world.ts';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);

const sent = ({ pages }: PullOutcome): readonly unknown[] =>
  pages.flatMap(({ groups }) => groups.flatMap(({ migrations, blocks }) => [...migrations, ...blocks]));

const STORY = `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX t_v ON t (v); CREATE UNIQUE INDEX t_id_v ON t (id, v);
  INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three'); ALTER TABLE t ADD COLUMN w TEXT; UPDATE t SET w = 'x' WHERE id = 1;
  DELETE FROM t WHERE id = 2; CREATE TABLE gone (id INTEGER PRIMARY KEY); DROP TABLE gone; DROP INDEX t_id_v`;

test('C01 what was admitted is not captured again, and nothing goes back to its author', () => {
  a.exec(STORY);
  b.pull(a);
  b.core().notice();
  expect(sent(a.pull(b))).toEqual([]);
  const before = dumpFile(b);
  b.core().notice();
  expect(b.core().notice()).toMatchObject({ changes: 0, migrations: 0 });
  expect(dumpFile(b)).toBe(before);
  expect(sent(b.pull(a))).toEqual([]);
});

test('C01 the triggers write nothing beside what an admission records', () => {
  a.exec(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w TEXT UNIQUE); CREATE TABLE k (k TEXT PRIMARY KEY, v) WITHOUT ROWID',
  );
  a.exec(
    `INSERT INTO t VALUES (1, 'one', 'x'), (2, 'two', 'y'), (3, 'three', 'z'); INSERT INTO k VALUES ('a', 1), ('b', 2)`,
  );
  b.pull(a);
  a.exec(`UPDATE t SET v = 'new', id = 4 WHERE id = 1; DELETE FROM t WHERE id = 2; REPLACE INTO t VALUES (5, 'five', 'z');
    UPDATE k SET v = 3; UPDATE k SET k = 'c' WHERE k = 'a'; DELETE FROM k WHERE k = 'b'`);
  b.pull(a);
  expect(ownEntriesOfRows(b.path)).toEqual([]);
});

test('C02 what a hub relays comes back to its author by no other path', () => {
  a.exec(STORY);
  b.pull(a);
  c.pull(b);
  const before = dumpFile(a, ['_concord_peer', '_concord_site']);
  expect(a.pull(c)).toMatchObject({ applied: 0, held: 0 });
  expect(a.pull(b)).toMatchObject({ applied: 0, held: 0 });
  expect(dumpFile(a, ['_concord_peer', '_concord_site'])).toBe(before);
});

test('C03 of a mixed payload the others` changes apply and the own are skipped', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a')`);
  b.pull(a);
  c.pull(b);
  a.exec(`UPDATE t SET v = 'newer' WHERE id = 1`);
  b.exec(`INSERT INTO t VALUES (2, 'b')`);
  c.pull(b);
  const outcome = a.pull(c);
  expect(outcome).toMatchObject({ applied: 1 });
  expect(a.rows('SELECT * FROM t')).toEqual([
    [1n, 'newer'],
    [2n, 'b'],
  ]);
});

test('C04 DDL that fails or changes nothing leaves no state that swallows what comes next', () => {
  a.exec(`CREATE TABLE pay (id INTEGER PRIMARY KEY, a INTEGER); INSERT INTO pay VALUES (1, 10)`);
  a.refused('ALTER TABLE pay ADD COLUMN a TEXT');
  a.exec('CREATE TABLE IF NOT EXISTS pay (id INTEGER PRIMARY KEY); CREATE TABLE IF NOT EXISTS pay (x)');
  a.refused('CREATE INDEX nope ON nowhere (x)');
  a.exec(`INSERT INTO pay VALUES (2, 20); ALTER TABLE pay ADD COLUMN b`);
  b.pull(a);
  expect(b.rows('SELECT * FROM pay')).toEqual([
    [1n, 10n, null],
    [2n, 20n, null],
  ]);
});

test('C058 after a full round of DDL each delivered twice, no step goes round any more; a local ALTER right after still does', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX t_v ON t (v)`);
  const round = [
    [b, a],
    [a, b],
    [c, b],
    [a, c],
    [b, a],
  ] as const;
  for (const [to, from] of round) to.pull(from, { times: 2 });
  for (const [to, from] of round) expect(sent(to.pull(from))).toEqual([]);
  for (const replica of [a, b, c]) {
    const authors = replica
      .core()
      .migrations({ limit: 9 })
      .map(({ origin }) => origin);
    expect(new Set(authors)).toEqual(new Set([a.core().identity().site]));
  }
  b.exec('ALTER TABLE t ADD COLUMN w TEXT');
  a.pull(b);
  b.pull(a);
  expect(
    a
      .core()
      .catalog()
      .objects.find(({ name }) => name === 't')
      ?.columns.map(({ name }) => name),
  ).toEqual(['id', 'v', 'w']);
});

test('C001 a column added by hand on one replica and shipped on the other converges, and the last sync moves nothing', () => {
  a.exec('CREATE TABLE lesson (id INTEGER PRIMARY KEY, title TEXT)');
  b.pull(a);
  b.exec('ALTER TABLE lesson ADD COLUMN deadline INTEGER DEFAULT 0');
  a.exec(
    `ALTER TABLE lesson ADD COLUMN deadline INTEGER DEFAULT 0; INSERT INTO lesson (id, title, deadline) VALUES (1, 'intro', 7)`,
  );
  expect(b.pull(a).blocked).toBeNull();
  expect(a.pull(b).blocked).toBeNull();
  const last = b.pull(a);
  expect(last).toMatchObject({ groups: 0, applied: 0, migrations: 0 });
  for (const replica of [a, b]) expect(replica.rows('SELECT * FROM lesson')).toEqual([[1n, 'intro', 7n]]);
  expect(a.core().status().fingerprint).toBe(b.core().status().fingerprint);
});

test('C032 two replicas with one site ID are told so, and nothing moves', () => {
  const twin = world.init('twin');
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)`);
  const refusal = a.core().planPull({ ...a.core().identity(), nowMs: world.nowMs() });
  expect(refusal).toMatchObject({ ok: false, error: { code: 'duplicate-site' } });
  const served = a.core().readPage(a.core().identity().site, { facts: 10, conflicts: [] });
  expect(served).toMatchObject({ ok: false, error: { code: 'duplicate-site' } });
  syncAll([a, twin]);
});

test('H10 T13 a reopened replica goes on above its stored clock, with the same site', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a')`);
  b.pull(a);
  const { site, era } = a.core().identity();
  world.wait(-10_000);
  a.reopen();
  expect(a.core().identity()).toMatchObject({ site });
  expect(a.core().identity().era).not.toBe(era);
  a.exec(`UPDATE t SET v = 'b'`);
  b.pull(a);
  expect(b.rows('SELECT v FROM t')).toEqual([['b']]);
});

/** Kinds of the entries of rows that a replica takes for its own. */
function ownEntriesOfRows(path: string): readonly string[] {
  const db = new Database(path, { readonly: true });
  try {
    const kinds = db.prepare<[], number>('select kind from _concord_log where site is null').pluck().all();
    return Object.entries(LOG_KIND).flatMap(([name, kind]) =>
      ROW_KINDS.includes(kind) && kinds.includes(kind) ? [name] : [],
    );
  } finally {
    db.close();
  }
}
