import { expect, test } from 'vitest';

import { inOrder } from '#main/replica/group-order.ts';
import type { ChangeGroup, Page } from '#shared/model/change-group.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, type TestReplica } from '../support/replica-world.ts';
import { createSeededRandom } from '../support/seeded-random.ts';

// Guards ADMIT-001.

const { world } = freshReplicas();

const ROWS = (count: number): string =>
  Array.from({ length: count }, (_row, index) => `(${index + 1}, 'v${index + 1}')`).join(', ');

/** A source with a catalog of several objects, two baselines, a group larger than a page, overtaken entries and a deletion. */
function aSource(): TestReplica {
  const a = world.attach(
    'a',
    `CREATE TABLE old (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO old VALUES ${ROWS(23)};
     CREATE TABLE key (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO key VALUES ('a', 1), ('b', 2), ('c', 3), ('d', 4);
     CREATE INDEX old_v ON old (v); CREATE VIEW seen AS SELECT v FROM old`,
  );
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); BEGIN; INSERT INTO t VALUES ${ROWS(30)}; COMMIT`);
  a.exec(
    `UPDATE t SET v = 'changed' WHERE id < 9; DELETE FROM t WHERE id = 5; UPDATE old SET v = 'new' WHERE id = 3`,
  );
  a.exec(`UPDATE key SET v = 9 WHERE k = 'b'; INSERT INTO t VALUES (5, 'back')`);
  return a;
}

const contentOf = (replica: TestReplica): readonly unknown[] =>
  ['old', 'key', 't', 'seen'].map((table) => replica.rows(`SELECT * FROM ${table} ORDER BY 1`));

const shuffled = <T>(items: readonly T[], draw: () => number): readonly T[] =>
  items
    .map((item) => ({ item, at: draw() }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ item }) => item);

test('T10 groups of a page are put in the order of the source, whatever order they come in', () => {
  const a = aSource();
  const b = world.init('b');
  const draw = drawOf(7);
  const { pages } = b.pull(a, { facts: 1_000 });
  const [page] = pages;
  for (let round = 0; round < 20; round += 1) {
    const groups: readonly ChangeGroup[] = page?.groups ?? [];
    expect(inOrder(shuffled(groups, draw))).toEqual(groups);
  }
  expect(page?.groups.length).toBeGreaterThan(5);
});

test.for([1, 2, 3, 7, 10, 50])(
  'T07 T10 pages of %i facts, shuffled, doubled and broken off anywhere, give the same rows',
  (facts) => {
    const a = aSource();
    const b = world.init('b');
    const draw = drawOf(facts);
    /** What is left of a page when the host dies after some of its groups: those that the source has first. */
    const brokenOff = (page: Page): Page => {
      const kept = inOrder(page.groups).slice(0, Math.floor(draw() * (page.groups.length + 1)));
      const reached = kept.findLast(({ cursor }) => cursor !== undefined)?.cursor;
      return { ...page, groups: shuffled(kept, draw), cursor: reached ?? page.cursor, more: true };
    };
    for (let round = 0; round < 6; round += 1) {
      b.pull(a, {
        facts,
        pages: 1,
        times: 2,
        disturb: (page) => (page.groups.length === 0 ? page : isCut(brokenOff(page), page)),
      });
    }
    b.pull(a, { facts, times: 2, disturb: (page) => ({ ...page, groups: shuffled(page.groups, draw) }) });
    expect(contentOf(b)).toEqual(contentOf(a));
    expect(problemsOf(b)).toEqual([]);
    expect(b.pull(a).pages.flatMap(({ groups }) => groups)).toEqual([]);
  },
);

/** A page of which nothing arrived leaves the puller where it was. */
const isCut = (cut: Page, page: Page): Page =>
  cut.groups.length === 0
    ? { ...page, groups: page.groups.slice(0, 1), cursor: page.groups[0]?.cursor ?? page.cursor, more: true }
    : cut;

test.for([1, 3, 1_000])(
  'B07 a puller that stands in the middle goes on after the log was pruned, with pages of %i',
  (facts) => {
    const a = aSource();
    const b = world.init('b');
    b.pull(a, { facts, pages: 9 });
    world.wait(40 * 86_400_000);
    for (const id of [1, 2, 3]) a.exec(`UPDATE t SET v = 'again' WHERE id = ${id}`);
    const pruned = a.core().prune({ olderThanMs: 86_400_000 });
    expect(pruned.logEntries).toBeGreaterThan(0);
    expect(problemsOf(a)).toEqual([]);
    const c = world.init('c');
    for (const replica of [b, c]) {
      replica.pull(a, { facts });
      expect(contentOf(replica)).toEqual(contentOf(a));
      expect(problemsOf(replica)).toEqual([]);
    }
    expect(a.core().prune({ olderThanMs: 86_400_000 })).toMatchObject({ tombstones: 0, logEntries: 0 });
  },
);

test('W14 a page with nothing but what the puller wrote moves its watermark on', () => {
  const a = world.init('a');
  const b = world.init('b');
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES ${ROWS(9)}`);
  a.pull(b);
  b.pull(a, { facts: 2 });
  const before = b.core().status().peers;
  expect(before.map(({ watermark, peerHead }) => watermark === peerHead)).toEqual([true]);
  expect(b.pull(a).pages.map(({ read }) => read)).toEqual([0]);
});

function drawOf(seed: number): () => number {
  const random = createSeededRandom(seed);
  return () => {
    const [high = 0, low = 0] = random.bytes(2);
    return (high * 256 + low) / 65_536;
  };
}
