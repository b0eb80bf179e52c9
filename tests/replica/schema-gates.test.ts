import { beforeEach, expect, test } from 'vitest';

import type { Page } from '#shared/model/change-group.ts';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';
import { testSchemaCases } from '../support/schema-case.ts';

const NOTE = 'CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT)';

testSchemaCases([
  {
    title: 'G05 identical creates, one altered since, converge when the other`s create arrives',
    moves: [
      `a: ${NOTE}; ALTER TABLE note ADD COLUMN w TEXT; ALTER TABLE note ALTER COLUMN body SET DEFAULT 'x'; INSERT INTO note VALUES (1, 'a', 'w')`,
      `b: ${NOTE}; INSERT INTO note VALUES (2, 'b')`,
    ],
    end: {
      tables: { note: ['id', 'body', 'w'] },
      ddl: { note: /body TEXT DEFAULT 'x'/ },
      rows: {
        'SELECT * FROM note ORDER BY id': [
          [1, 'a', 'w'],
          [2, 'b', null],
        ],
      },
    },
  },
  {
    title: 'G05 the same where the one altered it out of all recognition',
    moves: [
      `a: ${NOTE}; ALTER TABLE note RENAME COLUMN body TO text; ALTER TABLE note RENAME TO memo; INSERT INTO memo VALUES (1, 'a')`,
      `b: ${NOTE}; INSERT INTO note VALUES (2, 'b')`,
    ],
    end: {
      objects: ['memo'],
      rows: {
        'SELECT id, text FROM memo ORDER BY id': [
          [1, 'a'],
          [2, 'b'],
        ],
      },
    },
  },
  {
    title: 'G08 an index with the same columns converges',
    base: NOTE,
    moves: [
      'a: CREATE INDEX note_body ON note (body COLLATE NOCASE DESC) WHERE body IS NOT NULL',
      'b: create index "note_body" on note ("body" collate nocase desc) where (body is not null)',
    ],
    end: { objects: ['note', 'note_body'] },
  },
  {
    title: 'G09 an index whose table is gone converges with a warning',
    base: NOTE,
    moves: ['b: DROP TABLE note', 'a: CREATE INDEX note_body ON note (body)'],
    end: { objects: [], mayWarn: true },
  },
  {
    title: 'G09 an index whose column is gone converges with a warning',
    base: NOTE,
    moves: ['b: ALTER TABLE note DROP COLUMN body', 'a: CREATE INDEX note_body ON note (body)'],
    end: { objects: ['note'], mayWarn: true },
  },
  {
    title: 'G12 a unique partial index is enforced and maintained at the peer, under its names',
    base: `${NOTE}; INSERT INTO note VALUES (1, 'x')`,
    moves: [
      `a: CREATE UNIQUE INDEX note_body ON note (body) WHERE body <> ''`,
      'b: ALTER TABLE note RENAME COLUMN body TO text',
      `b: INSERT INTO note VALUES (2, ''), (3, ''), (4, 'y')`,
    ],
    end: {
      ddl: { note_body: /ON note \(text\) WHERE text <> ''/ },
      rows: { 'SELECT count(*) FROM note': [[4]] },
      refuses: [[`INSERT INTO note (text) VALUES ('y')`, /UNIQUE/]],
      takes: [`INSERT INTO note (text) VALUES ('')`],
    },
  },
  {
    title: 'G13 create and drop: the table is gone, in whatever order they come',
    moves: [`a: ${NOTE}; INSERT INTO note VALUES (1, 'x')`, 'a>c', 'a: DROP TABLE note', 'c>b'],
    end: { objects: [] },
  },
  {
    title: 'G14 create, index, view, trigger and rows all land',
    moves: [
      `a: ${NOTE}; CREATE INDEX note_body ON note (body); CREATE VIEW bodies AS SELECT body FROM note;
         CREATE TABLE seen (id INTEGER PRIMARY KEY, what TEXT);
         CREATE TRIGGER note_seen AFTER INSERT ON note BEGIN INSERT INTO seen (what) VALUES (new.body); END;
         INSERT INTO note VALUES (1, 'x'), (2, 'y')`,
    ],
    end: {
      objects: ['note', 'note_body', 'bodies', 'seen', 'note_seen'],
      rows: {
        'SELECT * FROM bodies ORDER BY 1': [['x'], ['y']],
        'SELECT what FROM seen ORDER BY 1': [['x'], ['y']],
      },
    },
  },
]);

const { a, b } = freshReplicas(['a', 'b']);
beforeEach(() => {
  a.exec(NOTE);
  b.pull(a);
});

const names = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .catalog()
    .objects.map(({ name }) => name);

test.each([
  ['other columns', 'CREATE INDEX i ON note (body)', 'CREATE INDEX i ON note (body, id)'],
  ['unique or not', 'CREATE INDEX i ON note (body)', 'CREATE UNIQUE INDEX i ON note (body)'],
  [
    'the WHERE',
    `CREATE INDEX i ON note (body) WHERE body > 'a'`,
    `CREATE INDEX i ON note (body) WHERE body > 'A'`,
  ],
  ['the direction', 'CREATE INDEX i ON note (body)', 'CREATE INDEX i ON note (body DESC)'],
  ['the collation', 'CREATE INDEX i ON note (body)', 'CREATE INDEX i ON note (body COLLATE NOCASE)'],
  ['an expression', 'CREATE INDEX i ON note (lower(body))', 'CREATE INDEX i ON note (upper(body))'],
])('G08 an index that differs in %s is a conflict, seen on both sides', (_what, here, there) => {
  a.exec(here);
  b.exec(there);
  const { blocked } = b.pull(a);
  expect(blocked).toMatchObject({ cause: 'divergentDefinition', object: 'i' });
  expect(a.pull(b).blocked?.conflictId).toBe(blocked?.conflictId);
  // The way out: one side takes its own away, and the next sync clears it.
  b.exec('DROP INDEX i');
  syncAll([a, b]);
  expect([...a.core().blocked(), ...b.core().blocked()]).toEqual([]);
  expect(a.core().status().fingerprint).toBe(b.core().status().fingerprint);
});

test('G10 blank DDL is recorded, warned about, and not run', () => {
  a.exec('ALTER TABLE note ADD COLUMN w TEXT');
  const { reports } = b.pull(a, { disturb: withDdl(' -- nothing here\n ; ') });
  expect(reports.at(-1)?.blocked ?? null).toBeNull();
  expect(b.core().migrations({ limit: 1 })).toMatchObject([{ verdict: 'convergedWithWarning' }]);
  expect(b.core().migrations({ limit: 1 })[0]?.reason).not.toBe('');
});

test('G11 an index and a table of one name, made at the same time, are a conflict of both and suppress neither', () => {
  a.exec('CREATE TABLE x (id INTEGER PRIMARY KEY)');
  b.exec('CREATE INDEX x ON note (body)');
  expect(b.pull(a).blocked).toMatchObject({ object: 'x' });
  expect(a.pull(b).blocked).toMatchObject({ object: 'x' });
  expect([names(a), names(b)]).toEqual([
    ['note', 'x'],
    ['note', 'x'],
  ]);
  b.exec('DROP INDEX x; CREATE INDEX x_of_b ON note (body)');
  syncAll([a, b]);
  expect([...a.core().blocked(), ...b.core().blocked()]).toEqual([]);
  for (const replica of [a, b]) expect(names(replica).toSorted()).toEqual(['note', 'x', 'x_of_b']);
});

test('G15 a failed admission files nothing: the verdicts of the retry are those of the first time', () => {
  a.exec(`ALTER TABLE note ADD COLUMN w TEXT; INSERT INTO note VALUES (1, 'dup', 'w'), (2, 'b', 'w')`);
  a.exec('CREATE UNIQUE INDEX note_body ON note (body)');
  b.exec(`INSERT INTO note VALUES (8, 'own'), (9, 'own')`);
  const unsteady = ['_concord_peer', '_concord_site', '_concord_blocked'];
  expect(b.pull(a).blocked).toMatchObject({ cause: 'rowsBreakConstraint', object: 'note_body' });
  const before = dumpFile(b, unsteady);
  for (let time = 0; time < 3; time += 1) expect(b.pull(a).blocked?.object).toBe('note_body');
  expect(dumpFile(b, unsteady)).toBe(before);
  b.exec('DELETE FROM note WHERE id = 9');
  expect(b.pull(a).blocked).toBeNull();
  const verdicts = b
    .core()
    .migrations({ limit: 9 })
    .map(({ type, verdict }) => `${type} ${verdict}`);
  expect(verdicts).toEqual(['create_index executed', 'add_column executed', 'create_table executed']);
});

/** Other text in place of the DDL of each ALTER. */
const withDdl =
  (ddl: string) =>
  (page: Page): Page => ({
    ...page,
    groups: page.groups.map((group) => ({
      ...group,
      migrations: group.migrations.map((migration) =>
        migration.type.startsWith('create') ? migration : { ...migration, ddl },
      ),
    })),
  });
