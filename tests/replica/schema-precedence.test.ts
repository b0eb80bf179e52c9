import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, syncAll } from '../support/replica-world.ts';
import type { ReplicaOptions, TestReplica } from '../support/replica-world.ts';
import { expectSame, testSchemaCases } from '../support/schema-case.ts';
import type { SchemaCase } from '../support/schema-case.ts';

// Fresh peers join by delta here; by snapshot they can when there are snapshots.

const PET = `CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, age INTEGER DEFAULT 1);
  INSERT INTO pet VALUES (1, 'Bo', 3)`;

const cases: readonly SchemaCase[] = [
  {
    title: 'P01 a column that is dropped stays dropped though it is altered later',
    base: PET,
    moves: [
      'a: ALTER TABLE pet DROP COLUMN age',
      'wait 5000',
      'b: ALTER TABLE pet ALTER COLUMN age SET DEFAULT 7',
      'b: ALTER TABLE pet ALTER COLUMN age SET NOT NULL',
      'b: ALTER TABLE pet ALTER COLUMN age SET DATA TYPE TEXT',
    ],
    end: { tables: { pet: ['id', 'name'] }, rows: { 'SELECT * FROM pet': [[1, 'Bo']] }, mayWarn: true },
  },
  {
    title: 'P01 the same where the alteration is older than the drop',
    base: PET,
    moves: [
      'b: ALTER TABLE pet ALTER COLUMN age SET DEFAULT 7',
      'wait 5000',
      'a: ALTER TABLE pet DROP COLUMN age',
    ],
    end: { tables: { pet: ['id', 'name'] }, mayWarn: true },
  },
  {
    title: 'P01 a column that is dropped stays dropped though it is renamed later',
    base: PET,
    moves: [
      'a: ALTER TABLE pet DROP COLUMN age',
      'wait 5000',
      'b: ALTER TABLE pet RENAME COLUMN age TO years',
    ],
    end: { tables: { pet: ['id', 'name'] }, mayWarn: true },
  },
  {
    title: 'P02 a dropped table beats everything that is done to it later',
    base: PET,
    moves: [
      'a: DROP TABLE pet',
      'wait 5000',
      'b: ALTER TABLE pet ADD COLUMN colour TEXT',
      'b: ALTER TABLE pet RENAME COLUMN name TO called',
      'b: ALTER TABLE pet RENAME TO animal',
      'b: CREATE INDEX pet_called ON animal (called)',
      'b: CREATE UNIQUE INDEX pet_colour ON animal (colour)',
      'b: ALTER TABLE animal DROP COLUMN age',
    ],
    end: { objects: [], mayWarn: true, held: [] },
  },
  ...['older at a', 'older at b'].map((order): SchemaCase => {
    const five = `a: ALTER TABLE pet ALTER COLUMN age SET DEFAULT 5`;
    const nine = `b: ALTER TABLE pet ALTER COLUMN age SET DEFAULT 9`;
    return {
      title: `P03 of two alterations of one default the later holds (${order})`,
      base: PET,
      moves: order === 'older at a' ? [five, 'wait 9', nine] : [nine, 'wait 9', five],
      end: { ddl: { pet: order === 'older at a' ? /DEFAULT 9/ : /DEFAULT 5/ } },
    };
  }),
  {
    title: 'P03 a default that is taken away later is gone',
    base: PET,
    moves: [
      'a: ALTER TABLE pet ALTER COLUMN age SET DEFAULT 5',
      'wait 9',
      'b: ALTER TABLE pet ALTER COLUMN age DROP DEFAULT',
    ],
    end: { notDdl: { pet: /DEFAULT/ } },
  },
  {
    title: 'P03 the registers of one column are settled each for itself',
    base: PET,
    moves: [
      'a: ALTER TABLE pet ALTER COLUMN age SET DEFAULT 5',
      'b: ALTER TABLE pet ALTER COLUMN age SET NOT NULL',
      'a: ALTER TABLE pet ALTER COLUMN name SET COLLATE NOCASE',
      'b: ALTER TABLE pet ALTER COLUMN name SET DATA TYPE VARCHAR(9)',
    ],
    end: {
      ddl: {
        pet: /name VARCHAR\(9\) COLLATE NOCASE[\s\S]*age INTEGER (NOT NULL DEFAULT 5|DEFAULT 5 NOT NULL)/,
      },
    },
  },
  {
    title: 'P04 columns added at both, with an index and rows of each',
    base: PET,
    moves: [
      `a: ALTER TABLE pet ADD COLUMN x TEXT; CREATE INDEX pet_x ON pet (x); INSERT INTO pet (id, x) VALUES (2, 'ax')`,
      `b: ALTER TABLE pet ADD COLUMN y TEXT; CREATE INDEX pet_y ON pet (y); UPDATE pet SET y = 'by' WHERE id = 1`,
      `a: UPDATE pet SET x = 'ax' WHERE id = 1`,
    ],
    end: {
      objects: ['pet', 'pet_x', 'pet_y'],
      tables: { pet: ['id', 'name', 'age', 'x', 'y'] },
      rows: {
        'SELECT id, x, y FROM pet ORDER BY id': [
          [1, 'ax', 'by'],
          [2, 'ax', null],
        ],
      },
    },
  },
  {
    title: 'P06 a table is renamed at one and gets a column at the other',
    base: PET,
    moves: [
      'a: ALTER TABLE pet RENAME TO animal',
      `b: ALTER TABLE pet ADD COLUMN colour TEXT DEFAULT 'red'; INSERT INTO pet VALUES (2, 'Cy', 4, 'blue')`,
    ],
    end: {
      tables: { pet: null, animal: ['id', 'name', 'age', 'colour'] },
      rows: {
        'SELECT id, colour FROM animal ORDER BY id': [
          [1, 'red'],
          [2, 'blue'],
        ],
      },
    },
  },
  {
    title: 'P07 a column is renamed at one and altered at the other',
    base: PET,
    moves: [
      'a: ALTER TABLE pet RENAME COLUMN age TO years',
      'b: ALTER TABLE pet ALTER COLUMN age SET DEFAULT 9',
      'b: ALTER TABLE pet ALTER COLUMN age SET DATA TYPE REAL',
    ],
    end: {
      tables: { pet: ['id', 'name', 'years'] },
      ddl: { pet: /years REAL DEFAULT 9/ },
      rows: { 'SELECT years, typeof(years) FROM pet': [[3, 'real']] },
    },
  },
  {
    title: 'P07 a table is renamed at one, a column of it at the other, and both are written meanwhile',
    base: PET,
    moves: [
      `a: ALTER TABLE pet RENAME TO animal; UPDATE animal SET name = 'Bobo'`,
      `b: ALTER TABLE pet RENAME COLUMN age TO years; UPDATE pet SET years = 4; INSERT INTO pet VALUES (2, 'Cy', 5)`,
    ],
    end: {
      tables: { animal: ['id', 'name', 'years'], pet: null },
      rows: {
        'SELECT * FROM animal ORDER BY id': [
          [1, 'Bobo', 4],
          [2, 'Cy', 5],
        ],
      },
    },
  },
  {
    title: 'P07 of two renames of one column the later holds',
    base: PET,
    moves: [
      'a: ALTER TABLE pet RENAME COLUMN age TO years',
      'wait 9',
      'b: ALTER TABLE pet RENAME COLUMN age TO summers',
    ],
    end: { tables: { pet: ['id', 'name', 'summers'] }, rows: { 'SELECT summers FROM pet': [[3]] } },
  },
  {
    title: 'P07 of two renames of one table the later holds',
    base: PET,
    moves: ['b: ALTER TABLE pet RENAME TO beast', 'wait 9', 'a: ALTER TABLE pet RENAME TO animal'],
    end: { objects: ['animal'], rows: { 'SELECT name FROM animal': [['Bo']] } },
  },
  {
    title: 'P08 an index that is created again by one who knew of its drop is there',
    base: `${PET}; CREATE INDEX pet_name ON pet (name)`,
    moves: ['a: DROP INDEX pet_name', 'a>b', 'b: CREATE INDEX pet_name ON pet (name)'],
    end: { objects: ['pet', 'pet_name'] },
  },
  {
    title: 'P08 an index that is created again with other columns by one who knew of its drop',
    base: `${PET}; CREATE INDEX pet_name ON pet (name)`,
    moves: ['a: DROP INDEX pet_name', 'a>b', 'b: CREATE UNIQUE INDEX pet_name ON pet (name, age)'],
    end: { ddl: { pet_name: /UNIQUE INDEX pet_name/ } },
  },
  {
    title: 'P09 late alterations of a table that was dropped and created again do not touch the new one',
    base: `${PET}; CREATE INDEX pet_name ON pet (name)`,
    moves: [
      'a: DROP TABLE pet',
      `a: CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, age INTEGER DEFAULT 1)`,
      `a: INSERT INTO pet VALUES (9, 'new', 9)`,
      'wait 5000',
      'b: ALTER TABLE pet ADD COLUMN colour TEXT',
      'b: ALTER TABLE pet RENAME COLUMN name TO called',
      'b: ALTER TABLE pet ALTER COLUMN age SET DEFAULT 7',
      'b: DROP INDEX pet_name',
      'b: ALTER TABLE pet DROP COLUMN age',
    ],
    end: {
      tables: { pet: ['id', 'name', 'age'] },
      ddl: { pet: /age INTEGER DEFAULT 1/ },
      rows: { 'SELECT * FROM pet': [[9, 'new', 9]] },
      mayWarn: true,
    },
  },
  {
    title: 'P09 a late drop of the old column does not touch the one that was added again',
    base: PET,
    moves: [
      'a: ALTER TABLE pet DROP COLUMN age',
      'a: ALTER TABLE pet ADD COLUMN age INTEGER DEFAULT 0',
      'a: UPDATE pet SET age = 5',
      'wait 5000',
      'b: ALTER TABLE pet DROP COLUMN age',
    ],
    end: { tables: { pet: ['id', 'name', 'age'] }, rows: { 'SELECT age FROM pet': [[5]] } },
  },
];

testSchemaCases(cases);

const { world } = freshReplicas();

interface Three {
  readonly a: TestReplica;
  readonly b: TestReplica;
  readonly c: TestReplica;
}

function threeWithPet(options: ReplicaOptions = {}): Three {
  const three = { a: world.init('a', options), b: world.init('b', options), c: world.init('c', options) };
  three.a.exec(PET);
  for (const to of [three.b, three.c]) to.pull(three.a);
  return three;
}

test('P05 a column added with two types is a conflict on both sides that names it and both types, with one ID', () => {
  const { a, b } = threeWithPet();
  a.exec('ALTER TABLE pet ADD COLUMN bar INTEGER');
  world.wait(9);
  b.exec('ALTER TABLE pet ADD COLUMN bar TEXT');
  for (let round = 0; round < 2; round += 1) {
    b.pull(a);
    a.pull(b);
  }
  const views = [a, b].map((replica) => replica.core().blocked());
  for (const blocked of views) {
    expect(blocked).toMatchObject([{ cause: 'columnType', object: 'pet', column: 'bar' }]);
    for (const { message } of blocked) expect(message).toMatch(/INTEGER[\s\S]*TEXT|TEXT[\s\S]*INTEGER/);
  }
  expect(new Set(views.flat().map(({ conflictId }) => conflictId)).size).toBe(1);
});

test.each(['a first', 'b first'])(
  'P05 with the setting last writer wins, the later type is on all (%s)',
  (order) => {
    const options = { settings: { columnTypeConflict: 'lastWriterWins' } } as const;
    const { a, b, c } = threeWithPet(options);
    a.exec(`ALTER TABLE pet ADD COLUMN bar INTEGER; UPDATE pet SET bar = 7`);
    world.wait(9);
    b.exec(`ALTER TABLE pet ADD COLUMN bar TEXT; INSERT INTO pet VALUES (2, 'Cy', 1, 'text')`);
    if (order === 'a first') b.pull(a);
    else a.pull(b);
    syncAll([a, b, c]);
    const d = world.init('d', options);
    d.pull(a);
    for (const replica of [a, b, c, d]) {
      expect(replica.core().blocked()).toEqual([]);
      expect(replica.rows('SELECT id, bar, typeof(bar) FROM pet ORDER BY id')).toEqual([
        [1n, '7', 'text'],
        [2n, 'text', 'text'],
      ]);
      expect(problemsOf(replica)).toEqual([]);
    }
    expectSame([a, b, c, d]);
  },
);
