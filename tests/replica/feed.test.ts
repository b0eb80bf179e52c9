import { expect, test } from 'vitest';

import type { FeedError, FeedPage, FeedRequest } from '#main/replica/replica.ts';
import { present } from '#shared/assert.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';
import { createSeededRandom } from '../support/seeded-random.ts';

const { world, a, b } = freshReplicas(['a', 'b']);

const page = (of: TestReplica, request: FeedRequest = {}): FeedPage => {
  const read = of.core().readFeed(request);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
};

const refusal = (of: TestReplica, request: FeedRequest): FeedError['code'] | null => {
  const read = of.core().readFeed(request);
  return read.ok ? null : read.error.code;
};

/** Everything from a cursor to the end, and the cursor there. */
const walk = (of: TestReplica, { cursor, limit = 10 }: FeedRequest = {}) => {
  const pages = [page(of, { cursor, limit })];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next)
    pages.push(page(of, { cursor: next, limit }));
  return {
    pages,
    changes: pages.flatMap(({ changes }) => changes),
    resume: present(pages.at(-1), 'a walk has a page').resume,
  };
};

/** What a program that follows the feed has: rows by table and key. */
const createMirror = () => {
  const rows = new Map<string, Readonly<Record<string, SqlValue>>>();
  const text = (value: unknown): string =>
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));
  return {
    take: ({ changes }: Pick<FeedPage, 'changes'>) => {
      for (const { table, key, values } of changes) {
        const name = `${table} ${text(key)}`;
        if (values === null) rows.delete(name);
        else rows.set(name, values);
      }
    },
    rows: (table: string) =>
      [...rows]
        .filter(([name]) => name.startsWith(`${table} `))
        .map(([, values]) => text(values))
        .sort(),
    rowsOf: (replica: TestReplica, table: string, columns: readonly string[]) =>
      replica
        .rows(`SELECT ${columns.join(', ')} FROM ${table}`)
        .map((row) => text(Object.fromEntries(columns.map((name, at) => [name, row[at]]))))
        .sort(),
  };
};

test('F01 rows written in one millisecond all arrive, each once, in the order of their seq', () => {
  a.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)');
  for (const by of [a.exec, a.plain]) {
    const { resume } = walk(a);
    by(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25)
       INSERT INTO t (v) SELECT 'row ' || i FROM n`,
    );
    const { pages, changes } = walk(a, { cursor: resume });
    expect(pages.map((one) => one.changes.length)).toEqual([10, 10, 5]);
    expect(new Set(changes.map(({ values }) => values?.['id'])).size).toBe(25);
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map(({ seq }) => seq).toSorted((x, y) => x - y));
  }
});

test('F01 rows of before the attach arrive too, page by page', () => {
  const old = world.attach(
    'old',
    `CREATE TABLE t (id TEXT PRIMARY KEY, v TEXT);
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25) INSERT INTO t SELECT 'k' || i, i FROM n`,
  );
  const { pages, changes } = walk(old);
  expect(pages.map((one) => one.changes.length)).toEqual([10, 10, 5]);
  expect(new Set(changes.map(({ key }) => key['id'])).size).toBe(25);
});

test('F02 a row that changed again right after it was read arrives again, whole and with the new value', () => {
  a.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w TEXT); INSERT INTO t VALUES (1, 'one', 'w')");
  const { resume } = walk(a);
  a.exec("UPDATE t SET v = 'two' WHERE id = 1");
  const { changes } = walk(a, { cursor: resume });
  expect(changes).toMatchObject([{ table: 't', key: { id: 1n }, values: { id: 1n, v: 'two', w: 'w' } }]);
});

test('F03 a quiet feed gives nothing and has no next; its resume goes on with what comes later', () => {
  a.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'one')");
  const { resume } = walk(a);
  const quiet = page(a, { cursor: resume });
  expect(quiet.changes).toEqual([]);
  expect('next' in quiet).toBe(false);
  a.plain("INSERT INTO t VALUES (2, 'two')");
  expect(page(a, { cursor: quiet.resume }).changes).toMatchObject([{ key: { id: 2n } }]);
});

test('F03 a page that ends exactly at the last change has no next', () => {
  a.exec('CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)');
  expect('next' in page(a, { limit: 2 })).toBe(false);
  expect('next' in page(a, { limit: 1 })).toBe(true);
});

test.each([0, -1, 1_001, 1.5, Number.NaN])('F03 a limit of %d is refused', (limit) => {
  expect(refusal(a, { limit })).toBe('bad-limit');
});

test('F04 a delete arrives as a tombstone, a key that moves as a delete and a row, even one a page', () => {
  a.exec("CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT); INSERT INTO t VALUES ('a', 'x'), ('b', 'y')");
  const { resume } = walk(a);
  a.exec("DELETE FROM t WHERE k = 'a'; UPDATE t SET k = 'c' WHERE k = 'b'");
  const expected = [
    { key: { k: 'a' }, values: null },
    { key: { k: 'b' }, values: null },
    { key: { k: 'c' }, values: { k: 'c', v: 'y' } },
  ];
  for (const limit of [1, 2, 3]) {
    const { pages, changes } = walk(a, { cursor: resume, limit });
    expect(changes).toMatchObject(expected);
    expect(pages.every((one) => one.changes.length <= limit)).toBe(true);
  }
});

test('F05 LOG-004 a mirror that walks the feed while rows are written, changed and deleted ends equal', () => {
  const { draw } = createSeededRandom(5);
  a.exec(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); CREATE TABLE u (k TEXT PRIMARY KEY, n REAL) WITHOUT ROWID',
  );
  b.pull(a);
  const mirror = createMirror();
  let cursor: string | undefined;
  for (let turn = 0; turn < 400; turn += 1) {
    const id = 1 + Math.floor(draw() * 12);
    const write = present(
      [
        `INSERT OR REPLACE INTO t VALUES (${id}, 'v${turn}')`,
        `UPDATE t SET v = 'u${turn}' WHERE id <= ${id}`,
        `DELETE FROM t WHERE id = ${id}`,
        `UPDATE OR IGNORE t SET id = id + 3 WHERE id = ${id}`,
        `INSERT INTO u VALUES ('k${id}', ${turn}.5) ON CONFLICT DO UPDATE SET n = excluded.n`,
        `DELETE FROM u WHERE k > 'k${id}'`,
      ][Math.floor(draw() * 6)],
      'one of six',
    );
    present([a.exec, a.plain, b.exec][Math.floor(draw() * 3)], 'one of three')(write);
    if (draw() < 0.2) syncAll([a, b]);
    if (draw() < 0.3) {
      const read = page(a, { cursor, limit: 1 + Math.floor(draw() * 4) });
      mirror.take(read);
      cursor = read.resume;
    }
  }
  mirror.take(walk(a, { cursor }));
  expect(mirror.rows('t')).toEqual(mirror.rowsOf(a, 't', ['id', 'v']));
  expect(mirror.rows('u')).toEqual(mirror.rowsOf(a, 'u', ['k', 'n']));
  expect(mirror.rows('t').length).toBeGreaterThan(0);
});

test('F06 what another program commits late does not land behind a page that was given', () => {
  a.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)');
  a.plain("INSERT INTO t VALUES (1, 'first')");
  const first = walk(a);
  a.exec("INSERT INTO t VALUES (2, 'second')");
  a.plain("INSERT INTO t VALUES (-5, 'before all'); UPDATE t SET v = 'again' WHERE id = 1");
  const seen = Math.max(...first.changes.map(({ seq }) => seq));
  const later = walk(a, { cursor: first.resume }).changes;
  expect(later.map(({ key }) => key['id']).toSorted()).toEqual([-5n, 1n, 2n]);
  expect(later.every(({ seq }) => seq > seen)).toBe(true);
});

test('what arrives from a peer, with its author and HLC, is in the feed; what is held is not', () => {
  a.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE); INSERT INTO t VALUES (1, 'same')");
  b.pull(a);
  b.exec("DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (2, 'same')");
  const mirror = createMirror();
  a.exec("INSERT INTO t VALUES (3, 'other')");
  a.pull(b);
  const { changes } = walk(a);
  mirror.take({ changes });
  expect(mirror.rows('t')).toEqual(mirror.rowsOf(a, 't', ['id', 'v']));
  expect(changes.find(({ key }) => key['id'] === 2n)?.stamp.site).toBe(b.core().identity().site);
});

test('a query of some tables keeps to them, by their names of now', () => {
  a.exec(
    'CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE u (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2); INSERT INTO u VALUES (7)',
  );
  const first = page(a, { tables: ['T'], limit: 1 });
  expect(first.changes).toMatchObject([{ table: 't' }]);
  expect(page(a, { cursor: first.next }).changes).toMatchObject([{ table: 't', key: { id: 2n } }]);
  expect(refusal(a, { tables: ['nowhere'] })).toBe('no-such-table');
  expect(refusal(a, { cursor: first.next, tables: ['u'] })).toBe('bad-cursor');
});

test.each(['', 'x', 'bm9uc2Vuc2U', '{}'])('the cursor %j, which no feed gave, is refused', (cursor) => {
  expect(refusal(a, { cursor })).toBe('bad-cursor');
});

test('a cursor outlives its host, and not a file that is made anew', () => {
  a.exec('CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)');
  const { resume } = walk(a);
  a.reopen();
  a.exec('INSERT INTO t VALUES (2)');
  expect(page(a, { cursor: resume }).changes).toMatchObject([{ key: { id: 2n } }]);
  expect(refusal(b, { cursor: resume })).toBe('cursor-lost');
});

test('C017 what a table swap of another program leaves out is told by the feeds of the replicas that it reaches', () => {
  a.exec(
    `CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT);
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT 'k' || i, i FROM n`,
  );
  b.pull(a);
  const mirror = createMirror();
  const before = walk(b, { limit: 1_000 });
  mirror.take(before);
  a.plain(
    `CREATE TABLE t_new (k TEXT PRIMARY KEY, v TEXT); INSERT INTO t_new SELECT * FROM t WHERE v % 1000 = 0;
     DROP TABLE t; ALTER TABLE t_new RENAME TO t`,
  );
  b.pull(a);
  mirror.take(walk(b, { cursor: before.resume, limit: 1_000 }));
  expect(mirror.rows('t')).toEqual(mirror.rowsOf(b, 't', ['k', 'v']));
  expect(mirror.rows('t')).toHaveLength(2);
});

test('the feed of a table without a key, whose rows do not replicate, is refused by its name', () => {
  a.exec('CREATE TABLE loose (x)');
  expect(refusal(a, { tables: ['loose'] })).toBe('no-such-table');
});
