import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import type { HeldView } from '#shared/model/views.ts';

import { readContent } from './content.ts';
import { createLedger, type Stamps } from './ledger.ts';
import { goneOnTheWay } from './short-lived-rows.ts';
import { presenceOf, type Presence } from './presence.ts';
import { mayTakeAway } from './take-away.ts';

// What the account says of files that were made by hand: it must miss what is missing, and nothing else.

const file = (sql: string) => {
  const db = new Database(':memory:');
  db.exec(`create table _concord_table (tbl, id, name); create table _concord_column (tbl, col, id, name, pk);
    create table _concord_alias (id, kind, tbl, col);
    insert into _concord_table values (1, 'T', 't');
    insert into _concord_column values (1, 0, 'C0', 'id', 1), (1, 1, 'C1', 'a', 0);
    create table t (id integer primary key, a); ${sql}`);
  return db;
};
const has = (db: Database.Database, held: readonly HeldView[] = []): Presence =>
  presenceOf(readContent(db), held);
const change = (before: Presence, after: Presence) => ({ replica: 'a', step: 1, before, after });
const ran = (sql: string, stamps: Stamps = { above: 0n, upTo: null, mayRevive: false }) => ({
  mayTake: mayTakeAway(sql),
  stamps,
  gone: [],
});

test('a value that goes by itself is lost', () => {
  const db = file(`insert into t values (1, 'v1')`);
  const before = has(db);
  db.exec('delete from t');
  expect(
    createLedger()
      .tookIn(change(before, has(db)), db)
      .map(({ text }) => text),
  ).toEqual(['a lost v1 at step 1: it was in t.a of row 1']);
});

test('a value that is only spelt otherwise is there: another type, another table, held', () => {
  const db = file(`insert into t values (1, 1000007)`);
  const before = has(db);
  db.exec(`update t set a = '1000007.0'; create table u (x); insert into u select a from t; delete from t`);
  expect(createLedger().tookIn(change(before, has(db)), db)).toEqual([]);
});

test('a value gives way to another one in its cell, and to nothing else', () => {
  const db = file(`insert into t values (1, 'v1')`);
  const before = has(db);
  db.exec(`update t set a = 'v2'`);
  expect(createLedger().tookIn(change(before, has(db)), db)).toEqual([]);
  db.exec(`update t set a = 'x'`);
  expect(createLedger().tookIn(change(before, has(db)), db)).toHaveLength(1);
});

test('a value gives way to one of its own row, not to one of a row whose key differs in case', () => {
  const stamps = (above: bigint) => ({ above, upTo: above + 1n, mayRevive: false });
  const db = file('');
  db.exec(
    `drop table t; create table t (id text primary key, a) without rowid; insert into t values ('K1', 'v2'), ('k1', 'v6')`,
  );
  const ledger = createLedger();
  const before = has(db);
  const written = (id: string, above: bigint): void => {
    const content = {
      tables: before.content.tables.map((table) => ({
        ...table,
        rows: table.rows.filter(({ values }) => values[0] === id),
      })),
    };
    ledger.ran(change(presenceOf({ tables: [] }, []), presenceOf(content, [])), ran('INSERT', stamps(above)));
  };
  written('K1', 1n);
  written('k1', 5n);
  db.exec(`update t set a = 'v11' where id = 'k1'`);
  expect(ledger.tookIn(change(before, has(db)), db)).toEqual([]);
});

test('what was written before does not take the place of what was written later', () => {
  const db = file(`insert into t values (1, 'v1')`);
  const empty = presenceOf({ tables: [] }, []);
  const [ledger, later] = [createLedger(), has(db)];
  db.exec(`update t set a = 'v2'`);
  const earlier = has(db);
  ledger.ran(change(empty, later), ran('INSERT', { above: 9n, upTo: null, mayRevive: false }));
  ledger.ran(
    { ...change(empty, earlier), replica: 'b' },
    ran('INSERT', { above: 3n, upTo: 9n, mayRevive: false }),
  );
  expect(ledger.tookIn(change(later, earlier), db)).toHaveLength(1);
});

test('a row that somebody deleted may go elsewhere, and must not come back', () => {
  const [here, there] = [file(`insert into t values (1, 'v1')`), file(`insert into t values (1, 'v1')`)];
  const ledger = createLedger();
  const [before, beforeThere] = [has(here), has(there)];
  here.exec('delete from t');
  expect(ledger.ran(change(before, has(here)), ran('DELETE FROM t'))).toEqual([]);
  there.exec('delete from t');
  expect(ledger.tookIn(change(beforeThere, has(there)), there)).toEqual([]);
  expect(ledger.cameBack(beforeThere)).toHaveLength(1);
});

test('a row that came and went in one transaction is deleted too, and one that REPLACE pushed out on its way', () => {
  for (const sql of [
    `begin; insert into t values (1, 'v8'); delete from t where id = 1; commit`,
    `begin; insert into t values (1, 'v8'); update t set id = 2; delete from t; commit`,
    `create unique index u on t (a); replace into t values (1, 'v8'), (2, 'v8'); delete from t where id = 2`,
  ]) {
    const [here, there] = [file(''), file(`insert into t values (1, 'v1')`)];
    const [before, beforeThere] = [has(here), has(there)];
    const gone = goneOnTheWay(here, { content: before.content, sql, by: 'other' });
    here.exec(sql);
    const ledger = createLedger();
    there.exec('delete from t');
    expect(createLedger().tookIn(change(beforeThere, has(there)), there)).toHaveLength(1);
    expect(ledger.ran(change(before, has(here)), { ...ran(sql), gone })).toEqual([]);
    expect(ledger.tookIn(change(beforeThere, has(there)), there)).toEqual([]);
  }
});

test('what waited under an earlier key of its table gives way to the row that has its present key', () => {
  const db = file('');
  const waiting = { id: 1, table: 't', key: [1, 4], values: { id: 1, s: 4, a: 'v46' } } as Partial<HeldView>;
  // Of what the list tells of it the account asks no more.
  const before = has(db, [waiting as HeldView]);
  expect(createLedger().tookIn(change(before, has(db)), db)).toHaveLength(1);
  db.exec(`insert into t values (1, 'v10')`);
  expect(createLedger().tookIn(change(before, has(db)), db)).toEqual([]);
});

test('DDL takes away what it drops and nothing more', () => {
  const db = file(`insert into t values (1, 'v1')`);
  const before = has(db);
  db.exec('delete from t');
  const after = has(db);
  expect(createLedger().ran(change(before, after), ran('ALTER TABLE t ADD COLUMN b'))).toHaveLength(1);
  expect(createLedger().ran(change(before, after), ran('ALTER TABLE t DROP COLUMN a'))).toEqual([]);
  expect(createLedger().ran(change(before, after), ran('DROP TABLE t'))).toEqual([]);
});
