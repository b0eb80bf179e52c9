import { beforeEach, expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, syncAll, syncBoth } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';
import { testSchemaCases } from '../support/schema-case.ts';

// Fresh peers join by delta here; by snapshot they can when there are snapshots (R10, R17, R18).

const VISIT = `CREATE TABLE visit (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO visit VALUES (1, 'before')`;

testSchemaCases([
  {
    title: 'R01 R10 a rename reaches the peer, with the rows from before and after',
    base: VISIT,
    moves: [`a: ALTER TABLE visit RENAME TO stay; INSERT INTO stay VALUES (2, 'after')`],
    end: {
      objects: ['stay'],
      rows: {
        'SELECT * FROM stay ORDER BY id': [
          [1, 'before'],
          [2, 'after'],
        ],
      },
      held: [],
    },
  },
  {
    title: 'R01 C024 rows that are written under the old name meanwhile are in it, too',
    base: VISIT,
    moves: [
      `a: ALTER TABLE visit RENAME TO stay; UPDATE stay SET note = 'a' WHERE id = 1`,
      `b: INSERT INTO visit VALUES (3, 'meanwhile')`,
    ],
    end: {
      rows: {
        'SELECT * FROM stay ORDER BY id': [
          [1, 'a'],
          [3, 'meanwhile'],
        ],
      },
      held: [],
    },
  },
  {
    title: 'R02 a rename in the same transaction as writes before and after it',
    base: VISIT,
    moves: [
      `a: BEGIN; INSERT INTO visit VALUES (2, 'x'); UPDATE visit SET note = 'y' WHERE id = 1; ALTER TABLE visit RENAME TO stay;
         INSERT INTO stay VALUES (3, 'z'); DELETE FROM stay WHERE id = 2; COMMIT`,
    ],
    end: {
      objects: ['stay'],
      rows: {
        'SELECT * FROM stay ORDER BY id': [
          [1, 'y'],
          [3, 'z'],
        ],
      },
    },
  },
  {
    title: 'R04 both rename alike',
    base: VISIT,
    moves: [
      `a: ALTER TABLE visit RENAME TO stay; INSERT INTO stay VALUES (2, 'a')`,
      'wait 9',
      `b: ALTER TABLE visit RENAME TO stay; INSERT INTO stay VALUES (3, 'b')`,
    ],
    end: { objects: ['stay'], rows: { 'SELECT id FROM stay ORDER BY id': [[1], [2], [3]] } },
  },
  {
    title:
      'R05 a table that was dropped at the other is not renamed; rows the drop did not know of are held on all',
    base: VISIT,
    moves: [
      'b: DROP TABLE visit',
      'wait 9',
      `a: ALTER TABLE visit RENAME TO stay; INSERT INTO stay VALUES (2, 'after')`,
    ],
    end: { objects: [], held: [['stay', 'droppedTable', 1]], mayWarn: true },
  },
  {
    title: 'R07 a chain of renames, each with a row',
    base: VISIT,
    moves: [
      `a: ALTER TABLE visit RENAME TO v2; INSERT INTO v2 VALUES (2, '2'); ALTER TABLE v2 RENAME TO v3; INSERT INTO v3 VALUES (3, '3')`,
      `b: INSERT INTO visit VALUES (4, '4')`,
    ],
    end: { objects: ['v3'], rows: { 'SELECT id FROM v3 ORDER BY id': [[1], [2], [3], [4]] } },
  },
  {
    title: 'R07 a chain of renames in one transaction',
    base: VISIT,
    moves: ['a: BEGIN; ALTER TABLE visit RENAME TO v2; ALTER TABLE v2 RENAME TO v3; COMMIT'],
    end: { objects: ['v3'], rows: { 'SELECT id FROM v3': [[1]] } },
  },
  {
    title: 'R07 a rename, then a drop',
    base: VISIT,
    moves: ['a: BEGIN; ALTER TABLE visit RENAME TO v2; DROP TABLE v2; COMMIT'],
    end: { objects: [], mayWarn: true },
  },
  {
    title: 'R07 C022 a rename away and back keeps rows and tombstones',
    base: `${VISIT}; INSERT INTO visit VALUES (3, 'c')`,
    moves: [
      'a: DELETE FROM visit WHERE id = 3',
      'a: ALTER TABLE visit RENAME TO tmp',
      'a: ALTER TABLE tmp RENAME TO visit',
      `b: UPDATE visit SET note = 'unaware' WHERE id = 3`,
    ],
    end: { objects: ['visit'], rows: { 'SELECT * FROM visit': [[1, 'before']] } },
  },
  {
    title: 'R07 two tables swap their names',
    base: `${VISIT}; CREATE TABLE stay (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO stay VALUES (1, 'stay')`,
    moves: [
      'a: ALTER TABLE visit RENAME TO tmp; ALTER TABLE stay RENAME TO visit; ALTER TABLE tmp RENAME TO stay',
      `b: UPDATE visit SET note = 'was visit'; INSERT INTO stay VALUES (2, 'was stay')`,
    ],
    end: {
      rows: {
        'SELECT * FROM stay': [[1, 'was visit']],
        'SELECT * FROM visit ORDER BY id': [
          [1, 'stay'],
          [2, 'was stay'],
        ],
      },
    },
  },
  {
    title: 'R07 a table is renamed away and another is created under its name',
    base: VISIT,
    moves: [
      `a: ALTER TABLE visit RENAME TO old_visit; CREATE TABLE visit (code TEXT PRIMARY KEY, w BLOB); INSERT INTO visit VALUES ('k', x'01')`,
      `b: INSERT INTO visit VALUES (5, 'to the old one')`,
    ],
    end: {
      rows: {
        'SELECT id FROM old_visit ORDER BY id': [[1], [5]],
        'SELECT code FROM visit': [['k']],
      },
    },
  },
  {
    title: 'R11 drop, create again and a row in one transaction: the row lands',
    base: VISIT,
    moves: [
      `a: BEGIN; DROP TABLE visit; CREATE TABLE visit (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO visit VALUES (1, 'new'); COMMIT`,
    ],
    end: { rows: { 'SELECT * FROM visit': [[1, 'new']] } },
  },
  {
    title:
      'R11 R16 the same in transactions of their own, and a deletion from before does not reach into the new life',
    base: `${VISIT}; INSERT INTO visit VALUES (2, 'two')`,
    moves: [
      'a: DELETE FROM visit WHERE id = 2',
      'a: DROP TABLE visit',
      'a: CREATE TABLE visit (id INTEGER PRIMARY KEY, note TEXT)',
      `a: INSERT INTO visit VALUES (2, 'again')`,
    ],
    end: { rows: { 'SELECT * FROM visit': [[2, 'again']] } },
  },
  {
    title: 'R11 the new table has another shape',
    base: VISIT,
    moves: [
      `a: DROP TABLE visit; CREATE TABLE visit (code TEXT PRIMARY KEY, w REAL) WITHOUT ROWID; INSERT INTO visit VALUES ('x', 1.5)`,
      `b: INSERT INTO visit VALUES (9, 'to the old one')`,
    ],
    end: {
      rows: { 'SELECT * FROM visit': [['x', 1.5]] },
      held: [['visit', 'droppedTable', 1]],
    },
  },
  {
    title: 'R12 a drop at the end of the unit hides the table; rows that it did not know of are held',
    base: VISIT,
    moves: [
      `b: INSERT INTO visit VALUES (2, 'unknown to the drop'); UPDATE visit SET note = 'too' WHERE id = 1`,
      `a: INSERT INTO visit VALUES (3, 'known'); DROP TABLE visit`,
    ],
    end: { objects: [], held: [['visit', 'droppedTable', 2]] },
  },
  {
    title:
      'R13 an old deletion does not block a row of the table that was created again, in one transaction with a swap',
    base: VISIT,
    moves: [
      `a: BEGIN; DELETE FROM visit; ALTER TABLE visit RENAME TO attic; CREATE TABLE visit (id INTEGER PRIMARY KEY, note TEXT);
         INSERT INTO visit VALUES (1, 'new'); COMMIT`,
    ],
    end: { rows: { 'SELECT * FROM visit': [[1, 'new']], 'SELECT * FROM attic': [] } },
  },
  {
    title: 'R15 a create of a twin that the drop did not know of does not bring the table back',
    moves: [
      `b: CREATE TABLE visit (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO visit VALUES (2, 'b')`,
      `a: ${VISIT}`,
      'a: DROP TABLE visit',
    ],
    end: { objects: [], held: [['visit', 'droppedTable', 1]], mayWarn: true },
  },
  {
    title: 'R18 tables with dots, colons and quotes in their names never mix',
    base: `CREATE TABLE "a.b" (c INTEGER PRIMARY KEY, "d:e" TEXT); CREATE TABLE a (b INTEGER PRIMARY KEY, c TEXT);
      CREATE TABLE "a:b" ("c.d" INTEGER PRIMARY KEY, e TEXT); CREATE TABLE "a""b" (c INTEGER PRIMARY KEY, d TEXT)`,
    moves: [
      `a: INSERT INTO "a.b" VALUES (1, 'dot'); INSERT INTO a VALUES (1, 'bare'); INSERT INTO "a:b" VALUES (1, 'colon'); INSERT INTO "a""b" VALUES (1, 'quote')`,
      `a: DELETE FROM a; ALTER TABLE "a.b" RENAME TO "b.a"; ALTER TABLE "a:b" RENAME COLUMN "c.d" TO "c:d"`,
      `b: INSERT INTO "a.b" VALUES (2, 'dot'); INSERT INTO "a:b" VALUES (2, 'colon')`,
    ],
    end: {
      rows: {
        'SELECT * FROM "b.a" ORDER BY 1': [
          [1, 'dot'],
          [2, 'dot'],
        ],
        'SELECT "c:d", e FROM "a:b" ORDER BY 1': [
          [1, 'colon'],
          [2, 'colon'],
        ],
        'SELECT * FROM a': [],
        'SELECT * FROM "a""b"': [[1, 'quote']],
      },
    },
  },
  {
    title: 'A25 rows, then a renamed column: values intact on those that join',
    base: VISIT,
    moves: [
      `a: INSERT INTO visit VALUES (2, 'x'); ALTER TABLE visit RENAME COLUMN note TO remark; INSERT INTO visit VALUES (3, 'y')`,
      `b: UPDATE visit SET note = 'b' WHERE id = 1`,
    ],
    end: {
      rows: {
        'SELECT id, remark FROM visit ORDER BY id': [
          [1, 'b'],
          [2, 'x'],
          [3, 'y'],
        ],
      },
    },
  },
]);

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);
beforeEach(() => {
  a.exec(VISIT);
  b.pull(a);
  c.pull(a);
});

const names = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .catalog()
    .objects.map(({ name }) => name);

test.each([
  { title: 'a table', create: 'CREATE TABLE stay (id INTEGER PRIMARY KEY)' },
  { title: 'a view', create: 'CREATE VIEW stay AS SELECT 1 AS one' },
  { title: 'an index', create: 'CREATE INDEX stay ON visit (note)' },
])(
  'R03 a rename onto $title of that name is a conflict that names both, with nothing half-applied',
  ({ create }) => {
    a.exec(`ALTER TABLE visit RENAME TO stay; INSERT INTO stay VALUES (2, 'after')`);
    b.exec(create);
    const before = dumpFile(b, ['_concord_peer', '_concord_site', '_concord_blocked']);
    const { blocked } = b.pull(a);
    expect(blocked).toMatchObject({ cause: 'nameCollision', object: 'stay' });
    expect(blocked?.message).toMatch(/visit/);
    expect(blocked?.message).toMatch(/stay/);
    expect(dumpFile(b, ['_concord_peer', '_concord_site', '_concord_blocked'])).toBe(before);
    const back = a.pull(b);
    expect(back.blocked?.conflictId).toBe(blocked?.conflictId);
  },
);

test('R03 the way out of a name collision: one side gives the name free', () => {
  a.exec('ALTER TABLE visit RENAME TO stay');
  b.exec(`CREATE TABLE stay (id INTEGER PRIMARY KEY, v); INSERT INTO stay VALUES (1, 'b')`);
  expect(b.pull(a).blocked).not.toBeNull();
  b.exec('ALTER TABLE stay RENAME TO b_stay');
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) {
    expect(replica.core().blocked()).toEqual([]);
    expect(names(replica).toSorted()).toEqual(['b_stay', 'stay']);
    expect(replica.rows('SELECT * FROM stay')).toEqual([[1n, 'before']]);
    expect(replica.rows('SELECT * FROM b_stay')).toEqual([[1n, 'b']]);
  }
});

test('R03 a column that is renamed onto another one, and one added under the name of a renamed one', () => {
  a.exec('ALTER TABLE visit RENAME COLUMN note TO remark');
  b.exec('ALTER TABLE visit ADD COLUMN remark TEXT');
  expect(b.pull(a).blocked).toMatchObject({ cause: 'nameCollision', object: 'visit' });
  expect(a.pull(b).blocked).toMatchObject({ cause: 'nameCollision', object: 'visit' });
  expect(a.core().blocked()[0]?.conflictId).toBe(b.core().blocked()[0]?.conflictId);
});

test('R05 redelivery of a rename of a dropped table changes nothing', () => {
  a.exec(`ALTER TABLE visit RENAME TO stay; INSERT INTO stay VALUES (2, 'after')`);
  b.exec('DROP TABLE visit');
  const { pages } = b.pull(a);
  const before = dumpFile(b);
  const peer = { ...a.core().identity(), nowMs: world.nowMs() };
  for (const page of pages) b.core().admitPage(peer, page);
  expect(dumpFile(b)).toBe(before);
  expect(names(b)).toEqual([]);
});

test('R06 a producer that sends no IDs and no old name: no name moves, rows for the new name wait', () => {
  // Rows of a table that nobody announced, under a name and an ID of their own.
  a.exec(`CREATE TABLE stay (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO stay VALUES (2, 'new name')`);
  b.pull(a, {
    disturb: (page) => ({ ...page, groups: page.groups.map((group) => ({ ...group, migrations: [] })) }),
  });
  expect(names(b)).toEqual(['visit']);
  expect(b.core().heldCounts()).toEqual([{ table: 'stay', reason: 'unknownTable', rows: 1 }]);
  expect(b.rows('SELECT * FROM visit')).toEqual([[1n, 'before']]);
});

test('R08 a rename that a third relays keeps its author and decides by its own time', () => {
  a.exec('ALTER TABLE visit RENAME TO stay');
  world.wait(50);
  b.exec('ALTER TABLE visit RENAME TO sojourn');
  c.pull(a);
  world.wait(50);
  // The older rename comes to b by c, later than b's own.
  b.pull(c);
  expect(names(b)).toEqual(['sojourn']);
  expect(
    b
      .core()
      .migrations({ limit: 9 })
      .find(({ type, origin }) => type === 'rename_table' && origin === a.core().identity().site),
  ).toMatchObject({ verdict: 'superseded', object: 'stay', from: c.core().identity().site });
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) expect(names(replica)).toEqual(['sojourn']);
});

test('R09 the same rename batch twice brings nothing new', () => {
  a.exec(`ALTER TABLE visit RENAME TO stay; INSERT INTO stay VALUES (2, 'after')`);
  const { pages } = b.pull(a);
  const before = dumpFile(b);
  const peer = { ...a.core().identity(), nowMs: world.nowMs() };
  for (const page of pages)
    expect(b.core().admitPage(peer, page)).toMatchObject({
      admittedGroups: 0,
      factsApplied: 0,
      migrations: 0,
    });
  expect(dumpFile(b)).toBe(before);
});

test('R14 a batch of drop and create that is delivered again does not overwrite a newer local row', () => {
  a.exec(
    `DROP TABLE visit; CREATE TABLE visit (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO visit VALUES (1, 'new')`,
  );
  const { pages } = b.pull(a);
  b.exec(`UPDATE visit SET note = 'newer'`);
  const peer = { ...a.core().identity(), nowMs: world.nowMs() };
  for (const page of pages) b.core().admitPage(peer, page);
  expect(b.rows('SELECT * FROM visit')).toEqual([[1n, 'newer']]);
  syncBoth(a, b);
  expect(a.rows('SELECT * FROM visit')).toEqual([[1n, 'newer']]);
});
