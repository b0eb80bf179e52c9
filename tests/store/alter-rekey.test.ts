import { describe, expect, it } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, syncAll } from '../support/replica-world.ts';

const { world } = freshReplicas();

/** A table, the alteration of its identity, and what rows hold in a and b afterwards in the order of b. */
const CASES: Readonly<Record<string, readonly [create: string, alter: string]>> = {
  'another column of a rowid table': [
    'create table t (a int primary key, b int not null, c text)',
    'alter table t alter primary key (b)',
  ],
  'from INTEGER PRIMARY KEY to another column': [
    'create table t (a integer primary key, b int, c text)',
    'alter table t alter primary key (b)',
  ],
  'to an INTEGER PRIMARY KEY': [
    'create table t (a int primary key, b integer, c text)',
    'alter table t alter primary key (b)',
  ],
  'from one INTEGER PRIMARY KEY to another': [
    'create table t (a integer primary key, b integer, c text)',
    'alter table t alter primary key (b)',
  ],
  'WITHOUT ROWID': [
    'create table t (a int primary key, b int, c text) without rowid',
    'alter table t alter primary key (b)',
  ],
  'to a longer key': [
    'create table t (a int primary key, b int, c text)',
    'alter table t alter primary key (a, b desc)',
  ],
  'to a shorter key': [
    'create table t (a int, b int, c text, primary key (a, b))',
    'alter table t alter primary key (b)',
  ],
  'the same columns in another order': [
    'create table t (a int, b int, c text, primary key (a, b))',
    'alter table t alter primary key (b, a)',
  ],
  'another type of the key': [
    'create table t (a int primary key, b int, c text)',
    'alter table t alter column a set data type text',
  ],
  'another type of the INTEGER PRIMARY KEY': [
    'create table t (a integer primary key, b int, c text)',
    'alter table t alter column a set data type text',
  ],
  'another collation of the key': [
    'create table t (a text primary key, b int, c text)',
    'alter table t alter column a set collate nocase',
  ],
  'a STRICT table': [
    'create table t (a int primary key, b int, c text) strict',
    'alter table t alter primary key (b)',
  ],
};

const ROWS = `insert into t values (1, 10, 'x'), (2, 20, 'y'), (3, 30, 'z'), (4, 40, 'w'), (5, 50, 'v'), (6, 60, 'u');
  delete from t where a = 4; insert into t values (4, 44, 'again'); delete from t where a = 3;`;

describe('a table gets another key', () => {
  for (const [title, [create, alter]] of Object.entries(CASES)) {
    for (const first of ['the key', 'the writes'] as const) {
      it(`${title}: old deletes and changes find their rows, ${first} first (A09, A27)`, () => {
        const [a, b, c] = [world.init('a'), world.init('b'), world.init('c')] as const;
        a.exec(create);
        a.exec(ROWS);
        syncAll([a, b, c]);
        a.exec(alter);
        a.exec(`update t set c = 'from a' where b = 60`);
        b.exec(
          `delete from t where a = 1; update t set c = 'from b' where a = 5; update t set c = 'too late' where a = 2`,
        );
        c.exec(
          `update t set c = 'from c' where a = 4; insert into t values (7, 70, 'from c'); delete from t where a = 2`,
        );
        if (first === 'the key') for (const replica of [b, c]) replica.pull(a);
        else for (const replica of [b, c]) a.pull(replica);
        syncAll([a, b, c]);
        const fresh = world.init('fresh');
        fresh.pull(c);
        syncAll([a, b, c, fresh]);
        const rows = a.rows('select b, c, a + 0 from t order by b');
        expect(rows).toEqual([
          [44n, 'from c', 4n],
          [50n, 'from b', 5n],
          [60n, 'from a', 6n],
          [70n, 'from c', 7n],
        ]);
        for (const replica of [a, b, c, fresh]) {
          expect(replica.rows('select b, c, a + 0 from t order by b')).toEqual(rows);
          expect(replica.core().heldCounts()).toEqual([]);
          expect(replica.core().blocked()).toEqual([]);
          expect(problemsOf(replica)).toEqual([]);
          expect(replica.core().status().fingerprint).toBe(a.core().status().fingerprint);
        }
      });
    }
  }

  it('rows that were deleted before stay deleted, and those that return are new (A27)', () => {
    const [a, b, c] = [world.init('a'), world.init('b'), world.init('c')] as const;
    a.exec('create table t (a int primary key, b int, c text)');
    a.exec(`insert into t values (1, 10, 'x'), (2, 20, 'y')`);
    syncAll([a, b, c]);
    c.exec(`update t set c = 'concurrent' where a = 1`);
    a.exec('delete from t where a = 1');
    a.exec('alter table t alter primary key (b)');
    b.pull(a);
    b.pull(c);
    a.pull(b);
    expect(a.rows('select * from t')).toEqual([[2n, 20n, 'y']]);
    expect(b.rows('select * from t')).toEqual([[2n, 20n, 'y']]);
    b.exec(`insert into t values (1, 11, 'returned')`);
    syncAll([a, b, c]);
    for (const replica of [a, b, c]) {
      expect(replica.rows('select * from t order by a')).toEqual([
        [1n, 11n, 'returned'],
        [2n, 20n, 'y'],
      ]);
      expect(problemsOf(replica)).toEqual([]);
    }
  });

  it('rows of a table that had no key begin to sync', () => {
    const [a, b] = [world.init('a'), world.init('b')] as const;
    a.exec(`create table t (a int, b text); insert into t values (1, 'a'), (2, 'b')`);
    b.pull(a);
    b.exec(`insert into t values (3, 'local')`);
    a.exec('alter table t alter primary key (a)');
    syncAll([a, b]);
    for (const replica of [a, b]) {
      expect(replica.rows('select * from t order by a')).toEqual([
        [1n, 'a'],
        [2n, 'b'],
        [3n, 'local'],
      ]);
      expect(problemsOf(replica)).toEqual([]);
    }
    b.exec(`update t set b = 'changed' where a = 1; delete from t where a = 2`);
    a.pull(b);
    expect(a.rows('select * from t order by a')).toEqual(b.rows('select * from t order by a'));
  });

  it('is blocked where rows here have no value for the key, or the same one, and names them', () => {
    const [a, b] = [world.init('a'), world.init('b')] as const;
    a.exec('create table t (a int primary key, b int)');
    b.pull(a);
    b.exec('insert into t values (1, 7), (2, 7), (3, null)');
    a.exec('alter table t alter primary key (b)');
    const { blocked } = b.pull(a);
    expect(blocked).toMatchObject({
      cause: 'rowsBreakConstraint',
      message: 'Rows of t have no value in b, which may not be NULL: a 3.',
    });
    b.exec('update t set b = a');
    expect(b.core().retryBlocked().blocked).toBeNull();
    syncAll([a, b]);
    expect(a.rows('select * from t order by a')).toEqual(b.rows('select * from t order by a'));
  });
});

describe('a column of a STRICT table gets another type', () => {
  it('where rows do not fit the unit is blocked, and a row that comes later and does not fit is held (A07)', () => {
    const [a, b] = [world.init('a'), world.init('b')] as const;
    a.exec('create table t (id integer primary key, v any) strict; insert into t values (1, 2)');
    b.pull(a);
    a.exec('alter table t alter column v set data type real');
    b.exec(`update t set v = 'text' where id = 1; insert into t values (2, 'more'), (3, 3)`);
    a.pull(b);
    expect(a.rows('select * from t')).toEqual([
      [1n, 2],
      [3n, 3],
    ]);
    expect(a.core().heldCounts()).toEqual([{ table: 't', reason: 'refusedValue', rows: 2 }]);
    expect(b.pull(a).blocked).toMatchObject({
      cause: 'rowsBreakConstraint',
      message: 'Rows of t have values in v that a STRICT table does not take as REAL: id 1; id 2.',
    });
    b.exec('update t set v = id where id = 1; delete from t where id = 2; insert into t values (2, 2)');
    expect(b.core().retryBlocked().blocked).toBeNull();
    syncAll([a, b]);
    expect(a.rows('select * from t')).toEqual(b.rows('select * from t'));
    expect(a.rows('select v from t')).toEqual([[1], [2], [3]]);
    expect([a, b].flatMap(problemsOf)).toEqual([]);
  });
});

describe('a column is added', () => {
  it.each(['a first', 'b first'])('a computed default is one value everywhere, %s (A24)', (first) => {
    const [a, b, c] = [world.init('a'), world.init('b'), world.init('c')] as const;
    a.exec('create table t (id text primary key, v text)');
    syncAll([a, b, c]);
    a.exec(
      `alter table t add column r int default (random()); alter table t add column s text default 'added'`,
    );
    a.exec(`insert into t (id) values ('a'); alter table t alter column s set default 'now'`);
    b.exec(`insert into t values ('b', 'from b')`);
    if (first === 'a first') a.pull(b);
    else b.pull(a);
    syncAll([a, b, c]);
    const rows = a.rows('select * from t order by id');
    expect(rows.map((row) => [row[0], row[3]])).toEqual([
      ['a', 'added'],
      ['b', 'added'],
    ]);
    for (const replica of [b, c]) expect(replica.rows('select * from t order by id')).toEqual(rows);
    expect([a, b, c].flatMap(problemsOf)).toEqual([]);
  });

  it.each(['a first', 'b first'])(
    'of two that add it, %s, the later one’s default fills rows that are there already',
    (first) => {
      const [a, b, c] = [world.init('a'), world.init('b'), world.init('c')] as const;
      a.exec(`create table t (id text primary key, v text);
        create trigger tr after update on t begin insert into t (id) values ('by trigger'); end;
        insert into t values ('1', 'x'), ('2', 'y')`);
      syncAll([a, b, c]);
      const adds = [
        () => a.exec(`alter table t add column d text not null default 'dn'`),
        () => b.exec('alter table t add column d text'),
      ];
      for (const add of first === 'a first' ? adds : adds.toReversed()) add();
      c.exec(`insert into t values ('3', 'late')`);
      b.exec(`insert into t values ('4', 'own', 'written')`);
      syncAll([a, b, c]);
      const value = first === 'a first' ? null : 'dn';
      for (const replica of [a, b, c]) {
        expect(replica.rows('select id, d from t order by id')).toEqual([
          ['1', value],
          ['2', value],
          ['3', value],
          ['4', 'written'],
        ]);
        expect(problemsOf(replica)).toEqual([]);
      }
    },
  );

  it.each(['a first', 'b first'])('rows without a value for it are held everywhere, %s (A28)', (first) => {
    const [a, b, c] = [world.init('a'), world.init('b'), world.init('c')] as const;
    a.exec('create table u (id int primary key)');
    syncAll([a, b, c]);
    a.exec(`alter table u add column mail text not null; insert into u values (1, 'x')`);
    b.exec('insert into u values (2)');
    if (first === 'a first') a.pull(b);
    else b.pull(a);
    syncAll([a, b, c]);
    for (const replica of [a, b, c]) {
      expect(replica.rows('select * from u')).toEqual([[1n, 'x']]);
      expect(replica.core().heldCounts()).toEqual([{ table: 'u', reason: 'notNull', rows: 1 }]);
    }
    a.exec(`alter table u alter column mail set default 'none'`);
    syncAll([a, b, c]);
    for (const replica of [a, b, c]) {
      expect(replica.rows('select * from u order by id')).toEqual([
        [1n, 'x'],
        [2n, 'none'],
      ]);
      expect(replica.core().heldCounts()).toEqual([]);
      expect(problemsOf(replica)).toEqual([]);
    }
  });

  it('blocks instead where more rows than may be held have no value', () => {
    const a = world.init('a');
    const b = world.init('b', { settings: { heldMaxFacts: 2 } });
    a.exec('create table u (id int primary key)');
    b.pull(a);
    b.exec('insert into u values (1), (2), (3)');
    a.exec('alter table u add column mail text not null');
    expect(b.pull(a).blocked).toMatchObject({ cause: 'rowsBreakConstraint', object: 'u' });
    expect(b.rows('select * from u')).toHaveLength(3);
  });
});
