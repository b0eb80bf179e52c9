import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, syncAll, syncBoth } from '../support/replica-world.ts';

const { world, a, b } = freshReplicas(['a', 'b']);

function diverge(other = b): void {
  a.exec(`CREATE TABLE visit (id INTEGER PRIMARY KEY, total REAL); INSERT INTO visit VALUES (1, 9.5)`);
  other.exec(
    `CREATE TABLE visit (code TEXT PRIMARY KEY, amount INTEGER, note TEXT); INSERT INTO visit VALUES ('k1', 3, 'x')`,
  );
  a.exec(`CREATE TABLE unrelated (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO unrelated VALUES (1, 'keep')`);
}

test('D01 C003 divergent creates: both definitions, the same words every round, nothing recorded, nothing piles up', () => {
  diverge();
  const before = dumpFile(b, ['_concord_peer', '_concord_site', '_concord_blocked']);
  const texts = [1, 2, 3].map(() => b.pull(a).blocked);
  for (const blocked of texts) expect(blocked).toEqual(texts[0]);
  expect(texts[0]).toMatchObject({ cause: 'divergentDefinition', object: 'visit' });
  const [view, ...others] = b.core().blocked();
  expect(others).toEqual([]);
  expect(view).toMatchObject({
    attempts: 3,
    localRows: 1,
    options: ['takeRemote', 'keepLocal', 'setAside', 'retry'],
  });
  expect(view?.localDdl).toMatch(/code TEXT PRIMARY KEY/);
  expect(view?.remoteDdl).toMatch(/total REAL/);
  expect(view?.behindChanges).toBeGreaterThan(0);
  expect(dumpFile(b, ['_concord_peer', '_concord_site', '_concord_blocked'])).toBe(before);
  expect(b.rows('SELECT * FROM visit')).toEqual([['k1', 3n, 'x']]);
  // An operator drops one side: the next sync clears it.
  b.exec('DROP TABLE visit');
  expect(b.pull(a).blocked).toBeNull();
  expect(b.rows('SELECT * FROM visit')).toEqual([[1n, 9.5]]);
  expect(b.rows('SELECT * FROM unrelated')).toEqual([[1n, 'keep']]);
  expect(b.core().status().state).toBe('inSync');
});

test('D02 both sides report it once, as data, with the same conflict id, by every path', () => {
  const c = world.init('c');
  diverge();
  c.pull(a);
  syncAll([a, b, c]);
  syncAll([a, b, c]);
  const ids = [a, b, c].map((replica) =>
    replica
      .core()
      .blocked()
      .map(({ conflictId }) => conflictId),
  );
  expect(ids.map(({ length }) => length)).toEqual([1, 2, 1]);
  expect(new Set(ids.flat()).size).toBe(1);
  const [left, right] = [a.core().blocked()[0], b.core().blocked()[0]];
  expect(left?.localDdl).toBe(right?.remoteDdl);
  expect(left?.localCreatedBy).toBe(right?.remoteCreatedBy);
  expect(left?.localCreatedHlc).toBe(right?.remoteCreatedHlc);
});

test('D03 with block, what came before has landed and nothing after it', () => {
  a.exec(`CREATE TABLE early (id INTEGER PRIMARY KEY); INSERT INTO early VALUES (1)`);
  b.pull(a);
  a.exec(`INSERT INTO early VALUES (2)`);
  diverge();
  a.exec(`INSERT INTO early VALUES (3)`);
  expect(b.pull(a).blocked).not.toBeNull();
  expect(b.rows('SELECT * FROM early')).toEqual([[1n], [2n]]);
  expect(
    b
      .core()
      .catalog()
      .objects.map(({ name }) => name),
  ).toEqual(['early', 'visit']);
  expect(b.core().status().peers).toEqual([expect.objectContaining({ blocked: true })]);
});

test('D03 with set aside, the rest of the batch is admitted and the object is held', () => {
  const aside = world.init('aside', { settings: { onDivergence: 'setAside' } });
  diverge(aside);
  expect(aside.pull(a).blocked).toBeNull();
  expect(aside.rows('SELECT * FROM unrelated')).toEqual([[1n, 'keep']]);
  expect(aside.rows('SELECT * FROM visit')).toEqual([['k1', 3n, 'x']]);
  expect(aside.core().heldCounts()).toEqual([{ table: 'visit', reason: 'setAside', rows: 1 }]);
  // A second round holds nothing twice.
  a.exec('UPDATE unrelated SET v = v');
  aside.pull(a);
  expect(aside.core().heldCounts()).toEqual([{ table: 'visit', reason: 'setAside', rows: 1 }]);
});

test('D03 set aside as an answer: the line goes on, and the held rows land once the name is free', () => {
  diverge();
  b.pull(a);
  const [blocked] = b.core().blocked();
  const result = b.core().resolve({
    conflictId: blocked?.conflictId ?? ('' as never),
    option: 'setAside',
    because: 'later',
    who: 'me',
  });
  expect(result).toMatchObject({ ok: true, value: { admission: { blocked: null } } });
  b.pull(a);
  expect(b.rows('SELECT * FROM unrelated')).toEqual([[1n, 'keep']]);
  expect(b.core().heldCounts()).toEqual([{ table: 'visit', reason: 'setAside', rows: 1 }]);
  a.exec(`INSERT INTO visit VALUES (2, 1.5); UPDATE visit SET total = 10 WHERE id = 1`);
  b.pull(a);
  b.exec('DROP TABLE visit');
  expect(b.core().heldCounts()).toEqual([]);
  expect(b.rows('SELECT * FROM visit ORDER BY id')).toEqual([
    [1n, 10],
    [2n, 1.5],
  ]);
  expect(b.core().journal({ limit: 9 })).toEqual([
    expect.objectContaining({ option: 'setAside', who: 'me', because: 'later', object: 'visit' }),
  ]);
});

test('D08 an old change that arrives late at a hub reaches every peer', () => {
  const c = world.init('c');
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one'), (2, 'two')`);
  b.pull(a);
  c.pull(b);
  // Written long ago, and kept back by a peer that was away.
  c.setOffset(-3_600_000);
  c.reopen();
  a.exec(`UPDATE note SET v = 'a' WHERE id = 1`);
  b.pull(a);
  c.exec(`INSERT INTO note VALUES (3, 'late')`);
  const d = world.init('d');
  d.pull(b);
  b.pull(c);
  for (const replica of [a, d]) {
    replica.pull(b);
    expect(replica.rows('SELECT v FROM note ORDER BY id')).toEqual([['a'], ['two'], ['late']]);
  }
});

test('C005 a column that came by ALTER on one side and in the CREATE on the other', () => {
  a.exec(
    `CREATE TABLE config (k TEXT PRIMARY KEY, v TEXT, updated_at TEXT NOT NULL DEFAULT (datetime('now')))`,
  );
  b.exec(`CREATE TABLE config (k TEXT PRIMARY KEY, v TEXT); INSERT INTO config (k, v) VALUES ('lang', 'nl');
    ALTER TABLE config ADD COLUMN updated_at TEXT`);
  syncBoth(a, b);
  for (const replica of [a, b]) {
    const [blocked] = replica.core().blocked();
    expect(blocked).toMatchObject({ cause: 'divergentDefinition', object: 'config' });
    expect(blocked?.differences.map(({ subject }) => subject)).toContain('updated_at');
  }
});

test('C010 D02 an index of one name on two tables is a conflict with both definitions; the same index is none', () => {
  a.exec(`CREATE TABLE p (id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE q (id INTEGER PRIMARY KEY, n TEXT)`);
  b.pull(a);
  a.exec('CREATE INDEX same ON p (id, n)');
  b.exec('CREATE INDEX "same" on p ( id , n )');
  syncBoth(a, b);
  expect([...a.core().blocked(), ...b.core().blocked()]).toEqual([]);
  a.exec('CREATE INDEX idx_n ON p (n)');
  b.exec('CREATE INDEX idx_n ON q (n)');
  syncBoth(a, b);
  expect(a.core().blocked()).toMatchObject([
    { cause: 'divergentDefinition', object: 'idx_n', kind: 'index' },
  ]);
  expect(b.core().blocked()[0]?.conflictId).toBe(a.core().blocked()[0]?.conflictId);
});
