import { expect, test } from 'vitest';

import type { ResolveReport } from '#main/replica/replica.ts';
import type { ResolutionPreview } from '#shared/model/views.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';
import { differences } from '../support/convergence-faults.ts';
import { DIVERGENT_SHAPES } from '../support/divergent-shapes.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { syncAll, syncBoth, valueOf } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);
const everybody = (): readonly TestReplica[] => world.replicas();

const blockedOn = (replica: TestReplica) => {
  const [blocked] = replica.core().blocked();
  if (blocked === undefined) throw new Error(`${replica.name} is not blocked`);
  return blocked.conflictId;
};

const preview = (replica: TestReplica, option: ResolutionOption): ResolutionPreview =>
  valueOf(replica.core().previewResolution(blockedOn(replica), option));

function resolve(replica: TestReplica, option: ResolutionOption): ResolveReport {
  world.wait(1);
  return valueOf(
    replica
      .core()
      .resolve({ conflictId: blockedOn(replica), option, because: 'a test says so', who: 'tester' }),
  );
}

function expectEqual(replicas: readonly TestReplica[] = everybody()): void {
  const [first, ...others] = replicas as [TestReplica, ...TestReplica[]];
  for (const replica of replicas) expect(replica.core().blocked(), replica.name).toEqual([]);
  for (const other of others) expect(differences(first, other)).toEqual([]);
}

/** A fresh replica that hears of everything from one of the others. */
function expectJoinable(): void {
  for (const source of [a, b, c]) {
    const joined = world.init(`joined-${source.name}`);
    expect(joined.pull(source, { facts: 2 }).blocked).toBeNull();
    expect(differences(source, joined)).toEqual([]);
  }
}

const heldOf = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .heldCounts()
    .map(({ table, reason, rows }) => `${table} ${reason} ${rows}`);

const CASES = DIVERGENT_SHAPES.flatMap((shapes) =>
  (['keepLocal', 'takeRemote'] as const).flatMap((option) =>
    (['before', 'after'] as const).map((when) => ({ ...shapes, option, when })),
  ),
);

test.each(CASES)(
  'D04 $title, $option, the other side`s rows come $when the decision: rows of both sides are merged under the shape',
  ({ local, remote, option, when, ...shapes }) => {
    a.exec(local);
    b.exec(remote);
    if (when === 'before') syncAll([a, b]);
    else a.pull(b);
    const foretold = preview(a, option);
    const before = a.rows('SELECT * FROM t');
    resolve(a, option);
    const after = a.rows('SELECT * FROM t');
    expect(foretold.rows).toBe(before.length);
    expect(foretold.changesLocalShape).toBe(option === 'takeRemote');
    expect(after.length).toBeGreaterThanOrEqual(before.length - foretold.rowsHeld);
    syncAll(everybody());
    expectEqual();
    expect(a.rows('SELECT * FROM t ORDER BY 1')).toEqual(shapes[option]);
    expectJoinable();
    // It is one table from now on: what is written anywhere reaches all.
    c.exec(
      `UPDATE t SET v = 'after' WHERE rowid IN (SELECT 1) OR id = (SELECT min(id) FROM t)`.replace(
        'rowid IN (SELECT 1) OR ',
        '',
      ),
    );
    b.exec(`DELETE FROM t WHERE id = (SELECT max(id) FROM t)`);
    syncAll(everybody());
    expectEqual();
  },
);

test('D04 rows of both sides under equal keys merge cell by cell, the later cell wins', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v, l); INSERT INTO t VALUES (1, 'a', 'la')`);
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v, r); INSERT INTO t VALUES (1, 'b', 'rb')`);
  a.exec(`UPDATE t SET v = 'a later'`);
  syncBoth(a, b);
  resolve(a, 'keepLocal');
  syncAll(everybody());
  expectEqual();
  // The row of b was inserted later, the cell of a written later still.
  expect(b.rows('SELECT * FROM t')).toEqual([[1n, 'a later', 'la']]);
  expect(heldOf(b)).toEqual(['t unknownColumn 1']);
});

test('D04 values of a column that the shape lacks are held, and come back when a later decision has it', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a')`);
  b.exec(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, v, note TEXT); INSERT INTO t VALUES (2, 'b', 'nb'), (3, 'c', 'nc')`,
  );
  syncBoth(a, b);
  const foretold = preview(b, 'takeRemote');
  expect(foretold.cellsHeld).toEqual([{ column: 'note', cells: 2 }]);
  resolve(b, 'takeRemote');
  expect(heldOf(b)).toEqual(['t unknownColumn 2']);
  syncAll(everybody());
  expectEqual();
  expect(
    b
      .core()
      .held({ limit: 9 })
      .map(({ values }) => values['note']),
  ).toEqual(['nc', 'nb']);
});

test('D04 rows without a value that the shape demands are held, counted beforehand, and land when they get one', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL); INSERT INTO t VALUES (1, 'a')`);
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (2, 'b'), (3, NULL)`);
  syncBoth(a, b);
  expect(preview(b, 'takeRemote').rowsHeld).toBe(1);
  resolve(b, 'takeRemote');
  expect(heldOf(b)).toEqual(['t notNull 1']);
  syncAll(everybody());
  expectEqual();
  expect(a.rows('SELECT * FROM t ORDER BY id')).toEqual([
    [1n, 'a'],
    [2n, 'b'],
  ]);
});

test.each(['', ' WITHOUT ROWID'])(
  'D04 a unique key of the shape that rows break%s: the later claim is held',
  (kind) => {
    a.exec(
      `CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, v TEXT UNIQUE)${kind}; INSERT INTO t VALUES ('1', 'x')`,
    );
    b.exec(
      `CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, v TEXT)${kind}; INSERT INTO t VALUES ('2', 'y'), ('3', 'y'), ('4', 'x')`,
    );
    syncBoth(a, b);
    const foretold = preview(b, 'takeRemote');
    expect(foretold.rowsHeld).toBe(1);
    resolve(b, 'takeRemote');
    syncAll(everybody());
    expectEqual();
    expect(a.rows('SELECT * FROM t ORDER BY id')).toEqual([
      ['1', 'x'],
      ['2', 'y'],
    ]);
    expect(heldOf(b)).toEqual(['t uniqueCollision 2']);
  },
);

test('D04 a decision travels along a chain, and the others that were stuck come free by themselves', () => {
  const d = world.init('d');
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a')`);
  d.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER); INSERT INTO t VALUES (2, 5)`);
  const chain = [
    [b, a],
    [c, b],
    [d, c],
    [c, d],
    [b, c],
    [a, b],
  ] as const;
  for (const [to, from] of chain) to.pull(from);
  expect(everybody().map((replica) => replica.core().blocked().length)).toEqual([0, 0, 1, 1]);
  resolve(d, 'takeRemote');
  const decisions = d.core().identity().site;
  for (let round = 0; round < 3; round += 1) for (const [to, from] of chain) to.pull(from);
  expectEqual();
  expect(a.rows('SELECT * FROM t')).toEqual([
    [1n, 'a'],
    [2n, '5'],
  ]);
  for (const replica of everybody()) {
    const authors = replica
      .core()
      .migrations({ limit: 20 })
      .filter(({ type }) => type === 'redefine_table')
      .map(({ origin }) => origin);
    expect(authors).toEqual([decisions]);
  }
  expect(a.core().journal({ limit: 5 })).toEqual([]);
});

test.each([
  ['keepLocal', 'keepLocal'],
  ['takeRemote', 'takeRemote'],
  ['keepLocal', 'takeRemote'],
] as const)(
  'D04 decided on both sides at once (%s, %s): the later decision holds everywhere',
  (first, second) => {
    a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, x); INSERT INTO t VALUES (1, 'a', 'ax')`);
    b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, y); INSERT INTO t VALUES (2, 5, 'by')`);
    syncAll(everybody().slice(0, 2));
    resolve(a, first);
    resolve(b, second);
    const wanted = second === 'keepLocal' ? 'y' : 'x';
    syncAll(everybody());
    expectEqual();
    for (const replica of everybody()) {
      expect(
        replica
          .core()
          .catalog()
          .objects.flatMap(({ columns }) => columns.map(({ name }) => name)),
      ).toEqual(['id', 'v', wanted]);
    }
    expect(a.rows(`SELECT id, ${wanted} FROM t ORDER BY id`)).toEqual(
      wanted === 'x'
        ? [
            [1n, 'ax'],
            [2n, null],
          ]
        : [
            [1n, null],
            [2n, 'by'],
          ],
    );
    expectJoinable();
  },
);

test('D04 a third shape that never met the others: one decision after the other, and all end equal', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v, x); INSERT INTO t VALUES (1, 'a', 'x')`);
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v, y); INSERT INTO t VALUES (2, 'b', 'y')`);
  syncBoth(a, b);
  resolve(a, 'keepLocal');
  syncBoth(a, b);
  c.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v, z); INSERT INTO t VALUES (3, 'c', 'z')`);
  syncAll(everybody());
  expect(c.core().blocked()[0]?.conflictId).toBe(a.core().blocked()[0]?.conflictId);
  resolve(c, 'keepLocal');
  syncAll(everybody());
  expectEqual();
  expect(a.rows('SELECT * FROM t')).toEqual([
    [1n, 'a', null],
    [2n, 'b', null],
    [3n, 'c', 'z'],
  ]);
  expectJoinable();
});

test('D05 P05 a column of two types: the chosen type holds everywhere, values of both are kept', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)`);
  b.pull(a);
  c.pull(a);
  a.exec(`ALTER TABLE t ADD COLUMN bar INTEGER; UPDATE t SET bar = 7 WHERE id = 1`);
  b.exec(`ALTER TABLE t ADD COLUMN bar TEXT; UPDATE t SET bar = '08' WHERE id = 2`);
  syncAll(everybody());
  resolve(a, 'takeRemote');
  syncAll(everybody());
  expectEqual();
  expect(c.rows('SELECT * FROM t')).toEqual([
    [1n, '7'],
    [2n, '08'],
  ]);
  expectJoinable();
});

test('a table`s indexes, triggers and views are kept by a decision, and triggers do not fire for it', () => {
  const attached = world.attach(
    'attached',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INTEGER); INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2);
     CREATE TABLE lg (x); CREATE INDEX t_v ON t (v); CREATE UNIQUE INDEX t_n ON t (n) WHERE n > 0;
     CREATE TRIGGER t_ai AFTER INSERT ON t BEGIN INSERT INTO lg VALUES ('i' || new.id); END;
     CREATE TRIGGER t_au AFTER UPDATE OF v ON t BEGIN INSERT INTO lg VALUES ('u' || new.id); END;
     CREATE TRIGGER t_ad AFTER DELETE ON t BEGIN INSERT INTO lg VALUES ('d' || old.id); END;
     CREATE VIEW tv AS SELECT v FROM t WHERE n > 0`,
  );
  a.exec(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, n INTEGER); INSERT INTO t VALUES (3, 'c', 3), (1, 'late', 9)`,
  );
  b.exec(`CREATE TABLE t (id TEXT PRIMARY KEY, v TEXT, n INTEGER); INSERT INTO t VALUES ('7', 'g', 7)`);
  const objects = `SELECT type, name, sql FROM sqlite_schema WHERE name IN ('t_v', 't_n', 't_ai', 't_au', 't_ad', 'tv') ORDER BY name`;
  const before = attached.rows(objects);
  expect(before.length).toBe(6);
  attached.pull(a);
  resolve(attached, 'takeRemote');
  attached.pull(a);
  expect(attached.rows(objects)).toEqual(before);
  attached.pull(b);
  resolve(attached, 'takeRemote');
  attached.pull(b);
  expect(attached.rows(objects)).toEqual(before);
  // Of what came from the peers; not of the rows that the decision stored anew. The log has no key, so it is each replica's own.
  const logged = [['i3'], ['u1'], ['i7']];
  expect(attached.rows('SELECT * FROM lg')).toEqual(logged);
  expect(attached.rows('SELECT id, v, n FROM t ORDER BY id')).toEqual([
    ['1', 'late', 9n],
    ['2', 'b', 2n],
    ['3', 'c', 3n],
    ['7', 'g', 7n],
  ]);
  attached.exec(`INSERT INTO t VALUES ('8', 'h', 8)`);
  expect(attached.rows('SELECT * FROM lg')).toEqual([...logged, ['i8']]);
  syncAll([attached, a, b]);
  const ordered = 'SELECT id, v FROM t ORDER BY id';
  expect(a.rows(ordered)).toEqual(attached.rows(ordered));
});

test('foreign keys that point at a redefined table keep their children', () => {
  const attached = world.attach(
    'attached',
    `CREATE TABLE p (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO p VALUES (1, 'a'), (2, 'b');
     CREATE TABLE ch (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id) ON DELETE CASCADE); INSERT INTO ch VALUES (1, 1), (2, 2)`,
  );
  a.exec(`CREATE TABLE p (id INTEGER PRIMARY KEY, v INTEGER, w); INSERT INTO p VALUES (3, 5, 'w')`);
  attached.pull(a);
  resolve(attached, 'takeRemote');
  expect(attached.rows('SELECT * FROM ch')).toEqual([
    [1n, 1n],
    [2n, 2n],
  ]);
  expect(attached.rows('PRAGMA foreign_key_check')).toEqual([]);
  attached.exec('DELETE FROM p WHERE id = 1');
  expect(attached.rows('SELECT * FROM ch')).toEqual([[2n, 2n]]);
});

test('the preview counts what really happens: rows, conversions, losses', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, keep TEXT);
    INSERT INTO t VALUES (1, '1', 'k'), (2, '1.10', 'k'), (3, 'text', 'k'), (4, NULL, 'k'), (5, '007', NULL), (6, 'x', NULL)`);
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v NUMERIC)`);
  a.pull(b);
  const foretold = preview(a, 'takeRemote');
  const before = new Map(a.rows('SELECT id, v FROM t').map(([id, v]) => [id, v]));
  expect(foretold).toMatchObject({
    rows: 6,
    rowsHeld: 0,
    changesLocalShape: true,
    changesRemoteShape: false,
    cellsHeld: [{ column: 'keep', cells: 4 }],
  });
  expect(a.rows('SELECT count(*) FROM _concord_held')).toEqual([[0n]]);
  resolve(a, 'takeRemote');
  const after = a.rows('SELECT id, v FROM t');
  expect(after.filter(([id, v]) => before.get(id) !== v).length).toBe(foretold.rowsConverted);
  expect(after.filter(([id, v]) => before.get(id) !== v && String(v) !== before.get(id)).length).toBe(
    foretold.lossyCasts,
  );
  expect(foretold.lossyExamples).toContainEqual({ column: 'v', key: [2], from: '1.10', to: 1.1 });
  expect(heldOf(a)).toEqual(['t unknownColumn 4']);
});

test('an answer is journalled with its reason, and a wrong one changes nothing and says what is possible', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)`);
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)`);
  a.pull(b);
  const conflictId = blockedOn(a);
  const request = { conflictId, because: 'why not', who: 'me' };
  expect(a.core().resolve({ ...request, option: 'merge' })).toMatchObject({
    ok: false,
    error: { code: 'not-supported-yet' },
  });
  expect(a.core().journal({ limit: 9 })).toEqual([]);
  const { fingerprint } = a.core().status();
  const report = resolve(a, 'takeRemote');
  expect(report).toMatchObject({
    option: 'takeRemote',
    fingerprintBefore: fingerprint,
    admission: { blocked: null },
  });
  expect(report.fingerprintAfter).toBe(b.core().status().fingerprint);
  expect(a.core().journal({ limit: 9 })).toEqual([
    expect.objectContaining({
      who: 'tester',
      because: 'a test says so',
      option: 'takeRemote',
      object: 't',
      conflictId,
      fingerprintBefore: fingerprint,
      fingerprintAfter: report.fingerprintAfter,
    }),
  ]);
  expect(a.core().resolve({ ...request, option: 'keepLocal' })).toMatchObject({
    ok: false,
    error: { code: 'no-such-conflict' },
  });
});

test('C060 a conflict goes by itself when the other side`s table is dropped, and is no decision`s any more', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a')`);
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)`);
  c.pull(b);
  a.pull(c);
  b.exec('DROP TABLE t');
  a.pull(b);
  expect(
    a.core().resolve({ conflictId: blockedOn(a), option: 'takeRemote', because: '', who: '' }),
  ).toMatchObject({ ok: false, error: { code: 'no-such-conflict' } });
  syncAll(everybody());
  expectEqual();
  expect(c.rows('SELECT * FROM t')).toEqual([[1n, 'a']]);
});
