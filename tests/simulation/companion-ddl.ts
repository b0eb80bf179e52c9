import type { Dice } from './chance.ts';

// Tables beside those of the stories of the schema: foreign keys that cascade, unique keys of all kinds, triggers that
// write, tables without a key.

const PARENTS = [
  '(id INTEGER PRIMARY KEY, a TEXT, n INTEGER)',
  '(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, n)',
];
const CHILDREN = [
  'ON DELETE CASCADE ON UPDATE CASCADE',
  'ON DELETE CASCADE',
  'ON DELETE SET NULL',
  'ON DELETE SET DEFAULT',
  '',
].map((rule) => `(id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id) ${rule}, a TEXT)`);
const UNIQUES = [
  '(code TEXT PRIMARY KEY COLLATE NOCASE, a TEXT UNIQUE, b)',
  '(x INTEGER, y TEXT, a, b TEXT, PRIMARY KEY (x, y)) WITHOUT ROWID',
  '(id INTEGER PRIMARY KEY, a TEXT, b TEXT, UNIQUE (a, b))',
  '(id INTEGER PRIMARY KEY, a INTEGER UNIQUE, b TEXT UNIQUE) STRICT',
  '(code TEXT PRIMARY KEY, a TEXT UNIQUE, b TEXT NOT NULL DEFAULT 0) WITHOUT ROWID',
  '(a, b)',
];

type Form = (dice: Dice) => string;

const create: Form = (dice) =>
  dice.pick([
    `CREATE TABLE p ${dice.pick(PARENTS)}`,
    `CREATE TABLE q ${dice.pick(CHILDREN)}`,
    `CREATE TABLE r ${dice.pick(UNIQUES)}`,
  ]);

const FORMS: readonly (readonly [number, Form])[] = [
  [3, create],
  [
    2,
    (dice) =>
      `CREATE UNIQUE INDEX ru ON r (${dice.pick(['a', 'b', 'lower(a)', 'a, b', 'b COLLATE NOCASE'])})`,
  ],
  [
    1,
    (dice) =>
      `CREATE UNIQUE INDEX rp ON r (${dice.pick(['a', 'b'])}) WHERE ${dice.pick(['a', 'b'])} IS NOT NULL`,
  ],
  [2, (dice) => `DROP INDEX ${dice.pick(['ru', 'rp'])}`],
  [
    2,
    (dice) =>
      `ALTER TABLE ${dice.pick(['p', 'q', 'r'])} ADD COLUMN ${dice.pick(['c', 'c TEXT', "d TEXT DEFAULT 'dd'", 'e INTEGER DEFAULT 0'])}`,
  ],
  [
    2,
    (dice) =>
      `CREATE TRIGGER pt AFTER ${dice.pick(['INSERT', 'UPDATE OF a', 'DELETE'])} ON q BEGIN UPDATE p SET n = coalesce(n, 0) + 1 WHERE id = ${dice.pick(['1', '2'])}; END`,
  ],
  [1, () => 'DROP TRIGGER pt'],
  [1, (dice) => `DROP TABLE ${dice.pick(['p', 'q', 'r'])}`],
  [1, (dice) => `ALTER TABLE ${dice.pick(['p', 'q'])} RENAME COLUMN a TO ${dice.pick(['b', 'label'])}`],
];

/** One statement that any program can write. */
export const companionDdl = (dice: Dice): string => dice.weighted(FORMS)(dice);

/** What a story begins with. */
export const companionTables = (dice: Dice): readonly string[] => [
  `CREATE TABLE p ${dice.pick(PARENTS)}`,
  `CREATE TABLE q ${dice.pick(CHILDREN)}`,
  `CREATE TABLE r ${dice.pick(UNIQUES)}`,
];
