import type { Decision, Place, StoryStep } from './convergence-steps.ts';
import {
  anyOrder,
  decide,
  insert,
  interleave,
  maybe,
  PLAIN,
  pull,
  remove,
  sql,
  swapColumns,
  update,
  write,
} from './scene-cast.ts';
import type { Scene } from './scene-cast.ts';

/** One table by two definitions. Somebody decides, or two do, while the table is altered or dropped beside it. */
export const decided: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const made = (at: Place, shape: string): readonly StoryStep[] => [
    sql(at, `CREATE TABLE ${t} ${shape}`),
    write(at, insert(cast, 1, ['a', 'b']), insert(cast, 2, ['a'])),
  ];
  const beside = chance.pick([
    `BEGIN; ${swapColumns(t)}; COMMIT`,
    `ALTER TABLE ${t} ADD COLUMN d TEXT DEFAULT 'd1'; ALTER TABLE ${t} ALTER COLUMN d SET DEFAULT 'd2'`,
    `ALTER TABLE ${t} ADD COLUMN d TEXT NOT NULL DEFAULT 'd1'; ALTER TABLE ${t} ALTER COLUMN d DROP DEFAULT`,
    `ALTER TABLE ${t} DROP COLUMN c; ALTER TABLE ${t} ADD COLUMN c TEXT DEFAULT 'd1'`,
    `DROP TABLE ${t}`,
    `ALTER TABLE ${t} RENAME TO ${t}x`,
  ]);
  const option = (): Decision => chance.pick(['takeRemote', 'keepLocal'] as const);
  return [
    ...interleave(chance, [
      made(p, PLAIN),
      made(
        q,
        chance.pick([
          '(id INTEGER PRIMARY KEY, a TEXT, b TEXT)',
          '(id INTEGER PRIMARY KEY, b TEXT, a TEXT, z INTEGER)',
        ]),
      ),
    ]),
    ...maybe(cast, 0.5, pull(r, chance.pick([p, q]))),
    ...anyOrder(cast, [pull(q, p), sql(p, beside), pull(p, q)]),
    ...anyOrder(cast, [decide(q, option()), ...maybe(cast, 0.3, decide(p, option()))]),
    ...maybe(cast, 0.5, write(q, update(cast, 'b'))),
    ...anyOrder(cast, [pull(r, q), ...maybe(cast, 0.5, pull(p, q)), ...maybe(cast, 0.3, pull(r, p))]),
  ];
};

/** One of two tables that a decision makes one is renamed where the other came in: both stand there, and are used. */
export const decidedApart: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const x = `${t}x`;
  const ids = chance.pick([
    'id INTEGER PRIMARY KEY',
    'id INTEGER PRIMARY KEY AUTOINCREMENT',
    'id TEXT PRIMARY KEY',
  ]);
  const one = chance.pick([
    PLAIN,
    '(id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT, c TEXT)',
    '(id INTEGER PRIMARY KEY, b TEXT, c TEXT, a TEXT) WITHOUT ROWID',
    '(id INTEGER, a TEXT, b TEXT)',
  ]);
  const other = chance.pick([
    `(${ids}, b TEXT, a TEXT, z INTEGER DEFAULT 7)`,
    `(${ids}, a TEXT COLLATE NOCASE, b TEXT)`,
    '(a TEXT, id INTEGER NOT NULL PRIMARY KEY, b TEXT) WITHOUT ROWID',
  ]);
  const made = (at: Place, shape: string): readonly StoryStep[] => [
    sql(at, `CREATE TABLE ${t} ${shape}`),
    write(at, insert(cast, 1, ['a', 'b']), insert(cast, 2, ['a']), insert(cast, 5 + at, ['a'])),
    ...maybe(cast, 0.4, write(at, remove(cast))),
  ];
  const used = (table: string): readonly StoryStep[] => [
    ...maybe(cast, 0.4, sql(r, `CREATE ${chance.pick(['', 'UNIQUE'])} INDEX ${table}i ON ${table} (a, id)`)),
    ...maybe(cast, 0.3, sql(r, `CREATE VIEW ${table}v AS SELECT a, b FROM ${table}`)),
    ...maybe(
      cast,
      0.3,
      sql(r, `CREATE TRIGGER ${table}g AFTER DELETE ON ${table} BEGIN UPDATE ${table} SET b = a; END`),
    ),
    ...maybe(
      cast,
      0.4,
      sql(
        r,
        `CREATE TABLE ${table}c (id INTEGER PRIMARY KEY, up INTEGER REFERENCES ${table} ON DELETE CASCADE)`,
      ),
      sql(r, `INSERT INTO ${table}c VALUES (1, 1), (2, 2)`),
    ),
    ...maybe(cast, 0.3, sql(r, `ALTER TABLE ${table} ADD COLUMN d TEXT DEFAULT '${table}'`)),
    ...maybe(cast, 0.2, sql(r, `ALTER TABLE ${table} DROP COLUMN b`)),
    ...maybe(
      cast,
      0.4,
      sql(r, `UPDATE ${table} SET a = '${chance.token()}' WHERE id = ${1 + chance.below(2)}`),
    ),
    ...maybe(cast, 0.4, sql(r, `DELETE FROM ${table} WHERE id = ${1 + chance.below(2)}`)),
    ...maybe(cast, 0.3, sql(r, `INSERT INTO ${table} (id, a) VALUES (9, '${chance.token()}')`)),
  ];
  const option = (): Decision => chance.pick(['takeRemote', 'keepLocal'] as const);
  return [
    ...interleave(chance, [made(p, one), made(q, other)]),
    ...anyOrder(cast, [pull(r, p), pull(q, p)]),
    sql(r, `ALTER TABLE ${t} RENAME TO ${x}`),
    ...maybe(cast, 0.9, pull(r, q)),
    ...interleave(chance, [used(t), used(x)]),
    ...maybe(cast, 0.2, sql(r, `ALTER TABLE ${t} RENAME TO ${t}y`)),
    ...maybe(cast, 0.3, pull(p, r)),
    decide(q, option()),
    ...maybe(cast, 0.4, decide(p, option())),
    ...anyOrder(cast, [pull(r, q), ...maybe(cast, 0.5, pull(p, q)), ...maybe(cast, 0.5, pull(q, r))]),
    ...maybe(cast, 0.5, write(q, update(cast, 'b'))),
  ];
};
