import { createChance } from './convergence-steps.ts';
import type { Chance, Place, StoryStep } from './convergence-steps.ts';
import { decided, decidedApart } from './decided-scenes.ts';
import {
  anyOrder,
  IDS,
  insert,
  interleave,
  maybe,
  PLAIN,
  pull,
  remove,
  shared,
  sql,
  swapColumns,
  update,
  write,
} from './scene-cast.ts';
import type { Cast, Scene } from './scene-cast.ts';

// Scenes: what three people do around one hazard, each on tables of its own, told side by side. What random statements
// come to once in a thousand stories happens here in each: names that swap, keys that change under late writes, drops
// beside rows that they did not know of. Who does it, on which rows, and who hears of it when, is chance.

/** Rows are made fit and the table is tightened, in one transaction: it lands at once everywhere. */
const tightenAfterCleaning: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const clean = chance.pick([
    `UPDATE ${t} SET b = 'x' WHERE b IS NULL; ALTER TABLE ${t} ALTER COLUMN b SET NOT NULL`,
    `DELETE FROM ${t} WHERE b IS NULL; ALTER TABLE ${t} ALTER COLUMN b SET NOT NULL`,
    `UPDATE ${t} SET c = 'c' || id; ALTER TABLE ${t} ADD CONSTRAINT k UNIQUE (c)`,
    `DELETE FROM ${t} WHERE id > 1; ALTER TABLE ${t} ADD UNIQUE (c)`,
    `UPDATE ${t} SET c = 'c' || id; CREATE UNIQUE INDEX ${t}i ON ${t} (c)`,
    `DELETE FROM ${t} WHERE id > 1; CREATE UNIQUE INDEX ${t}i ON ${t} (c, b)`,
    `UPDATE ${t} SET c = 'd'; ALTER TABLE ${t} ADD CONSTRAINT k CHECK (c <> 'same')`,
  ]);
  return [
    ...shared(cast, PLAIN.replace('c TEXT', "c TEXT DEFAULT 'same'"), ['a']),
    sql(p, `BEGIN; ${clean}; COMMIT`),
    ...maybe(cast, 0.5, pull(chance.pick([q, r]), p)),
  ];
};

/** What a trigger wrote travels by itself: where it arrives, the trigger does not write it once more. */
const triggerWithLog: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const row = chance.pick(['new', 'old']);
  const event =
    row === 'old' ? chance.pick(['DELETE', 'UPDATE OF a']) : chance.pick(['INSERT', 'UPDATE OF a']);
  const body = chance.pick([
    `INSERT INTO ${t}l (what) VALUES (${row}.id || ' ' || ${row}.a)`,
    `INSERT INTO ${t}l (what) SELECT count(*) FROM ${t}`,
    `UPDATE ${t}l SET n = n + 1 WHERE id = 1`,
  ]);
  const doing = event === 'INSERT' ? (id: number) => insert(cast, id, ['a']) : null;
  const act = (at: Place, id: number): StoryStep =>
    write(at, event === 'DELETE' ? remove(cast) : (doing?.(IDS + id) ?? update(cast, 'a')));
  return [
    sql(p, `CREATE TABLE ${t}l (id INTEGER PRIMARY KEY, what TEXT, n INTEGER DEFAULT 0)`),
    sql(p, `INSERT INTO ${t}l (what) VALUES ('first')`),
    ...shared(cast, PLAIN, ['a', 'b']),
    sql(p, `CREATE TRIGGER ${t}g AFTER ${event} ON ${t} BEGIN ${body}; END`),
    ...anyOrder(cast, [pull(q, p), act(p, 1)]),
    pull(r, q),
    ...anyOrder(cast, [act(p, 2), act(q, 3), act(r, 4), pull(q, p), pull(p, r)]),
  ];
};

/** The key changes here while rows are written there under the old one. */
const lateUnderOldKey: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const rekey = sql(p, `ALTER TABLE ${t} ALTER PRIMARY KEY (${chance.pick(['a', 'a, id', 'b, a'])})`);
  return [
    ...shared(cast, PLAIN, ['a', 'b', 'c']),
    ...anyOrder(cast, [
      rekey,
      write(q, update(cast, 'c')),
      write(q, remove(cast)),
      write(r, update(cast, 'c')),
      write(r, insert(cast, IDS + 1, ['a', 'b'])),
    ]),
    ...anyOrder(cast, [pull(p, q), pull(r, p), pull(q, r)]),
    ...maybe(cast, 0.5, write(q, update(cast, 'c'))),
  ];
};

/** A table is dropped here while it is written there: what the drop did not know of is held on all. */
const dropBesideRows: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  return [
    ...shared(cast, PLAIN, ['a', 'b']),
    ...anyOrder(cast, [
      sql(p, `DROP TABLE ${t}`),
      write(q, insert(cast, IDS + 1, ['a', 'b'])),
      write(r, update(cast, 'a')),
      ...maybe(cast, 0.4, write(q, remove(cast))),
    ]),
    ...maybe(cast, 0.5, pull(chance.pick([q, r]), p)),
    ...maybe(cast, 0.3, sql(p, `CREATE TABLE ${t} ${PLAIN}`), write(p, insert(cast, 1, ['b']))),
    ...maybe(cast, 0.5, pull(p, chance.pick([q, r]))),
  ];
};

/** A column is dropped and comes back under its name: nothing of the old one is in it. */
const columnAgain: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const again = chance.pick([
    'c TEXT',
    "c TEXT DEFAULT 'new'",
    "c TEXT NOT NULL DEFAULT 'new'",
    'c TEXT UNIQUE',
  ]);
  const steps = [`ALTER TABLE ${t} DROP COLUMN c`, `ALTER TABLE ${t} ADD COLUMN ${again}`];
  const unique = chance.draw() < 0.5 ? 'c TEXT UNIQUE' : 'c TEXT';
  return [
    ...shared(cast, PLAIN.replace('c TEXT', unique), ['a', 'c']),
    ...anyOrder(cast, [
      sql(p, `BEGIN; ${steps.join('; ')}; COMMIT`),
      write(q, update(cast, 'c')),
      ...maybe(cast, 0.5, write(r, insert(cast, IDS + 1, ['c']))),
    ]),
    ...anyOrder(cast, [pull(q, p), pull(p, r)]),
    write(p, update(cast, 'c')),
  ];
};

/** Two add one column with defaults of their own, and set another, while rows are written that do not know it. */
const defaults: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  // A NULL that was written where NULL is let in would block who adds the column as NOT NULL.
  const ways = chance.pick([
    ['', " DEFAULT 'd1'", " DEFAULT 'd2'"],
    [" NOT NULL DEFAULT 'd1'", " NOT NULL DEFAULT 'd2'"],
  ]);
  const add = (at: Place): StoryStep => sql(at, `ALTER TABLE ${t} ADD COLUMN d TEXT${chance.pick(ways)}`);
  const set = (at: Place): StoryStep =>
    sql(
      at,
      `ALTER TABLE ${t} ALTER COLUMN d ${chance.pick(["SET DEFAULT 'd3'", "SET DEFAULT 'd4'", 'DROP DEFAULT'])}`,
    );
  return [
    ...shared(cast, PLAIN, ['a']),
    ...interleave(chance, [
      [add(p), ...maybe(cast, 0.7, set(p)), write(p, insert(cast, IDS + 1, ['a']))],
      maybe(cast, 0.6, add(q), ...maybe(cast, 0.5, set(q)), write(q, update(cast, 'd'))),
      [write(r, insert(cast, IDS + 2, ['a']))],
    ]),
    ...anyOrder(cast, [pull(r, p), pull(p, q), pull(q, r)]),
    ...maybe(cast, 0.5, set(r)),
  ];
};

/** Two columns swap their names while both are written elsewhere. */
const swap: Scene = (cast) => {
  const { p, q, r, t } = cast;
  return [
    ...shared(cast, PLAIN, ['a', 'b']),
    ...anyOrder(cast, [
      sql(p, `BEGIN; ${swapColumns(t)}; COMMIT`),
      write(q, update(cast, 'a')),
      write(r, update(cast, 'b')),
      ...maybe(cast, 0.3, sql(q, `ALTER TABLE ${t} ALTER COLUMN a SET DEFAULT 'da'`)),
    ]),
    ...anyOrder(cast, [pull(q, p), pull(p, r)]),
    write(p, update(cast, 'a')),
  ];
};

/** One table is made by two at the same time, and dropped by one of them. */
const twinsAndDrops: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const make = (at: Place): readonly StoryStep[] => [
    sql(at, `CREATE TABLE ${t} ${PLAIN}`),
    write(at, insert(cast, 1 + chance.below(IDS), ['a', 'b'])),
  ];
  return [
    ...interleave(chance, [make(p), make(q)]),
    ...maybe(cast, 0.6, pull(r, chance.pick([p, q]))),
    sql(p, `DROP TABLE ${t}`),
    ...anyOrder(cast, [pull(r, p), pull(r, q), write(q, update(cast, 'a'))]),
    ...maybe(cast, 0.4, ...make(r)),
  ];
};

/** Two rows claim one key: the earlier claim stays, and the other is held until the key is free. */
const claims: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const claim = (at: Place, id: number): StoryStep =>
    sql(at, `INSERT INTO ${t} (id, a, b) VALUES (${id}, 'one', '${chance.token()}')`);
  const key = chance.pick(['', 'WHERE b IS NOT NULL']);
  return [
    ...shared(cast, PLAIN, ['a', 'b']),
    sql(p, `CREATE UNIQUE INDEX ${t}i ON ${t} (a) ${key}`),
    pull(q, p),
    pull(r, p),
    ...anyOrder(cast, [claim(p, IDS + 1), claim(q, IDS + 2), claim(r, IDS + 3)]),
    ...anyOrder(cast, [pull(p, q), pull(r, q), pull(q, p)]),
    ...maybe(cast, 0.4, sql(p, `DELETE FROM ${t} WHERE a = 'one'`)),
    ...maybe(cast, 0.4, sql(q, `UPDATE ${t} SET a = 'two' WHERE a = 'one'`)),
  ];
};

/** A table, and a column of it, get other names while somebody makes what stands on them: it stands on them all the same. */
const renameBeside: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const made = chance.pick([
    `CREATE INDEX ${t}i ON ${t} (a)`,
    `CREATE UNIQUE INDEX ${t}i ON ${t} (a, id) WHERE b IS NOT NULL`,
    `CREATE VIEW ${t}v AS SELECT id, a FROM ${t} WHERE b IS NOT NULL`,
    `CREATE TRIGGER ${t}g AFTER UPDATE OF a ON ${t} BEGIN SELECT new.a, b FROM ${t}; END`,
    `CREATE TABLE ${t}c (id INTEGER PRIMARY KEY, up INTEGER REFERENCES ${t} (id) ON DELETE SET NULL)`,
    `ALTER TABLE ${t} ADD COLUMN up INTEGER REFERENCES ${t} (id)`,
    `ALTER TABLE ${t} ADD CONSTRAINT k CHECK (a <> b)`,
    `ALTER TABLE ${t} ADD UNIQUE (a, id)`,
  ]);
  return [
    ...shared(cast, PLAIN, ['a', 'b']),
    ...anyOrder(cast, [
      sql(p, `ALTER TABLE ${t} RENAME TO ${t}n`),
      sql(q, made),
      ...maybe(cast, 0.5, sql(chance.pick([p, r]), `ALTER TABLE ${t} RENAME COLUMN a TO n`)),
      write(r, update(cast, 'b')),
    ]),
    ...anyOrder(cast, [pull(p, q), pull(r, q), pull(q, p)]),
    ...maybe(cast, 0.3, sql(q, `ALTER TABLE ${t}n RENAME TO ${t}`)),
  ];
};

/**
 * A column is added here with a default that changes, and there with what it changed to: the shape is the same on both
 * sides, and what the rows were filled with is not.
 */
const addedWithWhatItBecame: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  const known = chance.pick(['', ' NOT NULL']);
  return [
    ...shared(cast, PLAIN, ['a']),
    sql(q, `ALTER TABLE ${t} ADD COLUMN d TEXT${known} DEFAULT 'd1'`),
    sql(q, `ALTER TABLE ${t} ALTER COLUMN d SET DEFAULT 'd2'`),
    ...maybe(cast, 0.5, write(q, update(cast, 'd'))),
    sql(p, `ALTER TABLE ${t} ADD COLUMN d TEXT${known} DEFAULT 'd2'`),
    ...maybe(cast, 0.5, write(r, insert(cast, IDS + 1, ['a']))),
    ...anyOrder(cast, [pull(q, p), pull(r, chance.pick([p, q]))]),
  ];
};

/** An index goes with a column, and its name is given away once more: who joins hears of the second one alone. */
const indexGoesWithColumn: Scene = (cast) => {
  const { chance, p, q, r, t } = cast;
  return [
    ...shared(cast, PLAIN, ['a', 'c']),
    sql(p, `CREATE INDEX ${t}i ON ${t} (${chance.pick(['c', 'a, c', 'c DESC'])})`),
    ...anyOrder(cast, [pull(q, p), pull(r, p)]),
    ...maybe(cast, 0.5, write(r, update(cast, 'a'))),
    sql(q, `ALTER TABLE ${t} DROP COLUMN c`),
    ...maybe(cast, 0.5, pull(p, q)),
    ...maybe(cast, 0.5, sql(q, `CREATE INDEX ${t}i ON ${t} (${chance.pick(['a', 'b'])})`)),
    ...maybe(cast, 0.3, sql(q, `ALTER TABLE ${t} ADD COLUMN c INTEGER`)),
    ...anyOrder(cast, [pull(p, q), pull(r, q)]),
  ];
};

/** What there is of each sort, and how many are told side by side. Only in decided ones is anybody in anybody's way. */
const SORTS = {
  calm: {
    scenes: [
      tightenAfterCleaning,
      triggerWithLog,
      lateUnderOldKey,
      dropBesideRows,
      columnAgain,
      defaults,
      swap,
      twinsAndDrops,
      claims,
    ],
    count: 3,
  },
  renamed: { scenes: [renameBeside], count: 3 },
  columns: { scenes: [addedWithWhatItBecame, indexGoesWithColumn], count: 2 },
  decided: { scenes: [decided], count: 3 },
  apart: { scenes: [decidedApart], count: 1 },
} satisfies Readonly<Record<string, { readonly scenes: readonly Scene[]; readonly count: number }>>;

export type SceneSort = keyof typeof SORTS;

export const SCENE_SORTS: readonly SceneSort[] = ['calm', 'renamed', 'columns', 'decided', 'apart'];

/** Tells a story of some scenes of a sort, drawn at random and told side by side: the same seed, the same story. */
export function tellScenes(seed: number, sort: SceneSort): readonly StoryStep[] {
  const chance = createChance(seed);
  const { scenes, count } = SORTS[sort];
  const lines = Array.from({ length: count }, (_value, place) => chance.pick(scenes)(cast(chance, place)));
  return interleave(chance, lines);
}

const PLACES = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

function cast(chance: Chance, place: number): Cast {
  // Whoever joins asks the first one first: what he has in an order of his own is told by him often.
  const [p, q, r] = chance.draw() < 0.3 ? (PLACES[chance.below(2)] ?? PLACES[0]) : chance.pick(PLACES);
  return { chance, p, q, r, t: 'tuw'.charAt(place) };
}
