import { beforeEach, expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';
import { testSchemaCases } from '../support/schema-case.ts';

// What may break rows that are there: it comes after the rows of its unit.

const ITEM = `CREATE TABLE item (id INTEGER PRIMARY KEY, sku TEXT, n INTEGER);
  INSERT INTO item VALUES (1, 'A', 10), (2, NULL, 20), (3, 'A', 30)`;

testSchemaCases([
  {
    title: 'A16 empty values filled, then NOT NULL, in one transaction: in force in the first round',
    base: ITEM,
    moves: [
      `a: BEGIN; UPDATE item SET sku = 'none' WHERE sku IS NULL; ALTER TABLE item ALTER COLUMN sku SET NOT NULL; COMMIT`,
    ],
    end: {
      ddl: { item: /sku TEXT NOT NULL/ },
      rows: { 'SELECT sku FROM item ORDER BY id': [['A'], ['none'], ['A']] },
      refuses: [['INSERT INTO item VALUES (9, NULL, 1)', /NOT NULL/]],
    },
  },
  {
    title: 'A18 add column, fill it, make it NOT NULL, in one transaction',
    base: ITEM,
    moves: [
      `a: BEGIN; ALTER TABLE item ADD COLUMN w TEXT; UPDATE item SET w = sku || n; UPDATE item SET w = 'x' WHERE w IS NULL;
         ALTER TABLE item ALTER COLUMN w SET NOT NULL; COMMIT`,
    ],
    end: {
      ddl: { item: /w TEXT NOT NULL/ },
      rows: { 'SELECT w FROM item ORDER BY id': [['A10'], ['x'], ['A30']] },
    },
  },
  {
    title: 'A19 C052 a unique index that the rows of the same transaction made room for',
    base: ITEM,
    moves: [`a: BEGIN; DELETE FROM item WHERE id = 3; CREATE UNIQUE INDEX one_sku ON item (sku); COMMIT`],
    end: {
      objects: ['item', 'one_sku'],
      rows: { 'SELECT id FROM item ORDER BY id': [[1], [2]] },
      refuses: [[`INSERT INTO item VALUES (9, 'A', 1)`, /UNIQUE/]],
    },
  },
  {
    title: 'A19 the same for a unique constraint',
    base: ITEM,
    moves: [
      `a: BEGIN; UPDATE item SET sku = 'C' WHERE id = 3; ALTER TABLE item ADD CONSTRAINT one_sku UNIQUE (sku); COMMIT`,
    ],
    end: {
      rows: { 'SELECT sku FROM item ORDER BY id': [['A'], [null], ['C']] },
      refuses: [[`INSERT INTO item VALUES (9, 'A', 1)`, /UNIQUE/]],
    },
  },
  {
    title: 'A19 the same for a foreign key whose parent comes in the same transaction',
    base: `${ITEM}; CREATE TABLE bin (id INTEGER PRIMARY KEY, item INTEGER); INSERT INTO bin VALUES (1, 77)`,
    moves: [
      `a: INSERT INTO item VALUES (77, 'P', 1)`,
      'a: ALTER TABLE bin ADD FOREIGN KEY (item) REFERENCES item (id)',
    ],
    end: {
      ddl: { bin: /FOREIGN KEY \(item\) REFERENCES item \(id\)/ },
      rows: { 'PRAGMA foreign_key_check': [] },
    },
  },
  {
    title: 'A19 a named check that the rows of the same transaction satisfy',
    base: ITEM,
    moves: [
      `a: BEGIN; UPDATE item SET n = 5 WHERE n >= 20; ALTER TABLE item ADD CONSTRAINT few CHECK (n < 20); COMMIT`,
    ],
    end: { ddl: { item: /CONSTRAINT few/ }, rows: { 'SELECT n FROM item ORDER BY id': [[10], [5], [5]] } },
  },
  {
    title: 'A20 a constraint that is added and dropped in one transaction leaves none',
    base: ITEM,
    moves: [
      `a: BEGIN; ALTER TABLE item ADD CONSTRAINT few CHECK (n < 100); ALTER TABLE item DROP CONSTRAINT few; COMMIT`,
    ],
    end: { notDdl: { item: /CHECK/ }, takes: ['INSERT INTO item VALUES (9, NULL, 100)'] },
  },
  {
    title: 'A21 a tightening, then a drop of the table, in one transaction',
    base: ITEM,
    moves: [
      `a: BEGIN; DELETE FROM item; ALTER TABLE item ALTER COLUMN sku SET NOT NULL; DROP TABLE item; COMMIT`,
    ],
    end: { objects: [], mayWarn: true },
  },
  {
    title: 'A21 a unique index, then a drop of the table, in one transaction',
    base: ITEM,
    moves: [
      `a: BEGIN; DELETE FROM item WHERE id = 3; CREATE UNIQUE INDEX one_sku ON item (sku); DROP TABLE item; COMMIT`,
    ],
    end: { objects: [], mayWarn: true },
  },
  {
    title: 'A22 a unique index, then a drop of its column, in one transaction: neither is left',
    base: ITEM,
    moves: [
      `a: BEGIN; DELETE FROM item WHERE id = 3; CREATE UNIQUE INDEX one_sku ON item (sku); ALTER TABLE item DROP COLUMN sku; COMMIT`,
    ],
    end: { objects: ['item'], tables: { item: ['id', 'n'] }, mayWarn: true },
  },
  {
    title: 'A22 the same, each in a transaction of its own',
    base: ITEM,
    moves: [
      `a: DELETE FROM item WHERE id = 3; CREATE UNIQUE INDEX one_sku ON item (sku)`,
      'a: ALTER TABLE item DROP COLUMN sku',
    ],
    end: { objects: ['item'], tables: { item: ['id', 'n'] }, mayWarn: true },
  },
  {
    title: 'A23 both add the same unnamed CHECK: one on each',
    base: ITEM,
    moves: [
      'a: ALTER TABLE item ADD CHECK (n < 100)',
      'wait 9',
      'b: alter table item add check ( (n < 100) )',
    ],
    end: {
      ddl: { item: /CHECK \(n < 100\)/ },
      notDdl: { item: /CHECK[\s\S]*CHECK/ },
      refuses: [['INSERT INTO item VALUES (9, NULL, 100)', /CHECK/]],
    },
  },
  {
    title:
      'A28 C050 a NOT NULL column without a default: rows without a value are held on all, until they get one',
    base: 'CREATE TABLE u (id INTEGER PRIMARY KEY)',
    moves: [
      'a: ALTER TABLE u ADD COLUMN mail TEXT NOT NULL',
      `a: INSERT INTO u VALUES (1, 'a@example.org')`,
      'b: INSERT INTO u VALUES (2)',
    ],
    end: {
      ddl: { u: /mail TEXT NOT NULL/ },
      rows: { 'SELECT * FROM u': [[1, 'a@example.org']] },
      held: [['u', 'notNull', 1]],
    },
  },
  {
    title: 'A28 held rows land when the column gets a default',
    base: 'CREATE TABLE u (id INTEGER PRIMARY KEY)',
    moves: [
      'a: ALTER TABLE u ADD COLUMN mail TEXT NOT NULL',
      'b: INSERT INTO u VALUES (2)',
      'a>b',
      'b>a',
      `a: ALTER TABLE u ALTER COLUMN mail SET DEFAULT 'none'`,
    ],
    end: { rows: { 'SELECT * FROM u': [[2, 'none']] }, held: [] },
  },
  {
    title: 'A28 held rows land when the column may be NULL',
    base: 'CREATE TABLE u (id INTEGER PRIMARY KEY)',
    moves: [
      'a: ALTER TABLE u ADD COLUMN mail TEXT NOT NULL',
      'b: INSERT INTO u VALUES (2)',
      'a>b',
      'b>a',
      `b: ALTER TABLE u ALTER COLUMN mail DROP NOT NULL`,
    ],
    end: { rows: { 'SELECT * FROM u': [[2, null]] }, held: [] },
  },
  {
    title: 'SET DATA TYPE stores as an insert does: what does not convert without loss stays as it is',
    base: `CREATE TABLE item (id INTEGER PRIMARY KEY, sku); INSERT INTO item VALUES (1, '12'), (2, 'twelve'), (3, 1.5), (4, x'00'), (5, NULL)`,
    moves: [
      'a: ALTER TABLE item ALTER COLUMN sku SET DATA TYPE INTEGER',
      `b: INSERT INTO item VALUES (6, '77')`,
    ],
    end: {
      rows: {
        'SELECT id, quote(sku) FROM item ORDER BY id': [
          [1, '12'],
          [2, `'twelve'`],
          [3, '1.5'],
          [4, `X'00'`],
          [5, 'NULL'],
          [6, '77'],
        ],
      },
    },
  },
]);

const { world, a, b } = freshReplicas(['a', 'b']);
beforeEach(() => {
  a.exec(ITEM);
  b.pull(a);
});

test.each([
  {
    title: 'NOT NULL',
    clean: 'DELETE FROM item WHERE id <> 1',
    tighten: 'ALTER TABLE item ALTER COLUMN sku SET NOT NULL',
    breaking: 'INSERT INTO item VALUES (7, NULL, 1)',
    loose: /sku TEXT,/,
    mend: `UPDATE item SET sku = 'mended' WHERE sku IS NULL`,
  },
  {
    title: 'a unique index',
    clean: 'DELETE FROM item WHERE id <> 1',
    tighten: 'CREATE UNIQUE INDEX one_n ON item (n)',
    breaking: 'INSERT INTO item VALUES (7, NULL, 5), (8, NULL, 5)',
    loose: /n INTEGER\s*\)/,
    mend: 'DELETE FROM item WHERE id = 8',
  },
  {
    title: 'a unique constraint',
    clean: 'DELETE FROM item WHERE id <> 1',
    tighten: 'ALTER TABLE item ADD UNIQUE (n)',
    breaking: 'INSERT INTO item VALUES (7, NULL, 5), (8, NULL, 5)',
    loose: /n INTEGER\s*\)/,
    mend: 'DELETE FROM item WHERE id = 8',
  },
  {
    title: 'a check',
    clean: 'DELETE FROM item WHERE id <> 1',
    tighten: 'ALTER TABLE item ADD CONSTRAINT few CHECK (n < 50)',
    breaking: 'INSERT INTO item VALUES (7, NULL, 99)',
    loose: /n INTEGER\s*\)/,
    mend: 'UPDATE item SET n = 9 WHERE id = 7',
  },
  {
    title: 'a foreign key',
    clean: 'DELETE FROM item WHERE id <> 1; UPDATE item SET n = 1',
    tighten: 'ALTER TABLE item ADD FOREIGN KEY (n) REFERENCES item (id)',
    breaking: 'INSERT INTO item VALUES (7, NULL, 99)',
    loose: /n INTEGER\s*\)/,
    mend: 'UPDATE item SET n = 1 WHERE id = 7',
  },
])(
  'A17 $title that rows here break blocks its unit and names them; once they are mended it is in force',
  ({ clean, tighten, breaking, loose, mend }) => {
    a.exec(clean);
    b.pull(a);
    a.exec(`${tighten}; CREATE TABLE later (id INTEGER PRIMARY KEY)`);
    b.exec(breaking);
    const { blocked } = b.pull(a);
    expect(blocked).toMatchObject({ cause: 'rowsBreakConstraint' });
    expect(blocked?.message).toMatch(/7/);
    expect(tableOf(b)).toMatch(loose);
    expect(
      b
        .core()
        .catalog()
        .objects.map(({ name }) => name),
    ).toEqual(['item']);
    expect(problemsOf(b)).toEqual([]);
    b.exec(mend);
    syncAll([a, b]);
    expect(b.core().blocked()).toEqual([]);
    expect(b.core().status().fingerprint).toBe(a.core().status().fingerprint);
    for (const replica of [a, b]) expect(problemsOf(replica)).toEqual([]);
    expect(a.rows('SELECT * FROM item ORDER BY id')).toEqual(b.rows('SELECT * FROM item ORDER BY id'));
  },
);

test('A17 a tightening that the rows of the one who wrote it break is refused there', () => {
  for (const sql of [
    'ALTER TABLE item ALTER COLUMN sku SET NOT NULL',
    'ALTER TABLE item ADD UNIQUE (sku)',
    'ALTER TABLE item ADD CHECK (n < 20)',
    'ALTER TABLE item ADD FOREIGN KEY (n) REFERENCES item (id)',
    'CREATE UNIQUE INDEX one ON item (sku)',
    'ALTER TABLE item ALTER PRIMARY KEY (sku)',
  ])
    expect(a.refused(sql).message, sql).not.toBe('');
  expect(tableOf(a)).toBe(tableOf(b));
  expect(problemsOf(a)).toEqual([]);
  expect(b.pull(a).migrations).toBe(0);
});

test('where NOT NULL is in force, an arriving row that breaks it is held, on every replica alike', () => {
  const c = world.init('c');
  a.exec(`UPDATE item SET sku = 'x'; ALTER TABLE item ALTER COLUMN sku SET NOT NULL`);
  c.pull(a);
  const d = world.init('d');
  d.pull(b);
  d.exec('INSERT INTO item VALUES (7, NULL, 1)');
  a.pull(d);
  expect(a.core().blocked()).toEqual([]);
  expect(a.core().heldCounts()).toEqual([{ table: 'item', reason: 'notNull', rows: 1 }]);
  expect(problemsOf(a)).toEqual([]);
});

test('in a STRICT table a type that rows here do not fit blocks and names the rows', () => {
  a.exec('CREATE TABLE s (id INTEGER PRIMARY KEY, v TEXT) STRICT');
  b.pull(a);
  a.exec('ALTER TABLE s ALTER COLUMN v SET DATA TYPE INTEGER');
  b.exec(`INSERT INTO s VALUES (41, 'seven')`);
  const { blocked } = b.pull(a);
  expect(blocked).toMatchObject({ cause: 'rowsBreakConstraint', object: 's' });
  expect(blocked?.message).toMatch(/41/);
  b.exec(`UPDATE s SET v = '7'`);
  syncAll([a, b]);
  for (const replica of [a, b]) expect(replica.rows('SELECT id, v FROM s')).toEqual([[41n, 7n]]);
});

const tableOf = (replica: TestReplica): string =>
  replica
    .core()
    .catalog()
    .objects.find(({ name }) => name === 'item')?.ddl ?? '';
