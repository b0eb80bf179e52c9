import { beforeEach, expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';

const { a, b } = freshReplicas(['a', 'b'], { areSoundAtEnd: false });
beforeEach(() => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); CREATE TABLE w (k TEXT, n INTEGER, PRIMARY KEY (k, n)) WITHOUT ROWID;
    CREATE TABLE n (k TEXT PRIMARY KEY COLLATE NOCASE, v);
    INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three'); INSERT INTO w VALUES ('a', 1), ('b', 2); INSERT INTO n VALUES ('X', 1)`);
  b.pull(a);
});

const problems = (): readonly string[] => a.core().selfCheck();

test('a sound replica has no problems, also with writes that no notice has taken up', () => {
  expect(problems()).toEqual([]);
  a.plain(`DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (1, 'again'); UPDATE w SET n = 3 WHERE k = 'a'`);
  expect(problems()).toEqual([]);
  a.plain(`DELETE FROM n; INSERT INTO n VALUES ('x', 2)`);
  a.core().exec('SELECT 1');
  expect(problems()).toEqual([]);
});

const UNCAPTURED: readonly (readonly [string, RegExp])[] = [
  [`INSERT INTO t VALUES (9, 'nine')`, /^1 rows of "t" are not recorded\. They were written while/],
  [`INSERT INTO w VALUES ('z', 9)`, /^1 rows of "w" are not recorded\./],
  [
    `DELETE FROM t WHERE id = 2`,
    /^1 rows that are recorded of "t" are not there, and not recorded as deleted\./,
  ],
];

test.for(UNCAPTURED)('%s with capture off is told, with what to do', ([sql, sentence]) => {
  a.plain(`UPDATE _concord_state SET capture = 0; ${sql}; UPDATE _concord_state SET capture = 1`);
  const found = problems();
  expect(found.some((problem) => sentence.test(problem))).toBe(true);
  expect(found.every((problem) => /Concord|anew/.test(problem))).toBe(true);
});

test('a row that came back while nothing was captured is told', () => {
  a.exec('DELETE FROM t WHERE id = 2');
  a.plain(
    `UPDATE _concord_state SET capture = 0; INSERT INTO t VALUES (2, 'x'); UPDATE _concord_state SET capture = 1`,
  );
  expect(problems()).toContainEqual(
    expect.stringMatching(/^1 rows of "t" are there and recorded as deleted/),
  );
});

test('capture that somebody turned off is told at the next opening, and is on from then on', () => {
  a.plain('UPDATE _concord_state SET capture = 0');
  expect(problems()).toContainEqual(expect.stringMatching(/^Capture is off/));
  a.reopen();
  expect(
    a
      .core()
      .findings()
      .map(({ kind, detail }) => `${kind}: ${detail}`),
  ).toContainEqual(expect.stringMatching(/^capture: Capture is off/));
  a.exec(`INSERT INTO t VALUES (4, 'four')`);
  b.pull(a);
  expect(b.rows('SELECT id FROM t')).toEqual([[1n], [2n], [3n], [4n]]);
  expect(problems()).toEqual([]);
});

test('a trigger that another program dropped is back at the next notice, and what it missed goes out', () => {
  a.close();
  a.plain(`DROP TRIGGER _concord_u_1; UPDATE t SET v = 'unseen' WHERE id = 1`);
  a.reopen();
  expect(problems()).toEqual([]);
  b.pull(a);
  expect(b.rows('SELECT v FROM t WHERE id = 1')).toEqual([['unseen']]);
});

test.for([
  ['update _concord_log set tbl = 99 where kind = 1', /speak of a kind, site or table|point at log entries/],
  ['update _concord_peer set epoch = null, seq = 7', /watermark without the file/],
  ['delete from _concord_log where kind = 7', /in no log: no peer gets them/],
  [`update _concord_site set id = 70 where id = 1`, /no site ID/],
  [`update _concord_mark set sealed = -5, hi = 9223372036854775807`, /beyond its mark|below rows/],
  [
    `insert into _concord_blocked values (2, 'x', 'storage', 'table', 't', '{}', x'00', -1, 1, 1, 1, 1)`,
    /before the watermark/,
  ],
] as const)('bookkeeping that contradicts itself is told: %s', ([sql, sentence]) => {
  a.pull(b);
  a.plain(sql);
  expect(problems()).toContainEqual(expect.stringMatching(sentence));
});
