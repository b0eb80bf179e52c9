import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { decide, heldOf, rowsOnly } from '../support/held-of.ts';
import { problemsOf, syncAll, valueOf } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);

const journalOf = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .journal({ limit: 9 })
    .map(({ option, object, who, because, detail }) => `${option} ${object} ${who} (${because}) ${detail}`);

test('U09 a drain of one table, and of all: what fits goes in and is cleared, absent tables stay, a second drain finds nothing', () => {
  for (const table of ['note', 'task', 'gone'])
    a.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, v); INSERT INTO ${table} VALUES (1, '${table}')`);
  b.pull(a, rowsOnly);
  decide(b, 'quarantine');
  c.pull(a);
  c.exec('DROP TABLE gone');
  b.pull(c);
  expect(heldOf(b)).toEqual(['gone unknownTable 1', 'note unknownTable 1', 'task unknownTable 1']);
  // What is quarantined goes in no more by itself, and no drain touches it.
  expect(decide(b, 'drain')).toMatchObject({ changes: 0, drained: 0, left: [] });
  expect(decide(b, 'release', { table: 'NOTE' })).toMatchObject({
    changes: 1,
    rows: 1,
    drained: 1,
    left: [],
  });
  expect(heldOf(b)).toEqual(['gone unknownTable 1', 'task unknownTable 1']);
  expect(b.rows('SELECT * FROM note')).toEqual([[1n, 'note']]);
  const swept = decide(b, 'release');
  expect(swept).toMatchObject({ changes: 2, drained: 2 });
  expect(heldOf(b)).toEqual([]);
  expect(b.rows('SELECT * FROM task')).toEqual([[1n, 'task']]);
  expect(decide(b, 'drain')).toMatchObject({ changes: 0, drained: 0, left: [] });
});

test('U09 a drain says of what stays why it does', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one'), (2, 'two')`);
  b.pull(a, rowsOnly);
  const outcome = decide(b, 'drain');
  expect(outcome).toMatchObject({ changes: 2, drained: 0 });
  expect(outcome.left).toMatchObject([{ table: 'note', reason: 'unknownTable', changes: 2 }]);
  expect(outcome.left[0]?.why).toContain('Its table is not here');
});

test('a quarantined change stays held through every drain and every redelivery, and goes in once it is released', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one'), (2, 'two')`);
  b.pull(a, rowsOnly);
  const [entry] = b
    .core()
    .held({ limit: 9 })
    .filter(({ key }) => key[0] === 1);
  const ids = entry === undefined ? [] : [entry.id];
  expect(decide(b, 'quarantine', { ids })).toMatchObject({
    changes: 1,
    detail: expect.stringContaining('key 1') as string,
  });
  c.pull(a);
  b.pull(c);
  expect(b.rows('SELECT * FROM note')).toEqual([[2n, 'two']]);
  expect(
    b
      .core()
      .held({ limit: 9, quarantined: true })
      .map(({ key, quarantined }) => [key, quarantined]),
  ).toEqual([[[1], true]]);
  expect(decide(b, 'release', { ids })).toMatchObject({ drained: 1 });
  expect(b.rows('SELECT * FROM note')).toEqual([
    [1n, 'one'],
    [2n, 'two'],
  ]);
  expect(journalOf(b).map((entry) => entry.split(' ')[0])).toEqual(['releaseHeld', 'quarantineHeld']);
});

test('a drain of a table by its name takes what is quarantined along; what does not fit stays quarantined', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one'), (2, 'two')`);
  b.pull(a, rowsOnly);
  decide(b, 'quarantine', { table: 'note' });
  expect(decide(b, 'drain', { table: 'note' })).toMatchObject({ changes: 2, drained: 0 });
  expect(
    b
      .core()
      .held({ limit: 9 })
      .map(({ quarantined }) => quarantined),
  ).toEqual([true, true]);
  c.pull(a);
  b.pull(c);
  expect(b.rows('SELECT * FROM note')).toEqual([]);
  expect(decide(b, 'drain', { table: 'note' })).toMatchObject({ drained: 2 });
  expect(b.rows('SELECT * FROM note')).toEqual([
    [1n, 'one'],
    [2n, 'two'],
  ]);
  expect(
    b.core().decideHeld({ action: 'quarantine', selection: { table: 'note' }, because: '', who: 'ines' }),
  ).toMatchObject({
    ok: false,
    error: {
      code: 'nothing-held',
      message: 'Nothing of note is held here, so there is nothing to quarantine.',
    },
  });
});

test('a deletion says why, and the journal keeps who, when, why and what; without a reason nothing goes', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one'), (2, 'two')`);
  b.pull(a, rowsOnly);
  expect(b.core().decideHeld({ action: 'delete', selection: {}, because: ' ', who: 'ines' })).toMatchObject({
    ok: false,
    error: { code: 'reason-missing' },
  });
  expect(heldOf(b)).toEqual(['note unknownTable 2']);
  expect(decide(b, 'delete', { table: 'note', because: 'a trial that went wrong' })).toMatchObject({
    changes: 2,
    rows: 2,
    drained: 0,
  });
  expect(heldOf(b)).toEqual([]);
  const [entry] = b.core().journal({ limit: 9 });
  expect(entry).toMatchObject({
    option: 'deleteHeld',
    object: 'note',
    who: 'ines',
    because: 'a trial that went wrong',
    atMs: world.nowMs(),
  });
  expect(entry?.detail).toMatch(/^2 changes of 2 rows of note \(unknownTable\), \d+ bytes: keys 1, 2$/);
});

test('P02 what belongs to a dropped table goes into the one of its name when a person says so, as new local changes', () => {
  a.exec(`CREATE TABLE pets (id INTEGER PRIMARY KEY, n TEXT)`);
  for (const replica of [b, c]) replica.pull(a);
  a.exec('DROP TABLE pets');
  b.exec(`INSERT INTO pets VALUES (1, 'Bo'), (2, 'Rex'); UPDATE pets SET n = 'Bob' WHERE id = 1`);
  syncAll([a, b, c]);
  expect(decide(a, 'drain', { table: 'pets' }).left).toMatchObject([
    { reason: 'droppedTable', why: expect.stringContaining('no other of that name') as string },
  ]);
  a.exec(
    `CREATE TABLE pets (id INTEGER PRIMARY KEY, n TEXT, age INTEGER); INSERT INTO pets VALUES (2, 'new', 1)`,
  );
  // All drains leave it: a new life takes nothing of an old one by itself.
  expect(decide(a, 'drain')).toMatchObject({ drained: 0 });
  const outcome = decide(a, 'drain', { table: 'pets' });
  expect(outcome).toMatchObject({ rows: 2 });
  expect(outcome.left).toMatchObject([{ table: 'pets', reason: 'droppedTable', changes: 1 }]);
  expect(outcome.left[0]?.why).toContain('UNIQUE');
  syncAll([a, b, c]);
  for (const replica of [a, b, c])
    expect(replica.rows('SELECT * FROM pets ORDER BY id')).toEqual([
      [1n, 'Bob', null],
      [2n, 'new', 1n],
    ]);
  expect(heldOf(a)).toEqual(['pets droppedTable 1']);
});

test('a row that waits for its unique key is written with another one, and that edit settles it everywhere', () => {
  a.exec(`CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE)`);
  for (const replica of [b, c]) replica.pull(a);
  a.exec(`INSERT INTO tag VALUES (1, 'red')`);
  b.exec(`INSERT INTO tag VALUES (2, 'red')`);
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) expect(heldOf(replica)).toEqual(['tag uniqueCollision 1']);
  const [entry] = a.core().held({ limit: 9 });
  const edit = { id: entry?.id ?? 0, because: 'two reds', who: 'ines' };
  expect(a.core().editHeld({ ...edit, values: { name: 'red' } })).toMatchObject({
    ok: false,
    error: { code: 'has-no-place', message: expect.stringContaining('UNIQUE') as string },
  });
  expect(a.core().editHeld({ ...edit, values: { id: 3 } })).toMatchObject({
    ok: false,
    error: { code: 'has-no-place' },
  });
  expect(a.core().editHeld({ ...edit, values: { colour: 'x' } })).toMatchObject({ ok: false });
  expect(heldOf(a)).toEqual(['tag uniqueCollision 1']);
  valueOf(a.core().editHeld({ ...edit, values: { name: 'dark red' } }));
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) {
    expect(heldOf(replica)).toEqual([]);
    expect(replica.rows('SELECT * FROM tag ORDER BY id')).toEqual([
      [1n, 'red'],
      [2n, 'dark red'],
    ]);
  }
});

test('an INSERT of the key of a held row is an edit that knew it, in whatever life the row is', () => {
  a.exec(
    `CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE); INSERT INTO tag VALUES (1, 'red'), (2, 'blue')`,
  );
  for (const replica of [b, c]) replica.pull(a);
  // The row comes in its third life, of which b has not seen the second.
  c.exec(`DELETE FROM tag WHERE id = 2; UPDATE tag SET name = 'blue' WHERE id = 1`);
  a.exec(
    `DELETE FROM tag WHERE id = 2; INSERT INTO tag VALUES (2, 'red2'); DELETE FROM tag WHERE id = 2; INSERT INTO tag VALUES (2, 'blue')`,
  );
  b.pull(c);
  b.pull(a);
  expect(heldOf(b)).toEqual(['tag uniqueCollision 1']);
  b.exec(`INSERT INTO tag VALUES (2, 'green')`);
  expect(heldOf(b)).toEqual([]);
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) {
    expect(heldOf(replica)).toEqual([]);
    expect(replica.rows('SELECT * FROM tag ORDER BY id')).toEqual([
      [1n, 'blue'],
      [2n, 'green'],
    ]);
  }
});

test('U20 at a bound the line stands and says how much, whose and what to do; with room it goes on by itself', () => {
  const small = world.init('small', { settings: { heldMaxFacts: 2 } });
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'a'), (2, 'b')`);
  a.exec(`INSERT INTO note VALUES (3, 'c')`);
  const { blocked } = small.pull(a, rowsOnly);
  expect(blocked).toMatchObject({ cause: 'heldLimit', object: 'note' });
  expect(blocked?.message).toContain(`2 changes of peer ${a.core().identity().site} are held here`);
  expect(blocked?.message).toContain('no more than 2 changes or 64.0 MiB');
  expect(blocked?.message).toContain('2, are for note (unknownTable)');
  expect(blocked?.message).toContain('the line goes on by itself');
  // Other peers have bounds of their own.
  c.exec(`CREATE TABLE task (id INTEGER PRIMARY KEY); INSERT INTO task VALUES (1)`);
  expect(small.pull(c, rowsOnly)).toMatchObject({ held: 1, blocked: null });
  expect(heldOf(small)).toEqual(['note unknownTable 2', 'task unknownTable 1']);
  const [entry] = small.core().held({ limit: 9, table: 'note' });
  decide(small, 'delete', { ids: [entry?.id ?? 0] });
  expect(small.core().blocked()).toEqual([]);
  expect(heldOf(small)).toEqual(['note unknownTable 2', 'task unknownTable 1']);
  expect(problemsOf(small)).toEqual([]);
});

test('U20 the bytes of what is held are bounded likewise', () => {
  const small = world.init('small', { settings: { heldMaxBytes: 2_000 } });
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, zeroblob(1500))`);
  a.exec(`INSERT INTO note VALUES (2, zeroblob(1500))`);
  expect(small.pull(a, rowsOnly).blocked).toMatchObject({ cause: 'heldLimit' });
  expect(heldOf(small)).toEqual(['note unknownTable 1']);
});

test('U07 what is held for longer than the horizon goes with an entry in the journal, quarantined or not; the younger stays', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'old'), (2, 'old too')`);
  b.pull(a, rowsOnly);
  const [, first] = b.core().held({ limit: 9 });
  decide(b, 'quarantine', { ids: [first?.id ?? 0] });
  world.wait(40 * 86_400_000);
  a.exec(`INSERT INTO note VALUES (3, 'young')`);
  b.pull(a, rowsOnly);
  expect(b.core().prune({ olderThanMs: 50 * 86_400_000 })).toMatchObject({ held: 0 });
  expect(heldOf(b)).toEqual(['note unknownTable 3']);
  expect(b.core().prune({ olderThanMs: 31 * 86_400_000 })).toMatchObject({ held: 2 });
  expect(heldOf(b)).toEqual(['note unknownTable 1']);
  expect(b.core().held({ limit: 9 })).toMatchObject([{ key: [3] }]);
  const [entry] = b.core().journal({ limit: 9 });
  expect(entry).toMatchObject({
    option: 'pruneHeld',
    object: 'note',
    who: 'Concord',
    because: 'Held for longer than 31 days.',
  });
  expect(entry?.detail).toContain('2 changes of 2 rows of note (unknownTable)');
  expect(entry?.detail).toContain('keys 1, 2');
});

test('a decision that is made elsewhere reaches who set the object aside: what was held there goes in', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t VALUES (1, 'a')`);
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, y TEXT); INSERT INTO t VALUES (2, 'b')`);
  b.pull(a);
  a.pull(b);
  const answer = (replica: TestReplica, option: 'setAside' | 'keepLocal'): void => {
    const [conflict] = replica.core().blocked();
    if (conflict === undefined) throw new Error(`${replica.name} is not blocked`);
    const { conflictId } = conflict;
    valueOf(replica.core().resolve({ conflictId, option, because: 'the test says so', who: 'ines' }));
  };
  answer(b, 'setAside');
  b.pull(a);
  expect(heldOf(b)).toEqual(['t setAside 1']);
  answer(a, 'keepLocal');
  syncAll([a, b]);
  for (const replica of [a, b]) {
    expect(replica.rows('SELECT * FROM t ORDER BY id')).toEqual([
      [1n, 'a'],
      [2n, null],
    ]);
    expect(heldOf(replica)).toEqual(['t unknownColumn 1']);
    expect(
      replica
        .core()
        .held({ limit: 9 })
        .map(({ op }) => op),
    ).toEqual(['cells']);
  }
});
