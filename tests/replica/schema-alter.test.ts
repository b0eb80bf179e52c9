import { testSchemaCases } from '../support/schema-case.ts';
import type { SchemaCase } from '../support/schema-case.ts';

// Fresh peers join by delta here; by snapshot they can when there are snapshots.

const ITEM = `CREATE TABLE item (id INTEGER PRIMARY KEY, sku TEXT, n INTEGER);
  INSERT INTO item VALUES (1, 'A', 10), (2, 'B', 20)`;

/** The same alteration on both, and one on one side alone. */
const alike = (
  title: string,
  sql: string,
  rest: Omit<SchemaCase, 'title' | 'moves'>,
): readonly SchemaCase[] => [
  { title: `${title}: replicates`, moves: [`a: ${sql}`], base: ITEM, ...rest },
  {
    title: `${title}: done at both, converges`,
    moves: [`a: ${sql}`, 'wait 9', `b: ${sql}`],
    base: ITEM,
    ...rest,
  },
];

const columnArms: readonly (readonly [arm: string, pattern: RegExp])[] = [
  ['SET DATA TYPE TEXT', /n TEXT/],
  ['SET NOT NULL', /n INTEGER NOT NULL/],
  ['SET DEFAULT 7', /n INTEGER DEFAULT 7/],
  ["SET DEFAULT 'it''s'", /n INTEGER DEFAULT 'it''s'/],
  ['SET DEFAULT (1 + 1)', /n INTEGER DEFAULT \(1 \+ 1\)/],
  ['SET COLLATE NOCASE', /n INTEGER COLLATE NOCASE/],
];

testSchemaCases([
  ...alike('A01 add column', 'ALTER TABLE item ADD COLUMN w TEXT', {
    end: { tables: { item: ['id', 'sku', 'n', 'w'] } },
  }),
  {
    title: 'A01 rows that come later fill the added column',
    base: ITEM,
    moves: [
      'a: ALTER TABLE item ADD COLUMN w TEXT',
      'a>b',
      `b: UPDATE item SET w = 'b' WHERE id = 1; INSERT INTO item VALUES (3, 'C', 30, 'new')`,
    ],
    end: {
      rows: {
        'SELECT id, w FROM item': [
          [1, 'b'],
          [2, null],
          [3, 'new'],
        ],
      },
    },
  },
  ...alike('A02 drop column', 'ALTER TABLE item DROP COLUMN n', {
    end: {
      tables: { item: ['id', 'sku'] },
      rows: {
        'SELECT * FROM item': [
          [1, 'A'],
          [2, 'B'],
        ],
      },
    },
  }),
  {
    title: 'A02 rows for the other columns still land after a drop of one',
    base: ITEM,
    moves: [
      'a: ALTER TABLE item DROP COLUMN n',
      `b: UPDATE item SET sku = 'A2', n = 11 WHERE id = 1; INSERT INTO item VALUES (3, 'C', 30)`,
    ],
    end: {
      tables: { item: ['id', 'sku'] },
      rows: {
        'SELECT * FROM item': [
          [1, 'A2'],
          [2, 'B'],
          [3, 'C'],
        ],
      },
    },
  },
  {
    title: 'A02 the first and a middle column, with an index and an unnamed constraint on it',
    base: `CREATE TABLE wide (a TEXT, id INTEGER PRIMARY KEY, b TEXT UNIQUE, c TEXT CHECK (c <> 'no'), d);
      CREATE INDEX wide_b ON wide (b, d); CREATE INDEX wide_d ON wide (d);
      INSERT INTO wide VALUES ('a1', 1, 'b1', 'c1', 'd1')`,
    moves: [
      'a: ALTER TABLE wide DROP COLUMN a',
      'a: ALTER TABLE wide DROP COLUMN b',
      'b: ALTER TABLE wide DROP COLUMN c',
    ],
    end: {
      objects: ['wide', 'wide_d'],
      rows: { 'SELECT * FROM wide': [[1, 'd1']] },
      notDdl: { wide: /CHECK|UNIQUE/ },
      mayWarn: true,
    },
  },
  ...alike('A03 rename column', 'ALTER TABLE item RENAME COLUMN sku TO code', {
    end: {
      tables: { item: ['id', 'code', 'n'] },
      rows: { 'SELECT code FROM item ORDER BY id': [['A'], ['B']] },
    },
  }),
  {
    title: 'A03 rows by the new name flow, and those by the old name land under it',
    base: ITEM,
    moves: [
      `a: ALTER TABLE item RENAME COLUMN sku TO code; UPDATE item SET code = 'A2' WHERE id = 1`,
      `b: UPDATE item SET sku = 'B2' WHERE id = 2; INSERT INTO item VALUES (3, 'C', 30)`,
    ],
    end: {
      rows: {
        'SELECT id, code FROM item': [
          [1, 'A2'],
          [2, 'B2'],
          [3, 'C'],
        ],
      },
    },
  },
  {
    title: 'A03 two columns change names by a third',
    base: ITEM,
    moves: [
      'a: ALTER TABLE item RENAME COLUMN sku TO x; ALTER TABLE item RENAME COLUMN n TO sku; ALTER TABLE item RENAME COLUMN x TO n',
      `b: UPDATE item SET sku = 'A2', n = 11 WHERE id = 1`,
    ],
    end: {
      rows: {
        'SELECT n, sku FROM item ORDER BY id': [
          ['A2', 11],
          ['B', 20],
        ],
      },
    },
  },
  ...alike('A04 add named constraint', 'ALTER TABLE item ADD CONSTRAINT few CHECK (n < 100)', {
    end: {
      ddl: { item: /CONSTRAINT few CHECK \(n < 100\)/ },
      refuses: [[`INSERT INTO item VALUES (9, 'Z', 100)`, /few|CHECK/]],
      takes: [`INSERT INTO item VALUES (9, 'Z', 99)`],
    },
  }),
  ...alike('A04 add named UNIQUE', 'ALTER TABLE item ADD CONSTRAINT one_sku UNIQUE (sku)', {
    end: {
      ddl: { item: /CONSTRAINT one_sku UNIQUE \(sku\)/ },
      refuses: [[`INSERT INTO item VALUES (9, 'A', 1)`, /UNIQUE/]],
    },
  }),
  {
    title: 'A04 add named foreign key',
    base: `${ITEM}; CREATE TABLE bin (id INTEGER PRIMARY KEY, item INTEGER); INSERT INTO bin VALUES (1, 2)`,
    moves: [
      'a: ALTER TABLE bin ADD CONSTRAINT bin_item FOREIGN KEY (item) REFERENCES item (id) ON DELETE CASCADE',
      'wait 9',
      'b: ALTER TABLE bin ADD CONSTRAINT bin_item FOREIGN KEY (item) REFERENCES item (id) ON DELETE CASCADE',
    ],
    end: {
      ddl: { bin: /CONSTRAINT bin_item FOREIGN KEY \(item\) REFERENCES item \(id\) ON DELETE CASCADE/ },
      refuses: [['INSERT INTO bin VALUES (2, 77)', /FOREIGN KEY/]],
    },
  },
  {
    title: 'A05 an unnamed UNIQUE over the same set in another order converges',
    base: ITEM,
    moves: ['a: ALTER TABLE item ADD UNIQUE (sku, n)', 'wait 9', 'b: ALTER TABLE item ADD UNIQUE (n, sku)'],
    end: { ddl: { item: /UNIQUE \((sku, n|n, sku)\)/ }, notDdl: { item: /UNIQUE[\s\S]*UNIQUE/ } },
  },
  {
    title: 'A05 a partial unique index over the set does not count',
    base: `${ITEM}; CREATE UNIQUE INDEX part ON item (sku) WHERE n > 0`,
    moves: ['a: ALTER TABLE item ADD UNIQUE (sku)'],
    end: {
      ddl: { item: /UNIQUE \(sku\)/ },
      objects: ['item', 'part'],
      refuses: [[`INSERT INTO item VALUES (9, 'A', -1)`, /UNIQUE/]],
    },
  },
  ...alike('A06 drop constraint', 'ALTER TABLE item DROP CONSTRAINT few', {
    base: `CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER CONSTRAINT few CHECK (n < 100), CONSTRAINT pair UNIQUE (n, id))`,
    end: {
      ddl: { item: /CONSTRAINT pair/ },
      notDdl: { item: /few|CHECK/ },
      takes: ['INSERT INTO item VALUES (9, 100)'],
    },
  }),
  ...alike('A06 rename constraint', 'ALTER TABLE item RENAME CONSTRAINT few TO limited', {
    base: `CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER, CONSTRAINT few CHECK (n < 100))`,
    end: { ddl: { item: /CONSTRAINT limited CHECK/ }, notDdl: { item: /few/ } },
  }),
  {
    title: 'A06 a constraint is renamed at one and dropped at the other',
    base: `CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER, CONSTRAINT few CHECK (n < 100))`,
    moves: [
      'a: ALTER TABLE item DROP CONSTRAINT few',
      'wait 9',
      'b: ALTER TABLE item RENAME CONSTRAINT few TO limited',
    ],
    end: { notDdl: { item: /CHECK/ }, mayWarn: true },
  },
  ...columnArms.flatMap(([arm, pattern]) =>
    alike(`A07 ${arm.toLowerCase()}`, `ALTER TABLE item ALTER COLUMN n ${arm}`, {
      end: { ddl: { item: pattern } },
    }),
  ),
  ...alike('A07 drop not null', 'ALTER TABLE item ALTER COLUMN n DROP NOT NULL', {
    base: 'CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER NOT NULL DEFAULT 1)',
    end: { ddl: { item: /n INTEGER DEFAULT 1/ }, takes: ['INSERT INTO item VALUES (1, NULL)'] },
  }),
  ...alike('A07 drop default', 'ALTER TABLE item ALTER COLUMN n DROP DEFAULT', {
    base: 'CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER NOT NULL DEFAULT 1)',
    end: { notDdl: { item: /DEFAULT/ }, refuses: [['INSERT INTO item (id) VALUES (1)', /NOT NULL/]] },
  }),
  ...[
    'SET DATA TYPE TEXT',
    'SET NOT NULL',
    'DROP NOT NULL',
    'SET DEFAULT 1',
    'DROP DEFAULT',
    'SET COLLATE NOCASE',
  ].map((arm): SchemaCase => ({
    title: `A08 ${arm.toLowerCase()} of a column that is dropped here converges with a warning`,
    base: ITEM,
    moves: ['b: ALTER TABLE item DROP COLUMN n', 'wait 9', `a: ALTER TABLE item ALTER COLUMN n ${arm}`],
    end: { tables: { item: ['id', 'sku'] }, mayWarn: true },
  })),
  ...alike('A09 alter primary key', 'ALTER TABLE item ALTER PRIMARY KEY (sku, n DESC)', {
    end: {
      ddl: { item: /PRIMARY KEY \(sku, n DESC\)/ },
      rows: {
        'SELECT id, sku, n FROM item ORDER BY id': [
          [1, 'A', 10],
          [2, 'B', 20],
        ],
      },
    },
  }),
  {
    title: 'A09 rows written meanwhile by the old key, updated and deleted, find their rows',
    base: `CREATE TABLE item (id INTEGER PRIMARY KEY, sku TEXT NOT NULL, n INTEGER); INSERT INTO item VALUES (1, 'A', 1), (2, 'B', 2), (3, 'C', 3)`,
    moves: [
      'a: ALTER TABLE item ALTER PRIMARY KEY (sku)',
      `b: UPDATE item SET n = 11 WHERE id = 1; DELETE FROM item WHERE id = 2; INSERT INTO item VALUES (4, 'D', 4)`,
      `a: UPDATE item SET n = 33 WHERE sku = 'C'`,
    ],
    end: {
      rows: {
        'SELECT * FROM item ORDER BY id': [
          [1, 'A', 11],
          [3, 'C', 33],
          [4, 'D', 4],
        ],
      },
    },
  },
  ...[
    'ALTER TABLE item ADD COLUMN w TEXT',
    'ALTER TABLE item RENAME COLUMN n TO m',
    'ALTER TABLE item ALTER COLUMN n SET DEFAULT 1',
    'ALTER TABLE item ADD CONSTRAINT k CHECK (n > 0)',
    'ALTER TABLE item ALTER PRIMARY KEY (sku)',
    'ALTER TABLE item ADD UNIQUE (sku)',
    'ALTER TABLE item DROP COLUMN n',
  ].map((sql): SchemaCase => ({
    title: `A10 ${sql} where the table is dropped: converges`,
    base: ITEM,
    moves: ['b: DROP TABLE item', 'wait 9', `a: ${sql}`],
    end: { objects: [], mayWarn: true },
  })),
  {
    title: 'A12 alterations in one relay apply in their order',
    base: ITEM,
    moves: [
      'a: ALTER TABLE item ADD COLUMN w TEXT',
      'a: ALTER TABLE item RENAME COLUMN w TO weight',
      'a: ALTER TABLE item ALTER COLUMN weight SET DATA TYPE REAL',
      `a: UPDATE item SET weight = '1.5' WHERE id = 1`,
      'a: ALTER TABLE item RENAME TO thing',
      'a: ALTER TABLE thing ALTER COLUMN weight SET DEFAULT 2.5',
      `a: INSERT INTO thing (id, sku) VALUES (3, 'C')`,
    ],
    end: {
      objects: ['thing'],
      rows: {
        'SELECT id, weight FROM thing ORDER BY id': [
          [1, 1.5],
          [2, null],
          [3, 2.5],
        ],
      },
    },
  },
  ...alike(
    'A13 an identical alteration on both peers: one column',
    "ALTER TABLE item ADD COLUMN w TEXT DEFAULT 'x'",
    {
      end: {
        tables: { item: ['id', 'sku', 'n', 'w'] },
        rows: { 'SELECT w FROM item': [['x'], ['x']] },
      },
    },
  ),
  {
    title: 'A14 a local alteration after one that was admitted is captured and sent',
    base: ITEM,
    moves: [
      'a: ALTER TABLE item ADD COLUMN w TEXT',
      'a>b',
      'b: ALTER TABLE item ADD COLUMN v TEXT',
      'b: ALTER TABLE item ALTER COLUMN w SET DEFAULT 9',
    ],
    end: { tables: { item: ['id', 'sku', 'n', 'v', 'w'] }, ddl: { item: /w TEXT DEFAULT 9/ } },
  },
  {
    title:
      'A24 a column with a default, and a peer without it that inserts meanwhile: the same value on both',
    base: ITEM,
    moves: [
      `a: ALTER TABLE item ADD COLUMN w TEXT DEFAULT 'dd'`,
      `b: INSERT INTO item VALUES (3, 'C', 30)`,
      `a: ALTER TABLE item ALTER COLUMN w SET DEFAULT 'ee'; INSERT INTO item (id) VALUES (4)`,
    ],
    end: {
      rows: {
        'SELECT id, w FROM item ORDER BY id': [
          [1, 'dd'],
          [2, 'dd'],
          [3, 'dd'],
          [4, 'ee'],
        ],
      },
    },
  },
  {
    title: 'A26 a column is dropped and one of its name added: no old value comes back',
    base: ITEM,
    moves: [
      'a: ALTER TABLE item DROP COLUMN sku',
      'a: ALTER TABLE item ADD COLUMN sku TEXT',
      `b: UPDATE item SET sku = 'late' WHERE id = 1`,
      `a: UPDATE item SET sku = 'new' WHERE id = 2`,
    ],
    end: {
      rows: {
        'SELECT id, sku FROM item ORDER BY id': [
          [1, null],
          [2, 'new'],
        ],
      },
    },
  },
]);
