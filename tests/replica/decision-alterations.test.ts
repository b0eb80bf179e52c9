import { expect, test } from 'vitest';

import type { ResolutionOption } from '#shared/model/vocabulary.ts';
import { differences } from '../support/convergence-faults.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { syncAll, syncBoth, valueOf } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

// A decision about a table's shape meets alterations that it did not know of. Why: docs/decisions/0007 and 0012.

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);
const everybody = [a, b, c];

function resolve(replica: TestReplica, option: ResolutionOption): void {
  const [blocked] = replica.core().blocked();
  if (blocked === undefined) throw new Error(`${replica.name} is not blocked`);
  world.wait(1);
  const { conflictId } = blocked;
  valueOf(replica.core().resolve({ conflictId, option, because: 'a test says so', who: 'tester' }));
}

const shapeOf = (replica: TestReplica): string =>
  replica
    .rows(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_concord%' ESCAPE '\\'`)
    .flat()
    .join('; ')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\() | (?=\))/g, '');

interface Story {
  readonly title: string;
  readonly a: readonly string[];
  readonly b: readonly string[];
  /** Columns of the rows that both have, beside `id`. */
  readonly filled?: string;
  /** What `b` does while `a` decides. */
  readonly meanwhile?: readonly string[];
  readonly keepLocal: RegExp;
  readonly takeRemote: RegExp;
}

const stories: readonly Story[] = [
  {
    title: 'the one who decides has renamed a column to a name that the other side has',
    a: [`CREATE TABLE t (id INTEGER PRIMARY KEY, b, c)`, `ALTER TABLE t RENAME COLUMN b TO a`],
    b: [`CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b)`],
    keepLocal: /^CREATE TABLE t \(id INTEGER PRIMARY KEY, a, c\)$/,
    takeRemote: /^CREATE TABLE t \(id INTEGER PRIMARY KEY, a TEXT, b\)$/,
  },
  {
    title: 'the other side has renamed a column of its own',
    a: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)`],
    b: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)`, `ALTER TABLE t RENAME COLUMN v TO w`],
    keepLocal: /\bw TEXT\b/,
    takeRemote: /\bw INTEGER\b/,
  },
  {
    title: 'the other side has added a column and altered it',
    a: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)`],
    b: [
      `CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)`,
      `ALTER TABLE t ADD COLUMN x TEXT`,
      `ALTER TABLE t ALTER COLUMN x SET DEFAULT 'xx'`,
    ],
    keepLocal: /v TEXT, x TEXT DEFAULT 'xx'/,
    takeRemote: /v INTEGER, x TEXT DEFAULT 'xx'/,
  },
  {
    title: 'one side has generated columns',
    a: [
      `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, g AS (v || '-') STORED)`,
      `ALTER TABLE t ADD COLUMN h AS (id + 1)`,
    ],
    b: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, h)`],
    filled: 'v',
    keepLocal: /v TEXT, g .*STORED, h .*AS \(id \+ 1\)\)$/,
    takeRemote: /v TEXT, h\)$/,
  },
  {
    title: 'the other side drops a column of the shape, and had before',
    a: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, y)`],
    b: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, y)`, `ALTER TABLE t DROP COLUMN y`],
    keepLocal: /v TEXT\)$/,
    takeRemote: /v INTEGER\)$/,
  },
  {
    title: 'the one who decides has dropped a column whose name the other side has',
    a: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, y)`, `ALTER TABLE t DROP COLUMN y`],
    b: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, y, z)`],
    filled: 'v',
    keepLocal: /v TEXT\)$/,
    takeRemote: /v INTEGER, y, z\)$/,
  },
  {
    title: 'the other side drops a column of the shape meanwhile',
    a: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, y)`],
    b: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, y)`],
    meanwhile: [`ALTER TABLE t DROP COLUMN y`],
    keepLocal: /v TEXT\)$/,
    takeRemote: /v INTEGER\)$/,
  },
  {
    title: 'the other side alters the key meanwhile',
    a: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)`],
    b: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)`],
    meanwhile: [`ALTER TABLE t ALTER PRIMARY KEY (v)`],
    filled: 'v',
    keepLocal: /v TEXT, PRIMARY KEY \(v\)/,
    takeRemote: /v INTEGER, PRIMARY KEY \(v\)/,
  },
  {
    title: 'the other side adds a constraint meanwhile',
    a: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, CONSTRAINT n CHECK (v <> 'a'))`],
    b: [`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, CONSTRAINT n CHECK (v <> 'b'))`],
    meanwhile: [`ALTER TABLE t ADD CONSTRAINT m UNIQUE (v)`, `ALTER TABLE t DROP CONSTRAINT n`],
    keepLocal: /v TEXT, CONSTRAINT m UNIQUE \(v\)\)$/,
    takeRemote: /v TEXT, CONSTRAINT m UNIQUE \(v\)\)$/,
  },
];

const cases = stories.flatMap((story) =>
  (['keepLocal', 'takeRemote'] as const).map((option) => ({ ...story, option, wanted: story[option] })),
);

test.for(cases)('D04 $title: $option', ({ a: mine, b: theirs, meanwhile = [], filled, option, wanted }) => {
  for (const sql of mine) a.exec(sql);
  const insert = (id: number): string =>
    filled === undefined
      ? `INSERT INTO t (id) VALUES (${String(id)})`
      : `INSERT INTO t (id, ${filled}) VALUES (${String(id)}, ${String(id * 10)})`;
  a.exec(insert(1));
  for (const sql of theirs) b.exec(sql);
  b.exec(insert(2));
  syncBoth(a, b);
  for (const sql of meanwhile) b.exec(sql);
  resolve(a, option);
  syncAll(everybody);
  for (const replica of everybody) {
    expect(replica.core().blocked(), replica.name).toEqual([]);
    expect(shapeOf(replica)).toMatch(wanted);
  }
  for (const replica of [b, c]) expect(differences(a, replica)).toEqual([]);
  const joined = world.init('d');
  expect(joined.pull(c, { facts: 2 }).blocked).toBeNull();
  expect(differences(a, joined)).toEqual([]);
});

test('D04 a shape that refers to another table goes on referring to it under its new name', () => {
  a.exec(`CREATE TABLE p (k INTEGER PRIMARY KEY); INSERT INTO p VALUES (7)`);
  for (const replica of [b, c]) replica.pull(a);
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)`);
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v REFERENCES p (k)); INSERT INTO t VALUES (1, 7)`);
  c.exec(`ALTER TABLE p RENAME COLUMN k TO kk; ALTER TABLE p RENAME TO parent`);
  syncBoth(a, b);
  resolve(a, 'takeRemote');
  syncAll(everybody);
  for (const replica of everybody) {
    expect(replica.core().blocked(), replica.name).toEqual([]);
    expect(shapeOf(replica)).toMatch(/v REFERENCES parent ?\(kk\)/);
  }
  for (const replica of [b, c]) expect(differences(a, replica)).toEqual([]);
});

test.each(['keepLocal', 'takeRemote'] as const)(
  'P05 a column that two added with and without NOT NULL, %s: rows that know neither have the default, and none is lost',
  (option) => {
    a.exec(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE); INSERT INTO t VALUES (1, 'x'), (2, NULL)`,
    );
    for (const replica of [b, c]) replica.pull(a);
    b.exec(`BEGIN; INSERT INTO t VALUES (9, 'late'); ALTER TABLE t ADD COLUMN d INTEGER; COMMIT`);
    c.exec(`ALTER TABLE t ADD COLUMN d TEXT NOT NULL DEFAULT 'dn'`);
    a.pull(b);
    b.pull(c);
    c.pull(b);
    a.pull(c);
    resolve(b, option);
    syncAll(everybody);
    const value = option === 'keepLocal' ? null : 'dn';
    for (const replica of everybody) {
      expect(replica.core().blocked(), replica.name).toEqual([]);
      expect(replica.core().heldCounts(), replica.name).toEqual([]);
      expect(replica.rows('SELECT id, d FROM t ORDER BY id')).toEqual([
        [1n, value],
        [2n, value],
        [9n, value],
      ]);
    }
  },
);
