import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

// Rows that another program left out when it made a table anew are forgotten after a time like deletions (PRUNE-001).

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);

const DAY_MS = 86_400_000;

const swapLeavingOut = (where: string): string =>
  `BEGIN; CREATE TABLE t_new (id TEXT PRIMARY KEY, v); INSERT INTO t_new SELECT * FROM t WHERE NOT (${where});
   DROP TABLE t; ALTER TABLE t_new RENAME TO t; COMMIT`;

const idsOf = (replica: TestReplica): readonly unknown[] =>
  replica.rows('SELECT id FROM t ORDER BY id').map(([id]) => Number(id));

/** A table whose rows have no place of their own in the log: rows 1 to 4 everywhere; then a's table is made anew without 2 and 3, and those who pull regularly hear of it. */
function leaveOut(regular: readonly TestReplica[]): void {
  a.exec(`CREATE TABLE t (id TEXT PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'a')`);
  syncAll([a, b, c]);
  b.exec(`INSERT INTO t VALUES (3, 'b'), (4, 'b')`);
  syncAll([a, b, c]);
  a.plain(swapLeavingOut('id IN (2, 3)'));
  syncAll(regular);
  for (const replica of regular) expect(idsOf(replica)).toEqual([1, 4]);
}

test('B07 rows that a table made anew left out are pruned after the horizon, their log entries with them; younger ones are kept', () => {
  leaveOut([a, b, c]);
  const leftOut = (): unknown => b.rows('SELECT count(*) FROM _concord_life WHERE life % 2 = 1');
  expect(leftOut()).toEqual([[2n]]);
  world.wait(29 * DAY_MS);
  expect(b.core().prune({})).toMatchObject({ tombstones: 0 });
  world.wait(2 * DAY_MS);
  a.plain(swapLeavingOut('id = 4'));
  syncAll([a, b, c]);
  expect(leftOut()).toEqual([[3n]]);
  const report = b.core().prune({});
  expect(report).toMatchObject({ tombstones: 2 });
  expect(report.logEntries).toBeGreaterThanOrEqual(2);
  expect(b.core().prune({})).toMatchObject({ tombstones: 0, logEntries: 0 });
  // The key is free for a new row, which all take, whether they have pruned or not.
  b.exec(`INSERT INTO t VALUES (2, 'new')`);
  c.exec(`INSERT INTO t VALUES (3, 'new')`);
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) {
    expect(replica.rows('SELECT * FROM t ORDER BY id')).toEqual([
      ['1', 'a'],
      ['2', 'new'],
      ['3', 'new'],
    ]);
  }
});

test('PRUNE-001 who has not heard that rows were left out is too old once that is pruned, and brings none of them back', () => {
  leaveOut([a, b]);
  world.wait(31 * DAY_MS);
  expect(b.core().prune({})).toMatchObject({ tombstones: 2 });
  expect(() => b.pull(c)).toThrow('too-old');
  expect(c.pull(b).blocked).toMatchObject({ cause: 'tooOld' });
  expect(idsOf(b)).toEqual([1, 4]);
  // By way of a new replica neither.
  const d = world.init('d');
  d.pull(c);
  expect(idsOf(d)).toEqual([1, 2, 3, 4]);
  expect(() => b.pull(d)).toThrow('too-old');
  // The author has nothing to prune of it, and what it made anew leaves the rows out wherever they come from.
  syncAll([a, c, d]);
  syncAll([a, b, c, d]);
  for (const replica of [a, b, c, d]) expect(idsOf(replica)).toEqual([1, 4]);
});

test('PRUNE-001 a file that pruned what was left out and is read anew as another site gets none of it back, by rows or by deletions', () => {
  leaveOut([a, b, c]);
  world.wait(31 * DAY_MS);
  b.core().prune({});
  b.core().newSite({ because: 'a copy', who: 'ines' });
  const head = b.core().identity().head;
  syncAll([a, b, c]);
  expect(idsOf(b)).toEqual([1, 4]);
  // What c has not pruned yet is a duplicate there.
  expect(b.core().prune({ olderThanMs: 0 })).toMatchObject({ tombstones: 0 });
  expect(b.core().identity().head).toBe(head);
});

test('ROW-003 a row that turns up late where others were pruned with the same stamp is left out everywhere', () => {
  const d = world.init('d');
  a.exec(`CREATE TABLE t (id TEXT PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'a')`);
  syncAll([a, b, c, d]);
  // Two insert one row at once; who makes the table anew knows of one of them, the later one.
  world.wait(2000);
  d.exec(`INSERT INTO t VALUES ('5', 'd')`);
  a.pull(d);
  c.setOffset(-2000);
  c.exec(`INSERT INTO t VALUES ('5', 'c')`);
  b.pull(c);
  a.plain(swapLeavingOut('id IN (2, 5)'));
  for (const replica of [b, c]) replica.pull(a);
  c.setOffset(0);
  expect(idsOf(b)).toEqual([1, 5]);
  world.wait(31 * DAY_MS);
  expect(b.core().prune({})).toMatchObject({ tombstones: 1 });
  // Only where the row was that the author knew of it is seen that it was left out.
  d.pull(a);
  expect(idsOf(d)).toEqual([1]);
  syncAll([a, b, c, d]);
  for (const replica of [a, b, c, d]) expect(idsOf(replica)).toEqual([1]);
});
