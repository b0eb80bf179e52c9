import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const { a, b, c } = freshReplicas(['a', 'b', 'c']);

/** More than two statements' worth of rows, and a rest. */
const ROWS = 120;

/** Keys of so many rows by their number, as SQL. */
const TABLES = [
  { title: 'INTEGER PRIMARY KEY', ddl: '(k INTEGER PRIMARY KEY, v, w, u UNIQUE)', key: 'n' },
  { title: 'a key of text', ddl: `(k TEXT PRIMARY KEY, v, w, u UNIQUE)`, key: `'k' || n` },
  { title: 'a key without a type', ddl: `(k PRIMARY KEY, v, w, u UNIQUE)`, key: `n / 2.0` },
  { title: 'a folded key', ddl: `(k TEXT PRIMARY KEY COLLATE NOCASE, v, w, u UNIQUE)`, key: `'Key' || n` },
  { title: 'WITHOUT ROWID', ddl: `(k TEXT PRIMARY KEY, v, w, u UNIQUE) WITHOUT ROWID`, key: `'k' || n` },
  {
    title: 'a key of bytes',
    ddl: `(k BLOB PRIMARY KEY, v, w, u UNIQUE) WITHOUT ROWID`,
    key: `cast(n AS BLOB)`,
  },
] as const;

function fill(ddl: string, key: string): void {
  a.exec(`CREATE TABLE t ${ddl};
    WITH RECURSIVE s (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM s WHERE n < ${ROWS})
    INSERT INTO t SELECT ${key}, n, n, 'u' || n FROM s`);
  b.pull(a);
  c.pull(a);
}

const content = (replica: TestReplica) => replica.rows('SELECT k, v, w, u FROM t ORDER BY k');

test.for(TABLES)('B01 B02 of many rows at once each cell goes its own way: $title', ({ ddl, key }) => {
  fill(ddl, key);
  a.exec(`UPDATE t SET v = 'a', w = 'a'`);
  b.exec(`UPDATE t SET v = 'b' WHERE cast(substr(u, 2) AS integer) % 3 = 0`);
  b.exec(`UPDATE t SET v = 'b', w = 'b' WHERE cast(substr(u, 2) AS integer) % 5 = 0`);
  b.exec(`DELETE FROM t WHERE u = 'u7'`);
  const [report] = b.pull(a).reports;
  const beaten = ROWS / 5 + 1;
  expect(report).toMatchObject({ factsApplied: ROWS - beaten, factsSuperseded: beaten, factsHeld: 0 });
  const expected = (n: number): readonly unknown[] =>
    n % 5 === 0 ? ['b', 'b'] : n % 3 === 0 ? ['b', 'a'] : ['a', 'a'];
  const numbers = Array.from({ length: ROWS }, (_row, at) => at + 1).filter((n) => n !== 7);
  expect(b.rows(`SELECT v, w FROM t ORDER BY cast(substr(u, 2) AS integer)`)).toEqual(numbers.map(expected));
  syncAll([a, b, c]);
  for (const replica of [a, c]) expect(content(replica)).toEqual(content(b));
});

test.for(TABLES)('B04 many cells that come again change nothing: $title', ({ ddl, key }) => {
  fill(ddl, key);
  a.exec(`UPDATE t SET v = 'a'`);
  c.pull(a);
  b.pull(a);
  expect(b.rows('SELECT count(*) FROM _concord_cell WHERE col >= 0')).toEqual([[BigInt(ROWS)]]);
  const head = b.core().identity().head;
  // By another way: c hands on what it had from a.
  b.pull(c);
  expect(b.core().identity().head).toBe(head);
  expect(content(b)).toEqual(content(a));
});

test('B10 one of many cells whose unique key is taken here waits, and the others go in', () => {
  fill(TABLES[1].ddl, TABLES[1].key);
  b.exec(`INSERT INTO t VALUES ('mine', 0, 0, 'new60')`);
  a.exec(`UPDATE t SET u = 'new' || substr(u, 2)`);
  b.pull(a);
  expect(b.rows(`SELECT count(*) FROM t WHERE u LIKE 'new%'`)).toEqual([[BigInt(ROWS)]]);
  syncAll([a, b, c]);
  for (const replica of [a, c]) expect(content(replica)).toEqual(content(b));
});
