import { describe, expect, it } from 'vitest';

import { captured } from '../support/captured-facts.ts';
import { anAttachedReplica } from '../support/store-fixture.ts';

const ITEM = `create table item (id integer primary key, name text collate nocase, price, stock int default 3)`;

describe('capture', () => {
  it('records nothing of a rollback, of a whole transaction or to a savepoint (T03)', () => {
    const replica = anAttachedReplica(ITEM);
    replica.plain.exec(`begin; insert into item values (1, 'a', 1, 1); update item set price = 2; rollback`);
    expect(replica.notice().changes).toBe(0);
    expect(
      captured(
        replica,
        `savepoint s; insert into item values (1, 'a', 1, 1); rollback to s; insert into item values (2, 'b', 1, 1)`,
      ),
    ).toEqual(['rows item id=2 name=b price=1 stock=1']);
  });

  it('leaves one current entry of two quick commits on one cell (T05)', () => {
    const replica = anAttachedReplica(`${ITEM}; insert into item values (1, 'a', 1, 1)`);
    expect(captured(replica, 'update item set price = 2', 'update item set price = 3')).toEqual([
      'cells item id=1 price=3',
    ]);
  });

  for (const [what, statements, expected] of [
    [
      'an insert and its deletion',
      [`insert into item values (2, 'b', 1, 1)`, 'delete from item where id = 2'],
      ['deletes item id=2'],
    ],
    [
      'an update and a deletion',
      ['update item set price = 9 where id = 1', 'delete from item where id = 1'],
      ['deletes item id=1'],
    ],
    [
      'two updates',
      ['update item set price = 8', `update item set price = 9, name = 'z'`],
      ['cells item id=1 name=z price=9'],
    ],
    [
      'a deletion, a return and a deletion',
      ['delete from item', `insert into item values (1, 'b', 1, 1)`, 'delete from item'],
      ['deletes item id=1 life 4'],
    ],
  ] as const) {
    it(`says the same of ${what} in one transaction as in several (T06)`, () => {
      const start = `${ITEM}; insert into item values (1, 'a', 1, 1)`;
      const together = captured(anAttachedReplica(start), statements.join('; '));
      const apart = captured(anAttachedReplica(start), ...statements);
      expect(together).toEqual(expected);
      expect(apart).toEqual(expected);
    });
  }

  it('takes a change of case or storage class for a change, and an equal write for none', () => {
    const replica = anAttachedReplica(`${ITEM}; insert into item values (1, 'a', 1, 1)`);
    expect(captured(replica, `update item set name = 'A'`)).toEqual(['cells item id=1 name=A']);
    expect(captured(replica, `update item set price = 1.0`)).toEqual(['cells item id=1 price=1.0']);
    expect(captured(replica, `update item set name = 'A', price = 1.0, stock = 1`)).toEqual([]);
  });

  it('captures a REPLACE of any program by primary key and by a secondary unique key', () => {
    const replica = anAttachedReplica(
      `create table t (id integer primary key, u text unique, v); insert into t values (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)`,
    );
    replica.plain.pragma('recursive_triggers = off');
    expect(captured(replica, `replace into t values (2, 'b', 9)`)).toEqual(['rows t id=2 u=b v=9']);
    expect(captured(replica, `replace into t values (4, 'a', 9)`)).toEqual([
      'deletes t id=1',
      'rows t id=4 u=a v=9',
    ]);
    expect(captured(replica, `insert or replace into t (u, v) values ('c', 0)`)).toEqual([
      'deletes t id=3',
      'rows t id=5 u=c v=0',
    ]);
    expect(captured(replica, `insert or ignore into t values (9, 'b', 0)`)).toEqual([]);
  });

  it('keeps its entries whatever the conflict policy of the statement around it', () => {
    const replica = anAttachedReplica(
      `create table t (k text primary key on conflict ignore, v int not null on conflict ignore); insert into t values ('a', 1), ('b', 1)`,
    );
    expect(captured(replica, `update or ignore t set v = 2 where k = 'a'`)).toEqual(['cells t k=a v=2']);
    expect(captured(replica, `update or replace t set v = 3 where k = 'a'`)).toEqual(['cells t k=a v=3']);
    expect(
      captured(replica, `insert into t values ('a', 4) on conflict (k) do update set v = excluded.v`),
    ).toEqual(['cells t k=a v=4']);
    expect(captured(replica, `update or rollback t set v = 5 where k = 'b'`)).toEqual(['cells t k=b v=5']);
  });

  it('speaks of every column of a table that is wider than a mask', () => {
    const columns = Array.from({ length: 130 }, (_, index) => `c${index}`);
    const replica = anAttachedReplica(
      `create table wide (k text primary key, ${columns.join(', ')}); insert into wide (k) values ('a'), ('b')`,
    );
    expect(captured(replica, `update wide set c0 = 1, c60 = 2, c61 = 3, c129 = 4 where k = 'b'`)).toEqual([
      'cells wide k=b c0=1 c60=2',
      'cells wide k=b c61=3',
      'cells wide k=b c129=4',
    ]);
    expect(captured(replica, `update wide set c129 = 5 where k = 'a'`)).toEqual(['cells wide k=a c129=5']);
  });

  it('finds rows whatever columns are called after the rowid', () => {
    for (const [columns, kind] of [
      ['rowid', 0],
      ['rowid, _rowid_', 0],
      ['rowid, oid', 0],
      ['rowid, _rowid_, oid', 2],
    ] as const) {
      const replica = anAttachedReplica(
        `create table t (k text primary key, ${columns}, v); insert into t (k, rowid, v) values ('a', 'x', 1)`,
      );
      expect(replica.registry.byName('t')?.kind).toBe(kind);
      expect(captured(replica, `update t set v = 2`)).toEqual(['cells t k=a v=2']);
      expect(captured(replica, `delete from t`)).toEqual(['deletes t k=a']);
    }
  });

  it('records a row at the very mark after one beyond it, in one transaction', () => {
    const replica = anAttachedReplica(`create table t (id integer primary key)`);
    const [mark] = replica.db.preparePluck<[], bigint>('select sealed from _concord_mark').all();
    const statements = [
      `insert into t values (${String(mark)} + 1)`,
      `insert into t values (${String(mark)})`,
    ];
    expect(captured(replica, statements.join('; ')).toSorted()).toEqual(['rows t id=1000', 'rows t id=1001']);
  });

  it('moves a row with its key: the old identity is deleted, the new one is a whole row (B09)', () => {
    const replica = anAttachedReplica(
      `create table t (k text primary key, v); insert into t values ('a', 1), ('b', 2)`,
    );
    expect(captured(replica, `update t set k = 'c' where k = 'a'`)).toEqual([
      'deletes t k=a',
      'rows t k=c v=1',
    ]);
    expect(captured(replica, `update t set k = 'a' where k = 'c'`)).toEqual([
      'deletes t k=c',
      'rows t k=a v=1 life 3',
    ]);
  });

  it('leaves a row with NULL in its key local, and sends it once it has a key', () => {
    const replica = anAttachedReplica(`create table t (a, b, v, primary key (a, b))`);
    expect(captured(replica, `insert into t values ('x', null, 1)`)).toEqual([]);
    expect(captured(replica, `update t set v = 2`)).toEqual([]);
    expect(captured(replica, `update t set b = 1`)).toEqual(['rows t a=x b=1 v=2']);
    expect(captured(replica, `update t set b = null`)).toEqual(['deletes t a=x b=1']);
  });

  it('captures what foreign key actions and the application’s own triggers write', () => {
    const replica = anAttachedReplica(
      `create table parent (id integer primary key); create table child (id integer primary key, p references parent on delete cascade, n default 0);
       create trigger touched after insert on child begin update child set n = n + 1 where id = new.id; end;
       insert into parent values (1); insert into child (id, p) values (5, 1)`,
    );
    replica.plain.pragma('foreign_keys = on');
    expect(captured(replica, `insert into child (id, p) values (6, 1)`)).toEqual([
      'rows child id=6 p=1 n=1',
      'cells child id=6 n=1',
    ]);
    expect(captured(replica, `delete from parent`)).toEqual([
      'deletes child id=5',
      'deletes child id=6',
      'deletes parent id=1',
    ]);
  });

  it('gives an update the time of its write, and beyond that of every entry before', () => {
    const replica = anAttachedReplica(`${ITEM}; insert into item values (1, 'a', 1, 1), (2, 'b', 1, 1)`);
    const at = (ms: number): bigint => BigInt(ms) << 16n;
    const stamps = (): readonly bigint[] =>
      replica.db.preparePluck<[], bigint>(`select hlc from _concord_log where kind = 2 order by seq`).all();
    replica.db.exec(`update _concord_state set now_ms = 1900000000000`);
    replica.plain.exec('update item set price = 2 where id = 1');
    replica.clock.set(1_900_000_005_000);
    replica.notice();
    expect(stamps()).toEqual([at(1_900_000_000_000)]);
    // The clock steps back: the counter goes on.
    replica.db.exec(`update _concord_state set now_ms = 1850000000000`);
    replica.plain.exec('update item set price = 3 where id = 1');
    replica.clock.set(1_850_000_000_000);
    replica.notice();
    expect(stamps()).toEqual([at(1_900_000_000_000), at(1_900_000_000_000) + 1n]);
  });

  it('takes the wall time from SQLite where no clock is simulated', () => {
    const replica = anAttachedReplica(`${ITEM}; insert into item values (1, 'a', 1, 1)`);
    replica.db.exec('update _concord_state set now_ms = null');
    const before = BigInt(Date.now());
    replica.plain.exec('update item set price = 2');
    const written =
      replica.db
        .preparePluck<[], bigint>(`select hlc >> 16 from _concord_log order by seq desc limit 1`)
        .get() ?? 0n;
    expect(written).toBeGreaterThanOrEqual(before - 1n);
    expect(written).toBeLessThanOrEqual(BigInt(Date.now()) + 1n);
  });
});
