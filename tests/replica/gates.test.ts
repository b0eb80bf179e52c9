import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, syncAll, syncBoth } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);

const fingerprints = (...replicas: readonly TestReplica[]): readonly string[] =>
  replicas.map((replica) => replica.core().status().fingerprint);

const tablesOf = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .catalog()
    .objects.map(({ name }) => name);

const NOTE = 'CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT)';

test('G01 the same batch twice changes nothing the second time, byte for byte', () => {
  a.exec(`${NOTE}; CREATE UNIQUE INDEX note_body ON note (body);
    INSERT INTO note VALUES (1, 'one'), (2, 'two'), (3, NULL);
    UPDATE note SET body = 'zwei' WHERE id = 2; DELETE FROM note WHERE id = 1`);
  const { pages } = b.pull(a, { facts: 1 });
  const before = dumpFile(b);
  const { head } = b.core().identity();
  const peer = { ...a.core().identity(), nowMs: world.nowMs() };
  for (const page of pages) {
    const report = b.core().admitPage(peer, page);
    expect(report).toMatchObject({ admittedGroups: 0, factsApplied: 0, factsHeld: 0, migrations: 0 });
  }
  expect(dumpFile(b)).toBe(before);
  expect(b.core().identity().head).toBe(head);
});

test('G01 pages that come again one by one while the others are still to come change nothing', () => {
  a.exec(`${NOTE}; ${'INSERT INTO note (body) VALUES (1); '.repeat(7)}`);
  b.pull(a, { facts: 2, times: 3 });
  c.pull(a);
  expect(b.rows('SELECT * FROM note')).toEqual(c.rows('SELECT * FROM note'));
  expect(b.rows('SELECT count(*) FROM _concord_log WHERE kind = 7')).toEqual([[1n]]);
});

test('G02 identical creates on two offline peers converge both ways, twice, and relay on', () => {
  a.exec(`${NOTE}; INSERT INTO note VALUES (1, 'a')`);
  b.exec(`${NOTE}; INSERT INTO note VALUES (1, 'b'), (2, 'b')`);
  for (let time = 0; time < 2; time += 1) {
    expect(b.pull(a).blocked).toBeNull();
    expect(a.pull(b).blocked).toBeNull();
  }
  c.pull(b);
  const rows = [
    [1n, 'b'],
    [2n, 'b'],
  ];
  for (const replica of [a, b, c]) expect(replica.rows('SELECT * FROM note')).toEqual(rows);
  c.exec(`INSERT INTO note VALUES (3, 'c')`);
  a.pull(c);
  b.pull(a);
  expect(b.rows('SELECT body FROM note WHERE id = 3')).toEqual([['c']]);
  expect(new Set(fingerprints(a, b, c)).size).toBe(1);
});

test('G03 creates that differ in white space, semicolon, keyword case, quotes and comments converge without running', () => {
  a.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT)');
  b.exec('create   table "note" (\n  [id] integer  primary key, -- the key\n  `body` text );');
  syncBoth(a, b);
  for (const replica of [a, b]) {
    expect(replica.core().blocked()).toEqual([]);
    expect(
      replica
        .core()
        .migrations({ limit: 9 })
        .map(({ verdict }) => verdict),
    ).toEqual(['alreadyApplied', 'executed']);
  }
  expect(new Set(fingerprints(a, b)).size).toBe(1);
});

test('G04 a create with another shape is a conflict that names the table and shows both definitions', () => {
  a.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT)');
  b.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, body BLOB)');
  const { blocked } = b.pull(a);
  expect(blocked).toMatchObject({ cause: 'divergentDefinition', object: 'note' });
  const [view] = b.core().blocked();
  expect(view).toMatchObject({ object: 'note', kind: 'table', attempts: 1 });
  expect(view?.localDdl).toMatch(/body BLOB/);
  expect(view?.remoteDdl).toMatch(/body TEXT/);
  expect(view?.differences).toEqual([expect.objectContaining({ subject: 'body' })]);
});

test('G04 a column is no conflict for a default, and is one for another type (the same name, both types)', () => {
  a.exec(NOTE);
  b.pull(a);
  a.exec(`ALTER TABLE note ADD COLUMN n INTEGER`);
  b.exec(`ALTER TABLE note ADD COLUMN n TEXT`);
  expect(a.pull(b).blocked).toMatchObject({ cause: 'columnType', object: 'note' });
  expect(b.pull(a).blocked?.conflictId).toBe(a.core().blocked()[0]?.conflictId);
  expect(a.core().blocked()[0]).toMatchObject({ column: 'n' });
  expect(a.core().blocked()[0]?.message).toMatch(/INTEGER.*TEXT/);
});

test.each([
  { title: 'a table', sql: 'DROP TABLE note', drop: 'drop_table' },
  { title: 'an index', sql: 'DROP INDEX note_body', drop: 'drop_index' },
])('G06 the drop of $title that is not there counts as applied, and nothing runs', ({ sql, drop }) => {
  a.exec(`${NOTE}; CREATE INDEX note_body ON note (body)`);
  b.pull(a);
  for (const replica of [a, b]) replica.exec(sql);
  expect(b.pull(a).blocked).toBeNull();
  expect(
    b
      .core()
      .migrations({ limit: 9 })
      .filter(({ type }) => type === drop)
      .map(({ verdict }) => verdict),
  ).toEqual(['alreadyApplied', 'executed']);
});

test.each(['DROP TABLE note', 'DROP INDEX note_body'])(
  'G07 %s is run when it is admitted and is not captured again as a local change',
  (sql) => {
    a.exec(`${NOTE}; CREATE INDEX note_body ON note (body)`);
    b.pull(a);
    a.exec(sql);
    b.pull(a);
    b.core().notice();
    expect(fingerprints(a)).toEqual(fingerprints(b));
    expect(
      b
        .core()
        .migrations({ limit: 9 })
        .filter(({ origin }) => origin === b.core().identity().site),
    ).toEqual([]);
    expect(a.pull(b).pages.flatMap(({ groups }) => groups)).toEqual([]);
  },
);

test('P02 a drop that is older beats a column that is added later, on both and on a third that joins', () => {
  a.exec(`${NOTE}; INSERT INTO note VALUES (1, 'one')`);
  b.pull(a);
  a.exec('DROP TABLE note');
  b.exec(
    `ALTER TABLE note ADD COLUMN colour TEXT; UPDATE note SET colour = 'red'; INSERT INTO note VALUES (7, 'b', 'c')`,
  );
  syncBoth(a, b);
  c.pull(b);
  for (const replica of [a, b, c]) expect(tablesOf(replica)).toEqual([]);
  expect(b.core().heldCounts()).toEqual([{ table: 'note', reason: 'droppedTable', rows: 2 }]);
});

test.each(['a first', 'b first'])(
  'P04 two columns added at the same time are both there with their data (%s)',
  (order) => {
    a.exec(`${NOTE}; INSERT INTO note VALUES (1, 'one')`);
    b.pull(a);
    a.exec(
      `ALTER TABLE note ADD COLUMN x TEXT; UPDATE note SET x = 'ax'; INSERT INTO note (id, x) VALUES (2, 'a2')`,
    );
    b.exec(
      `ALTER TABLE note ADD COLUMN y TEXT; UPDATE note SET y = 'by'; INSERT INTO note (id, y) VALUES (3, 'b3')`,
    );
    if (order === 'a first') b.pull(a);
    else a.pull(b);
    syncAll([a, b, c]);
    for (const replica of [a, b, c]) {
      expect(replica.rows('SELECT id, body, x, y FROM note ORDER BY id')).toEqual([
        [1n, 'one', 'ax', 'by'],
        [2n, null, 'a2', null],
        [3n, null, null, 'b3'],
      ]);
    }
    expect(new Set(fingerprints(a, b, c)).size).toBe(1);
  },
);

test('a drop takes the twin of what it dropped along, though its creation is sent no more', () => {
  a.exec(`${NOTE}; CREATE INDEX note_body ON note (body)`);
  b.exec(`${NOTE}; CREATE INDEX note_body ON note (body)`);
  a.exec('DROP INDEX note_body');
  b.pull(a);
  expect(tablesOf(b)).toEqual(['note']);
  a.exec('DROP TABLE note');
  c.exec(NOTE);
  c.pull(a);
  expect(tablesOf(c)).toEqual([]);
});
