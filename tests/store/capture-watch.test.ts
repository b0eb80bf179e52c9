import { describe, expect, it } from 'vitest';

import { captured } from '../support/captured-facts.ts';
import { anAttachedReplica } from '../support/store-fixture.ts';

describe('watch', () => {
  describe('captures a REPLACE by any other key, in programs with and without recursive triggers (C012)', () => {
    for (const recursive of ['off', 'on']) {
      for (const [what, ddl, start, replace, expected] of [
        [
          'several unique keys at once',
          'create table t (id integer primary key, a unique, b unique, c)',
          `(1, 'a', 'p', 1), (2, 'b', 'q', 1), (3, 'c', 'r', 1)`,
          `insert or replace into t values (9, 'a', 'q', 2)`,
          ['deletes t id=1', 'deletes t id=2', 'rows t id=9 a=a b=q c=2'],
        ],
        [
          'the primary and a unique key at once',
          'create table t (id integer primary key, a unique)',
          `(1, 'a'), (2, 'b')`,
          `replace into t values (1, 'b')`,
          ['deletes t id=2', 'rows t id=1 a=b'],
        ],
        [
          'a key of two columns',
          'create table t (k text primary key, a, b, unique (a, b))',
          `('x', 1, 2), ('y', 1, 3)`,
          `replace into t values ('z', 1, 2)`,
          ['deletes t k=x', 'rows t k=z a=1 b=2'],
        ],
        [
          'a key with a collation',
          'create table t (k text primary key, a text collate nocase unique)',
          `('x', 'Urgent'), ('y', 'late')`,
          `replace into t values ('z', 'URGENT')`,
          ['deletes t k=x', 'rows t k=z a=URGENT'],
        ],
        [
          'a partial index',
          'create table t (k text primary key, a, live); create unique index u on t (a) where live',
          `('x', 1, 1), ('y', 1, 0)`,
          `replace into t values ('z', 1, 1)`,
          ['deletes t k=x', 'rows t k=z a=1 live=1'],
        ],
        [
          'an index over an expression',
          'create table t (id integer primary key, a text); create unique index u on t (lower(a))',
          `(1, 'Ä b'), (2, 'c')`,
          `replace into t values (9, 'Ä B')`,
          ['deletes t id=1', 'rows t id=9 a=Ä B'],
        ],
        [
          'an index over an expression and a column, with collations, of a table called new',
          'create table new (id integer primary key, a text, b); create unique index u on new (substr(a, 1, 2) collate nocase, b)',
          `(1, 'abX', 1), (2, 'abX', 2), (3, 'acX', 1)`,
          `replace into new values (9, 'ABy', 1)`,
          ['deletes new id=1', 'rows new id=9 a=ABy b=1'],
        ],
        [
          'a partial index over an expression that fails on other rows',
          `create table t (k text primary key, d text); create unique index u on t (json_extract(d, '$.id')) where json_valid(d)`,
          `('x', '{"id": 1}'), ('y', 'no json')`,
          `replace into t values ('z', '{"id":1}')`,
          ['deletes t k=x', 'rows t k=z d={"id":1}'],
        ],
        [
          'a generated column, stored and not',
          `create table t (id integer primary key, a, g as (a + 1) unique, s as (a || 's') stored unique)`,
          '(1, 1), (2, 2)',
          `replace into t (id, a) values (9, 2)`,
          ['deletes t id=2', 'rows t id=9 a=2'],
        ],
        [
          'a column whose default takes the place of NULL',
          `create table t (id integer primary key, a text not null default 'none' unique)`,
          `(1, 'none'), (2, 'b')`,
          `replace into t values (9, null)`,
          ['deletes t id=1', 'rows t id=9 a=none'],
        ],
        [
          'a key whose value is converted',
          'create table t (id integer primary key, a integer unique)',
          `(1, 5), (2, 6)`,
          `replace into t values (9, '5')`,
          ['deletes t id=1', 'rows t id=9 a=5'],
        ],
        [
          'a table without rowids',
          'create table t (k text primary key, a unique) without rowid',
          `('x', 1), ('y', 2)`,
          `replace into t values ('z', 1), ('z', 2)`,
          ['deletes t k=x', 'deletes t k=y', 'rows t k=z a=2'],
        ],
        [
          'rows of a select, by a unique key',
          'create table t (id integer primary key, a unique)',
          '(1, 1), (2, 2), (3, 3)',
          'insert or replace into t select id + 10, a from t where id < 3',
          ['deletes t id=1', 'deletes t id=2', 'rows t id=11 a=1', 'rows t id=12 a=2'],
        ],
        [
          'a conflict clause of the constraint itself',
          'create table t (id integer primary key, a unique on conflict replace)',
          '(1, 1), (2, 2)',
          'insert into t values (9, 1)',
          ['deletes t id=1', 'rows t id=9 a=1'],
        ],
      ] as const) {
        it(`${what}, recursive triggers ${recursive}`, () => {
          const table = /create table (\w+)/.exec(ddl)?.[1] ?? 't';
          const columns = ddl.includes(' as (') ? ' (id, a)' : '';
          const replica = anAttachedReplica(`${ddl}; insert into ${table}${columns} values ${start}`);
          replica.plain.pragma(`recursive_triggers = ${recursive}`);
          const facts = captured(replica, replace).map((fact) => fact.replace(/ life \d+$/, ''));
          expect(facts.toSorted()).toEqual([...expected].sort());
        });
      }
    }
  });

  describe('captures what an UPDATE pushes out by a secondary unique key, in programs with and without recursive triggers (C012)', () => {
    for (const recursive of ['off', 'on']) {
      for (const [what, ddl, start, update, expected] of [
        [
          'one row',
          'create table t (id integer primary key, a unique, b)',
          `(1, 'a', 1), (2, 'b', 1), (3, 'c', 1)`,
          `update or replace t set a = 'a' where id = 2`,
          ['cells t id=2 a=a', 'deletes t id=1'],
        ],
        [
          'row after row, by one statement',
          'create table t (id integer primary key, a unique, b)',
          `(1, 'a', 1), (2, 'b', 1), (3, 'c', 1)`,
          `update or replace t set a = 'z'`,
          ['cells t id=3 a=z', 'deletes t id=1', 'deletes t id=2'],
        ],
        [
          'by two keys, one of two columns',
          'create table t (k text primary key, a unique, b, c, unique (b, c))',
          `('x', 1, 1, 1), ('y', 2, 1, 2), ('z', 3, 1, 3)`,
          `update or replace t set a = 2, c = 3 where k = 'x'`,
          ['cells t k=x a=2 c=3', 'deletes t k=y', 'deletes t k=z'],
        ],
        [
          'with the row whose primary key it takes',
          'create table t (k text primary key, a unique) without rowid',
          `('x', 1), ('y', 2), ('z', 3)`,
          `update or replace t set k = 'y', a = 3 where k = 'x'`,
          ['deletes t k=x', 'deletes t k=z', 'rows t k=y a=3'],
        ],
        [
          'by a key with a collation of its own',
          'create table t (k text primary key, a text collate nocase); create unique index u on t (a collate binary)',
          `('x', 'p'), ('y', 'P')`,
          `update or replace t set a = 'P' where k = 'x'`,
          ['cells t k=x a=P', 'deletes t k=y'],
        ],
        [
          'by a partial index that the row comes into',
          'create table t (k text primary key, a, live); create unique index u on t (a) where live',
          `('x', 1, 1), ('y', 1, 0), ('z', 2, 0)`,
          `update or replace t set live = 1 where k = 'y'`,
          ['cells t k=y live=1', 'deletes t k=x'],
        ],
        [
          'by an index over an expression',
          'create table t (id integer primary key, a text, b); create unique index u on t (lower(a), b)',
          `(1, 'Ab', 1), (2, 'c', 1), (3, 'aB', 2)`,
          `update or replace t set a = 'AB' where id = 2`,
          ['cells t id=2 a=AB', 'deletes t id=1'],
        ],
        [
          'by generated columns, of which one is made of the other',
          `create table t (id integer primary key, a, b, g as (a || b), s as (g || 's') stored unique)`,
          `(1, 1, 2), (2, 1, 3)`,
          `update or replace t set b = 2 where id = 2`,
          ['cells t id=2 b=2', 'deletes t id=1'],
        ],
        [
          'by a key that the rowid is part of',
          'create table t (id integer primary key, a, b); create unique index u on t (a, abs(id))',
          `(5, 1, 1), (-7, 1, 2)`,
          `update or replace t set rowid = 7 where rowid = 5`,
          ['deletes t id=-7', 'deletes t id=5', 'rows t id=7 a=1 b=1'],
        ],
        [
          'by a default that takes the place of NULL',
          `create table t (id integer primary key, a text not null default 'none' unique)`,
          `(1, 'none'), (2, 'b')`,
          `update or replace t set a = null where id = 2`,
          ['cells t id=2 a=none', 'deletes t id=1'],
        ],
        [
          'by the conflict clause of the constraint',
          'create table t (id integer primary key, a unique on conflict replace)',
          '(1, 1), (2, 2)',
          'update t set a = 1 where id = 2',
          ['cells t id=2 a=1', 'deletes t id=1'],
        ],
        [
          'in an UPSERT',
          'create table t (id integer primary key, a unique on conflict replace)',
          '(1, 1), (2, 2)',
          'insert into t values (2, 5) on conflict (id) do update set a = 1',
          null,
        ],
      ] as const) {
        it(`${what}, recursive triggers ${recursive}`, () => {
          const columns = ddl.includes(' as (') ? ' (id, a, b)' : '';
          const replica = anAttachedReplica(`${ddl}; insert into t${columns} values ${start}`);
          replica.plain.pragma(`recursive_triggers = ${recursive}`);
          if (expected === null) {
            expect(() => captured(replica, update)).toThrow('UNIQUE constraint failed');
            return;
          }
          const facts = captured(replica, update).map((fact) => fact.replace(/ life \d+$/, ''));
          expect(facts.toSorted()).toEqual([...expected].sort());
        });
      }
    }

    it('and nothing of an update that is ignored, fails, or leaves the key as it is', () => {
      const replica = anAttachedReplica(
        `create table t (id integer primary key, a unique, b); insert into t values (1, 'a', 1), (2, 'b', 1)`,
      );
      expect(captured(replica, `update or ignore t set a = 'a' where id = 2`)).toEqual([]);
      expect(captured(replica, `update or replace t set a = 'b', b = 2 where id = 2`)).toEqual([
        'cells t id=2 b=2',
      ]);
      expect(() => captured(replica, `update t set a = 'a' where id = 2`)).toThrow(
        'UNIQUE constraint failed',
      );
      replica.plain.exec('rollback');
      expect(captured(replica, `update t set b = 3 where id = 1`)).toEqual(['cells t id=1 b=3']);
    });

    it('and watches no update of other columns, and none of a table without such a key', () => {
      const replica = anAttachedReplica(
        `create table t (id integer primary key, a unique, b, c); create unique index u on t (b) where c > 0;
         create table plain (id integer primary key, a); create unique index constant on plain (1)`,
      );
      const watched = replica.db
        .preparePluck<[], string>(`select sql from sqlite_schema where name glob '_concord_p_*'`)
        .all();
      expect(watched).toEqual([expect.stringContaining(' before update of "b", "c", "a" on "t" ')]);
    });
  });

  it('fails no insert that a partial index over an expression passes over', () => {
    const replica = anAttachedReplica(
      `create table t (k text primary key, d text); create unique index u on t (json_extract(d, '$.id')) where json_valid(d)`,
    );
    expect(captured(replica, `insert into t values ('x', 'no json'), ('y', 'none either')`)).toHaveLength(2);
    expect(
      replica.db.preparePluck(`select count(*) from sqlite_schema where name glob '_concord_w_*'`).get(),
    ).toBe(1n);
  });
});
