import { testSchemaCases } from '../support/schema-case.ts';
import type { SchemaCase } from '../support/schema-case.ts';

// What needs more than one alteration to show: the file is what the record folds to, whoever wrote what first.

const T = `CREATE TABLE t (id INTEGER PRIMARY KEY, x, y);
  INSERT INTO t VALUES (1, 10, 'a')`;
const NAMED = `CREATE TABLE t (id INTEGER PRIMARY KEY, x, CONSTRAINT n CHECK (x > 0));
  INSERT INTO t VALUES (1, 10)`;

const cases: readonly SchemaCase[] = [
  {
    title: 'P01 a CHECK without a name goes with the column that was dropped elsewhere',
    base: T,
    moves: ['a: ALTER TABLE t DROP COLUMN x', 'b: ALTER TABLE t ADD CHECK (x > y OR id > 0)'],
    end: { tables: { t: ['id', 'y'] }, notDdl: { t: /CHECK/ }, mayWarn: true },
  },
  {
    title: 'P01 so does one with a name, and a UNIQUE',
    base: T,
    moves: [
      'b: ALTER TABLE t ADD CONSTRAINT n CHECK (x > 1)',
      'a: ALTER TABLE t DROP COLUMN x',
      'b: ALTER TABLE t ADD CONSTRAINT m UNIQUE (x, y)',
      'b: ALTER TABLE t ADD UNIQUE (y)',
    ],
    end: {
      tables: { t: ['id', 'y'] },
      ddl: { t: /UNIQUE \(y\)/ },
      notDdl: { t: /CHECK|CONSTRAINT/ },
      mayWarn: true,
    },
  },
  {
    title: 'P01 so does a generated column that needs it',
    base: T,
    moves: ['a: ALTER TABLE t DROP COLUMN x', 'b: ALTER TABLE t ADD COLUMN g AS (x || y)'],
    end: { tables: { t: ['id', 'y'] }, mayWarn: true },
  },
  {
    title: 'P07 a CHECK is about the column under whatever name that has by then',
    base: T,
    moves: [
      'a: ALTER TABLE t RENAME COLUMN x TO z',
      "b: ALTER TABLE t ADD CONSTRAINT n CHECK (x > 1 OR y = 'x')",
      'b: ALTER TABLE t ADD COLUMN g AS (x + 1)',
    ],
    end: {
      tables: { t: ['id', 'y', 'z', 'g'] },
      ddl: { t: /CHECK \(z > 1 OR y = 'x'\)/ },
      rows: { 'SELECT g FROM t': [[11]] },
    },
  },
  {
    title: 'R07 two columns swap their names while they are altered elsewhere',
    base: T,
    moves: [
      'a: ALTER TABLE t RENAME COLUMN x TO tmp',
      'a: ALTER TABLE t RENAME COLUMN y TO x',
      'a: ALTER TABLE t RENAME COLUMN tmp TO y',
      'b: ALTER TABLE t ALTER COLUMN x SET DEFAULT 7',
      "b: INSERT INTO t (id, y) VALUES (2, 'b')",
    ],
    end: {
      ddl: { t: /y DEFAULT 7/ },
      rows: {
        'SELECT id, x, y FROM t ORDER BY id': [
          [1, 'a', 10],
          [2, 'b', 7],
        ],
      },
    },
  },
  {
    title: 'A06 of two new names of one constraint the later holds',
    base: NAMED,
    moves: [
      'a: ALTER TABLE t RENAME CONSTRAINT n TO m',
      'wait 5000',
      'b: ALTER TABLE t RENAME CONSTRAINT n TO o',
    ],
    end: { ddl: { t: /CONSTRAINT o CHECK/ }, notDdl: { t: /CONSTRAINT [mn]\b/ }, mayWarn: true },
  },
  {
    title: 'A06 a constraint that is renamed here and dropped there is gone',
    base: NAMED,
    moves: ['a: ALTER TABLE t RENAME CONSTRAINT n TO m', 'b: ALTER TABLE t DROP CONSTRAINT n'],
    end: { notDdl: { t: /CHECK/ }, mayWarn: true },
  },
  {
    title: 'A06 both rename it alike',
    base: NAMED,
    moves: ['a: ALTER TABLE t RENAME CONSTRAINT n TO m', 'b: ALTER TABLE t RENAME CONSTRAINT n TO m'],
    end: { ddl: { t: /CONSTRAINT m CHECK/ } },
  },
  {
    title: 'P09 a constraint made anew under its name is not touched by a late drop of the old one',
    base: NAMED,
    moves: [
      'a: ALTER TABLE t DROP CONSTRAINT n',
      'a: ALTER TABLE t ADD CONSTRAINT n CHECK (x > 5)',
      'b: ALTER TABLE t DROP CONSTRAINT n',
    ],
    end: { ddl: { t: /CONSTRAINT n CHECK \(x > 5\)/ }, mayWarn: true },
  },
  {
    title: 'A04 of two constraints that were given one name at once the later holds',
    base: T,
    moves: [
      'a: ALTER TABLE t ADD CONSTRAINT n CHECK (x > 1)',
      'wait 5000',
      'b: ALTER TABLE t ADD CONSTRAINT n CHECK (x > 2)',
    ],
    end: { ddl: { t: /CONSTRAINT n CHECK \(x > 2\)/ }, notDdl: { t: /x > 1/ }, mayWarn: true },
  },
  {
    title: 'A06 a constraint that only one of two twin tables names is dropped by that name',
    moves: [
      'a: CREATE TABLE t (id INTEGER PRIMARY KEY, x, CHECK (x > 0))',
      'b: CREATE TABLE t (id INTEGER PRIMARY KEY, x, CONSTRAINT n CHECK (x > 0))',
      'b: ALTER TABLE t DROP CONSTRAINT n',
    ],
    end: { notDdl: { t: /CHECK/ }, mayWarn: true },
  },
  {
    title: 'C078 a column that is dropped and added again is another one',
    base: T,
    moves: [
      'a: ALTER TABLE t DROP COLUMN x',
      'a: ALTER TABLE t ADD COLUMN x INTEGER DEFAULT 0',
      'a: UPDATE t SET x = 5',
      "b: UPDATE t SET x = 'late old'",
      'b: ALTER TABLE t ALTER COLUMN x SET DEFAULT 99',
    ],
    end: { ddl: { t: /x INTEGER DEFAULT 0/ }, rows: { 'SELECT * FROM t': [[1, 'a', 5]] }, mayWarn: true },
  },
];

testSchemaCases(cases);
