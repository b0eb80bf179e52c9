import { expect, test } from 'vitest';

import { openDatabase } from '#main/store/open-database.ts';
import { serveReplicaOn } from '#main/replica/open-replica.ts';
import type { Page } from '#shared/model/change-group.ts';
import { packHlc } from '#shared/model/hlc.ts';
import { makeFaulty } from '../support/faulty-database.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, problemsOf, syncAll, valueOf } from '../support/replica-world.ts';

const { world, a, b } = freshReplicas(['a', 'b']);

/** What a peer was last heard to have is noted outside of any admission. */
const HEARD = ['_concord_peer', '_concord_site'];

const factsOf = (page: Page): readonly string[] =>
  page.groups.flatMap(({ blocks }) => blocks.map(({ kind, rows }) => `${kind} ${rows.length}`));

test('T01 a transaction over several rows and tables is one group and goes in at once', () => {
  a.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE TABLE u (id TEXT PRIMARY KEY, v)');
  b.pull(a);
  a.exec(
    `BEGIN; INSERT INTO t VALUES (1, 'a'), (2, 'b'); INSERT INTO u VALUES ('x', 1); UPDATE t SET v = 'c' WHERE id = 1; COMMIT`,
  );
  const { pages, groups } = b.pull(a, { facts: 1, pages: 1 });
  expect(pages.map(({ groups: [group] }) => group?.unfinished)).toEqual([true]);
  expect(groups).toBe(0);
  expect(b.rows('SELECT count(*) FROM t')).toEqual([[0n]]);
  expect(b.pull(a, { facts: 1 }).groups).toBe(1);
  expect(b.rows('SELECT * FROM t')).toEqual(a.rows('SELECT * FROM t'));
  expect(b.rows('SELECT * FROM u')).toEqual(a.rows('SELECT * FROM u'));
});

test('T02 DDL and rows of one transaction travel in one group, DDL first', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v)`);
  b.pull(a);
  a.exec(`BEGIN; INSERT INTO t VALUES (1, 'a'); ALTER TABLE t ADD COLUMN w TEXT; UPDATE t SET w = 'x';
    CREATE TABLE u (id INTEGER PRIMARY KEY); INSERT INTO u VALUES (7); COMMIT`);
  const { pages } = b.pull(a);
  const [group, ...others] = pages.flatMap((page) => page.groups);
  expect(others).toEqual([]);
  expect(group?.migrations.map(({ type }) => type)).toEqual(['add_column', 'create_table']);
  expect(b.rows('SELECT * FROM t')).toEqual([[1n, 'a', 'x']]);
  expect(b.rows('SELECT * FROM u')).toEqual([[7n]]);
});

test('T03 a rollback records nothing, of rows and of schema', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v)`);
  b.pull(a);
  const before = dumpFile(a, ['_concord_state']);
  a.exec(
    `BEGIN; INSERT INTO t VALUES (1, 'a'); CREATE TABLE u (id INTEGER PRIMARY KEY); ALTER TABLE t ADD COLUMN w; ROLLBACK`,
  );
  a.refused(`BEGIN; INSERT INTO t VALUES (2, 'b'); CREATE TABLE w (id INTEGER PRIMARY KEY)`);
  a.refused(`BEGIN; INSERT INTO t VALUES (2, 'b'); INSERT INTO nowhere VALUES (1); COMMIT`);
  expect(dumpFile(a)).toBe(before);
  expect(b.pull(a).pages.flatMap(factsOf)).toEqual([]);
  a.exec(`INSERT INTO t VALUES (3, 'c'); ALTER TABLE t ADD COLUMN w`);
  b.pull(a);
  expect(b.rows('SELECT * FROM t')).toEqual([[3n, 'c', null]]);
});

test('T03 what a savepoint takes back is not recorded, what it leaves is', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v)`);
  a.exec(`BEGIN; INSERT INTO t VALUES (1, 'a'); SAVEPOINT s; INSERT INTO t VALUES (2, 'b');
    CREATE TABLE u (id INTEGER PRIMARY KEY); ROLLBACK TO s; RELEASE s; INSERT INTO t VALUES (3, 'c'); COMMIT`);
  b.pull(a);
  expect(b.rows('SELECT id FROM t')).toEqual([[1n], [3n]]);
  expect(
    b
      .core()
      .catalog()
      .objects.map(({ name }) => name),
  ).toEqual(['t']);
  expect([...problemsOf(a), ...problemsOf(b)]).toEqual([]);
});

test('T04 a table that is dropped in its own transaction costs only its rows', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE TABLE u (id INTEGER PRIMARY KEY, v)`);
  b.pull(a);
  a.exec(`BEGIN; INSERT INTO t VALUES (1, 'a'); INSERT INTO u VALUES (1, 'b'); DROP TABLE t; COMMIT`);
  b.pull(a);
  expect(
    b
      .core()
      .catalog()
      .objects.map(({ name }) => name),
  ).toEqual(['u']);
  expect(b.rows('SELECT * FROM u')).toEqual([[1n, 'b']]);
  expect(b.core().heldCounts()).toEqual([]);
});

test.each([1, 2, 3, 7, 50])(
  'T07 pages of %i cut between transactions: no gap, no repeat, no split',
  (facts) => {
    a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v)`);
    for (let n = 0; n < 12; n += 1) {
      const rows = Array.from({ length: 1 + (n % 4) }, (_value, at) => `(${n * 10 + at}, ${n})`);
      a.exec(`INSERT INTO t VALUES ${rows.join(', ')}`);
    }
    const { pages } = b.pull(a, { facts });
    const ids = pages.flatMap(({ groups }) =>
      groups.flatMap(({ blocks }) => blocks.flatMap(({ rows }) => rows.map(([id]) => id))),
    );
    expect(ids).toEqual(a.rows('SELECT id FROM t ORDER BY id').flat());
    // A group is whole, but for one that is larger than a page: its parts say so, and each page but the last is full.
    for (const { groups } of pages) {
      for (const group of groups) {
        const sources = new Set(group.blocks.flatMap(({ rows }) => rows.map(([, n]) => n)));
        expect(sources.size).toBeLessThanOrEqual(1);
      }
    }
    expect(pages.at(-1)?.more).toBe(false);
    expect(b.rows('SELECT * FROM t')).toEqual(a.rows('SELECT * FROM t'));
  },
);

test('T07 a group that is larger than a page comes in parts and goes in at once, with a warning', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v)`);
  b.pull(a);
  a.exec(
    `BEGIN; ${Array.from({ length: 25 }, (_value, n) => `INSERT INTO t VALUES (${n}, 'x')`).join(';')}; COMMIT`,
  );
  const seen: unknown[] = [];
  b.pull(a, {
    facts: 10,
    times: 2,
    disturb: (page) => {
      seen.push([
        page.groups.map(({ unfinished }) => unfinished === true),
        b.rows('SELECT count(*) FROM t').flat()[0],
      ]);
      return page;
    },
  });
  expect(seen).toEqual([
    [[true], 0n],
    [[true], 0n],
    [[false], 0n],
  ]);
  expect(b.rows('SELECT count(*) FROM t')).toEqual([[25n]]);
  expect(b.rows('SELECT count(*) FROM _concord_staged')).toEqual([[0n]]);
  expect(b.ports.log.of('admission.larger-than-a-page')).toEqual([
    {
      level: 'warn',
      event: 'admission.larger-than-a-page',
      fields: { peer: a.core().identity().site, parts: 3, facts: 25 },
    },
  ]);
});

test('T07 a group in parts is not lost when its receiver is reopened in between', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v)`);
  b.pull(a);
  a.exec(
    `BEGIN; ${Array.from({ length: 25 }, (_value, n) => `INSERT INTO t VALUES (${n}, 'x')`).join(';')}; COMMIT`,
  );
  b.pull(a, { facts: 10, pages: 2 });
  b.reopen();
  a.exec(`UPDATE t SET v = 'y' WHERE id = 3`);
  b.pull(a, { facts: 10 });
  syncAll([a, b]);
  expect(b.rows('SELECT * FROM t')).toEqual(a.rows('SELECT * FROM t'));
});

test('T08 an admission that fails at any write leaves no row, no metadata, no clock, no watermark; the retry converges', () => {
  a.setOffset(20_000);
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE); INSERT INTO t VALUES (1, 'a'), (2, 'b')`);
  b.pull(a);
  a.exec(`BEGIN; ALTER TABLE t ADD COLUMN w; UPDATE t SET v = 'c' WHERE id = 1; DELETE FROM t WHERE id = 2;
    INSERT INTO t VALUES (3, 'd', 7); CREATE TABLE u (id INTEGER PRIMARY KEY); CREATE INDEX t_w ON t (w); COMMIT`);
  b.close();
  const faulty = makeFaulty(valueOf(openDatabase({ path: b.path })));
  const core = valueOf(
    serveReplicaOn(faulty.db, { path: b.path, ports: b.ports, host: { id: 'b', address: null } }),
  );
  const peer = { ...a.core().identity(), nowMs: a.ports.clock.nowMs() };
  const page = valueOf(a.core().readPage(core.identity().site, valueOf(core.planPull(peer))));
  // The head that it has heard of is noted before.
  core.admitPage(peer, { ...page, groups: [], cursor: valueOf(core.planPull(peer)).cursor ?? page.cursor });
  const before = dumpFile(b, HEARD);
  const clock = b.rows('SELECT max(hlc_max) FROM _concord_site');

  let failures = 0;
  for (let writes = 0; ; writes += 1) {
    faulty.failAfter(writes);
    try {
      core.admitPage(peer, page);
      break;
    } catch (cause) {
      expect(cause).toMatchObject({ code: 'SQLITE_FULL' });
    }
    failures += 1;
    faulty.failAfter(Number.POSITIVE_INFINITY);
    expect(dumpFile(b, HEARD), `after ${writes} writes`).toBe(before);
    expect(b.rows('SELECT max(hlc_max) FROM _concord_site')).toEqual(clock);
    expect(core.selfCheck()).toEqual([]);
  }
  expect(failures).toBeGreaterThan(20);
  faulty.failAfter(Number.POSITIVE_INFINITY);
  expect(b.rows('SELECT * FROM t')).toEqual(a.rows('SELECT * FROM t'));
  expect(core.status().fingerprint).toBe(a.core().status().fingerprint);
  expect(core.selfCheck()).toEqual([]);
  core.close();
});

test('T08 the clock of a replica is where it was after an admission that failed', () => {
  b.exec(`CREATE TABLE own (id INTEGER PRIMARY KEY)`);
  b.close();
  const faulty = makeFaulty(valueOf(openDatabase({ path: b.path })));
  const core = valueOf(
    serveReplicaOn(faulty.db, { path: b.path, ports: b.ports, host: { id: 'b', address: null } }),
  );
  a.setOffset(30_000);
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)`);
  const peer = { ...a.core().identity(), nowMs: a.ports.clock.nowMs() };
  const page = valueOf(a.core().readPage(core.identity().site, valueOf(core.planPull(peer))));
  faulty.failAfter(15);
  expect(() => core.admitPage(peer, page)).toThrow();
  faulty.failAfter(Number.POSITIVE_INFINITY);
  valueOf(core.exec('INSERT INTO own VALUES (1)'));
  const [[hlc]] = b.rows('SELECT max(hlc) FROM _concord_log') as [[bigint]];
  expect(hlc).toBeLessThan(packHlc(world.nowMs() + 1_000));
  core.close();
});

test.each(['sql', 'plain'] as const)(
  'T13 what was committed before a crash is still synced later (%s)',
  (by) => {
    a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v)`);
    b.pull(a);
    if (by === 'sql') a.exec(`INSERT INTO t VALUES (1, 'a')`);
    else
      a.plain(
        `INSERT INTO t VALUES (1, 'a'); UPDATE t SET v = 'b'; CREATE TABLE u (id INTEGER PRIMARY KEY); INSERT INTO u VALUES (5)`,
      );
    // The host is gone without a word; another one opens the file.
    a.reopen();
    b.pull(a);
    expect(b.rows('SELECT * FROM t')).toEqual(a.rows('SELECT * FROM t'));
    expect(b.core().status().fingerprint).toBe(a.core().status().fingerprint);
  },
);

test('H11 a batch that is stamped 61 s ahead is refused whole: no row, no metadata, the clock unchanged', () => {
  a.setOffset(61_500);
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)`);
  const { blocked } = b.pull(a);
  expect(blocked).toMatchObject({ cause: 'clockAhead' });
  expect(blocked?.message).toMatch(/2026-06-01T00:01:.*2026-06-01T00:00:/);
  expect(b.core().catalog().objects).toEqual([]);
  expect(b.rows('SELECT count(*) FROM _concord_migration')).toEqual([[0n]]);
  b.exec('CREATE TABLE own (id INTEGER PRIMARY KEY)');
  const [[hlc]] = b.rows('SELECT max(hlc) FROM _concord_log') as [[bigint]];
  expect(hlc).toBeLessThan(packHlc(world.nowMs() + 1_000));
  world.wait(2_000);
  expect(b.pull(a).blocked).toBeNull();
  expect(b.rows('SELECT * FROM t')).toEqual([[1n]]);
});

test('H12 one fact an hour ahead in an honest group refuses the group', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a')`);
  b.pull(a);
  a.exec(`BEGIN; UPDATE t SET v = 'b'; INSERT INTO t VALUES (2, 'c'); COMMIT`);
  const ahead = packHlc(world.nowMs() + 3_600_000);
  const before = dumpFile(b, [...HEARD, '_concord_blocked']);
  const { blocked } = b.pull(a, {
    disturb: (page) => ({
      ...page,
      groups: page.groups.map((group) => ({
        ...group,
        blocks: group.blocks.map((block) =>
          block.kind === 'rows' ? { ...block, clocks: [[0, 1, ahead, block.site]] } : block,
        ),
      })),
    }),
  });
  expect(blocked).toMatchObject({ cause: 'clockAhead' });
  expect(dumpFile(b, [...HEARD, '_concord_blocked'])).toBe(before);
  expect(b.pull(a).blocked).toBeNull();
  expect(b.rows('SELECT * FROM t')).toEqual([
    [1n, 'b'],
    [2n, 'c'],
  ]);
});

test('T15 a unit that fails again and again tells its attempts and its next try, and other peers flow', () => {
  const c = world.init('c');
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY)`);
  b.exec(`CREATE TABLE t (id TEXT PRIMARY KEY)`);
  c.exec(`CREATE TABLE other (id INTEGER PRIMARY KEY); INSERT INTO other VALUES (1)`);
  const waits = [1, 2, 3].map(() => {
    b.pull(a);
    const [blocked] = b.core().blocked();
    return [blocked?.attempts, (blocked?.nextTryMs ?? 0) - world.nowMs()];
  });
  expect(waits).toEqual([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ]);
  b.pull(c);
  expect(b.rows('SELECT * FROM other')).toEqual([[1n]]);
  expect(b.core().status()).toMatchObject({ state: 'blocked', blockedBatches: 1 });
});
