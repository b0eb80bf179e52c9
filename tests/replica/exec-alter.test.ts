import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';

import { describe, expect, it } from 'vitest';

import type { CrashOrders } from '../support/crash-child.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, problemsOf, syncAll, type TestReplica } from '../support/replica-world.ts';

const { world, a } = freshReplicas(['a']);

const schemaOf = (replica: TestReplica, name: string): unknown =>
  replica.rows(`select sql from sqlite_schema where name = '${name}'`)[0]?.[0];

const FAMILY = `
  create table parent (id integer primary key, name text unique);
  create table child (n integer primary key, parent references parent (id) on delete cascade, name references parent (name));
  create table lone (id integer primary key, parent int references parent (id));
  insert into parent values (1, 'one'), (2, 'two');
  insert into child values (1, 1, 'one'), (2, 2, 'two');
  insert into lone values (1, 1);`;

describe('ALTER TABLE on its own', () => {
  it('never empties the tables that refer to the one that is rebuilt', () => {
    a.exec(FAMILY);
    a.exec(`alter table parent alter column name set default 'none'`);
    a.exec('alter table parent add constraint named check (name <> id)');
    expect(a.rows('select count(*) from child')).toEqual([[2n]]);
    a.exec('delete from parent where id = 2');
    expect(a.rows('select n from child')).toEqual([[1n]]);
    expect(problemsOf(a)).toEqual([]);
  });

  it('turns to a rebuild where SQLite cannot do it, once and with the children in place', () => {
    a.exec(FAMILY);
    a.exec(`alter table parent add column near integer references lone (id);
      create trigger told after delete on child begin insert into lone values (old.n + 10, null); end`);
    const before = a.core().migrations({ limit: 100 }).length;
    // SQLite drops no column with a REFERENCES of its own.
    a.exec('alter table parent drop column near');
    expect(a.core().migrations({ limit: 100 })).toHaveLength(before + 1);
    expect(a.rows('select count(*) from child')).toEqual([[2n]]);
    expect(a.rows('select count(*) from lone')).toEqual([[1n]]);
    expect(a.refused('insert into child values (3, 77, null)').message).toContain('FOREIGN KEY');
    expect(problemsOf(a)).toEqual([]);
  });

  it('is refused where a foreign key would lose the key or the rows that it refers to', () => {
    a.exec(FAMILY);
    const before = dumpFile(a);
    expect(a.refused('alter table parent alter primary key (name)').message).toContain(
      'foreign key mismatch',
    );
    a.exec('alter table parent add constraint ids unique (id)');
    a.exec('alter table parent alter primary key (name)');
    expect(a.refused('alter table parent drop constraint ids').message).toContain('foreign key mismatch');
    expect(a.rows('select count(*) from child')).toEqual([[2n]]);
    expect(before).not.toEqual(dumpFile(a));
  });

  it('enforces foreign keys and CHECKs again afterwards, also after a refusal', () => {
    a.exec(FAMILY);
    a.exec('alter table lone add check (id < 100)');
    a.refused('alter table lone add unique (parent), nonsense');
    a.refused('alter table lone alter column parent set not nul');
    a.refused('alter table parent alter primary key (nothing)');
    expect(a.refused('insert into lone values (2, 77)').message).toContain('FOREIGN KEY');
    expect(a.refused('insert into lone values (200, 1)').message).toContain('CHECK');
  });

  it('names the rows that break it, by their keys, and changes nothing', () => {
    a.exec(`create table t (k text, n int, v text, primary key (k, n)) strict, without rowid;
      insert into t values ('a', 1, null), ('b', 2, '12'), ('b', 3, 'x'), ('c', 4, '12');
      create unique index folded on t (v, k);`);
    const before = dumpFile(a);
    const told = (sql: string): string => a.refused(`alter table t ${sql}`).message;
    expect(told('alter column v set not null')).toBe(
      "Rows of t have no value in v, which may not be NULL: k 'a', n 1.",
    );
    expect(told('alter column v set data type INT')).toBe(
      "Rows of t have values in v that a STRICT table does not take as INT: k 'b', n 3.",
    );
    expect(told('add constraint one unique (v)')).toBe(
      "Rows of t are equal in v, which must be unique: k 'b', n 2; k 'c', n 4.",
    );
    expect(told('add check (v <> 12)')).toBe(
      "Rows of t do not satisfy CHECK (v <> 12): k 'b', n 2; k 'c', n 4.",
    );
    expect(told('add foreign key (n) references t (n)')).toContain('foreign key mismatch');
    expect(told('alter primary key (k)')).toBe(
      "Rows of t are equal in k, which must be unique: k 'b', n 2; k 'b', n 3.",
    );
    expect(told('alter primary key (n, v)')).toBe(
      "Rows of t have no value in v, which may not be NULL: k 'a', n 1.",
    );
    expect(dumpFile(a)).toBe(before);
  });

  it('carries indexes, triggers and views along with unchanged texts, as one change (C017)', () => {
    const schema = `CREATE TABLE link(id INTEGER PRIMARY KEY, slug TEXT UNIQUE, dom TEXT, n INTEGER);
      CREATE UNIQUE INDEX link_live ON link(slug, dom) WHERE dom IS NOT NULL;
      CREATE INDEX link_lc ON link(lower(slug) COLLATE NOCASE DESC);
      CREATE TABLE hist(x);
      CREATE TRIGGER link_au AFTER UPDATE OF n ON link WHEN NEW.n IS NOT OLD.n BEGIN INSERT INTO hist VALUES(NEW.id||';'||NEW.n); END;
      CREATE VIEW link_v AS SELECT slug FROM link WHERE n>0;
      INSERT INTO link VALUES (1, 's', 'd', 1);`;
    const [one, other] = [world.attach('one', schema), world.attach('other', schema)];
    syncAll([one, other]);
    const texts = `select name, sql from sqlite_schema where type <> 'table' and name like 'link%' order by 1`;
    const before = [one, other].map((replica) => replica.rows(texts));
    const known = other.core().migrations({ limit: 100 }).length;
    one.exec('alter table link alter column n set data type real');
    const { migrations } = other.pull(one);
    expect(migrations).toBe(1);
    expect(other.core().migrations({ limit: 100 })).toHaveLength(known + 1);
    expect([one, other].map((replica) => replica.rows(texts))).toEqual(before);
    for (const replica of [one, other]) {
      expect(replica.rows('select n, typeof(n) from link')).toEqual([[1, 'real']]);
      expect(problemsOf(replica)).toEqual([]);
    }
    one.exec('alter table link rename column dom to domain; alter table link rename to "links"');
    expect(
      one
        .core()
        .migrations({ limit: 3 })
        .map(({ type }) => type),
    ).toEqual(['rename_table', 'rename_column', 'alter_column']);
    one.exec('update links set n = 2');
    expect(one.rows('select * from hist')).toEqual([['1;2.0']]);
    expect(one.rows('select * from link_v')).toEqual([['s']]);
  });

  it('names no more than twenty rows', () => {
    a.exec(
      `create table t (id integer primary key, v int);
      insert into t select value, null from generate_series(1, 30)`.replace(
        'generate_series(1, 30)',
        `json_each('[${Array.from({ length: 30 }, (_v, n) => n).join()}]')`,
      ),
    );
    const { message } = a.refused('alter table t alter column v set not null');
    expect(message.match(/id \d+/g)).toHaveLength(20);
    expect(message).toContain('and more');
  });

  it('converts what is there as SQLite stores on insert (A07)', () => {
    a.exec(`create table t (id integer primary key, v);
      insert into t values (1, 1.5), (2, '7'), (3, 'x'), (4, x'00'), (5, null), (6, 8.0)`);
    a.exec('alter table t alter column v set data type integer');
    expect(a.rows('select v, typeof(v) from t')).toEqual([
      [1.5, 'real'],
      [7n, 'integer'],
      ['x', 'text'],
      [Buffer.from([0]), 'blob'],
      [null, 'null'],
      [8n, 'integer'],
    ]);
    a.exec('alter table t alter column v set data type text');
    expect(a.rows('select v from t')).toEqual([['1.5'], ['7'], ['x'], [Buffer.from([0])], [null], ['8']]);
  });

  it('is not stopped by views and triggers that are broken, and leaves them there', () => {
    const b = world.attach(
      'b',
      `create table t (id integer primary key, v text);
       create table other (id integer primary key);
       create view broken as select gone from nowhere;
       create view quoted as select "a string" as s from t;
       create view over as select v from t;
       create trigger lost after insert on other begin insert into nowhere values (1); end;
       create trigger wrong instead of insert on quoted begin select 1; end;`,
    );
    b.exec('alter table t rename column v to w');
    b.exec('alter table t rename to u');
    for (const name of ['broken', 'quoted', 'lost', 'wrong']) expect(schemaOf(b, name)).toBeDefined();
    expect(schemaOf(b, 'quoted')).toContain('from u');
    expect(b.rows('select w from over')).toEqual([]);
  });

  it('takes indexes on a dropped column along and parks nothing else', () => {
    a.exec(`create table t (id integer primary key, v text, w text, unique (v, w));
      create index i1 on t (v); create index i2 on t (lower(v)); create index i3 on t (w) where v > 1; create index i4 on t (w);
      insert into t values (1, 'a', 'b'); alter table t drop column v`);
    expect(a.rows(`select name from sqlite_schema where type = 'index' order by 1`).flat()).toContain('i4');
    expect(a.rows(`select name from sqlite_schema where name in ('i1', 'i2', 'i3')`)).toEqual([]);
    expect(problemsOf(a)).toEqual([]);
    a.exec(`alter table t add column v text`);
    expect(a.rows('select * from t')).toEqual([[1n, 'b', null]]);
  });

  it('shows SQLite’s own message for what it cannot read, and changes nothing (A11)', () => {
    a.exec('create table t (id integer primary key)');
    for (const [sql, message] of [
      ['alter table t', 'incomplete input'],
      ['alter table t frobnicate', 'near "frobnicate": syntax error'],
      ['alter table nowhere add column a', 'no such table: nowhere'],
      ['alter table t rename column a to b', 'no such column'],
      ['alter table t add column id', 'duplicate column name: id'],
      ['alter table _concord_log rename to x', 'bookkeeping'],
      ['alter table t rename to _concord_x', 'bookkeeping'],
    ] as const) {
      expect(a.refused(sql).message).toContain(message);
    }
  });

  it('refuses a NOT NULL column without a default beside rows, and takes it without them (A28, C050)', () => {
    a.exec('create table u (id integer primary key)');
    a.exec('alter table u add column mail text not null');
    a.exec(`insert into u values (1, 'x')`);
    expect(a.refused('alter table u add column phone text not null').message).toBe(
      'Cannot add a NOT NULL column with default value NULL',
    );
    a.exec(`alter table u add column phone text not null default ''`);
    expect(a.rows('select * from u')).toEqual([[1n, 'x', '']]);
  });

  it('knows what another program altered a moment ago', () => {
    a.exec('create table t (id integer primary key)');
    a.plain('alter table t add column v text');
    a.exec('alter table t alter column v set data type int');
    expect(
      a
        .core()
        .migrations({ limit: 2 })
        .map(({ type }) => type),
    ).toEqual(['alter_column', 'add_column']);
    expect(problemsOf(a)).toEqual([]);
  });

  it('goes on capturing after a failed alteration (C018)', () => {
    const b = world.init('b');
    a.exec('create table pay (id integer primary key, a text); insert into pay values (1, null)');
    a.refused('alter table pay add column a text');
    a.exec('insert into pay values (2, null)');
    b.pull(a);
    expect(b.rows('select id from pay')).toEqual([[1n], [2n]]);
  });

  for (const [table, column] of [
    ['select', 'order'],
    [`it's "x"`, 'a b'],
    ['日本 😀', '[x]'],
    ['a.b:c', '`'],
  ] as const) {
    it(`alters ${table} by whatever quoting (R18)`, () => {
      const q = (name: string): string => `"${name.replaceAll('"', '""')}"`;
      a.exec(`create table ${q(table)} (id integer primary key, ${q(column)} text); insert into ${q(table)} values (1, '5');
        create index ${q(`${table} i`)} on ${q(table)} (${q(column)});`);
      for (const form of [
        `alter column ${q(column)} set data type int`,
        `alter column ${q(column)} set not null`,
        `rename column ${q(column)} to ${q(`${column}2`)}`,
        `add constraint ${q('c 1')} check (${q(`${column}2`)} > 0)`,
        `rename constraint ${q('c 1')} to ${q('c 2')}`,
        `drop constraint ${q('c 2')}`,
        `alter primary key (${q(`${column}2`)}, id)`,
        `rename to ${q(`${table} 2`)}`,
      ]) {
        a.exec(`alter table ${q(table)} ${form} -- 😀`);
        expect(problemsOf(a)).toEqual([]);
      }
      expect(a.rows(`select * from ${q(`${table} 2`)}`)).toEqual([[1n, 5n]]);
    });
  }
});

describe('ALTER TABLE inside of a transaction', () => {
  it('is part of one group with its rows, in the order written (A16, A18, T02)', () => {
    const b = world.init('b');
    a.exec(`create table t (id integer primary key, v text); insert into t values (1, null), (2, 'x')`);
    b.pull(a);
    a.exec(`begin; alter table t add column w text; update t set w = 'w' || id, v = coalesce(v, 'filled');
      alter table t alter column v set not null; insert into t values (3, 'y', 'z'); commit`);
    const { pages } = b.pull(a);
    expect(
      pages.flatMap(({ groups }) => groups.filter(({ migrations }) => migrations.length > 0)),
    ).toHaveLength(1);
    expect(b.rows('select * from t')).toEqual(a.rows('select * from t'));
    expect(b.refused('insert into t values (4, null, null)').message).toContain('NOT NULL');
  });

  it('is refused for a table that others refer to, with the reason, and rolled back', () => {
    a.exec(FAMILY);
    const before = dumpFile(a);
    const told = a.refused(
      `begin; insert into lone values (9, 2); alter table parent alter column name set default 'x'; commit`,
    );
    expect(told.message).toContain('child refers to parent by a foreign key');
    expect(dumpFile(a)).toBe(before);
    a.exec(`begin; alter table lone alter column parent set default 1; alter table parent add column more text;
      alter table parent rename to elder; commit`);
    expect(a.rows('select count(*) from child')).toEqual([[2n]]);
    expect(problemsOf(a)).toEqual([]);
  });

  it('is undone by ROLLBACK TO, and goes on after it', () => {
    a.exec(`create table t (id text primary key, v int); insert into t values ('a', 1)`);
    a.exec(`begin; savepoint one; alter table t rename column v to w; alter table t alter primary key (w); rollback to one;
      alter table t alter column v set data type text; insert into t values ('b', 2); commit`);
    expect(a.rows('select id, v from t')).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(problemsOf(a)).toEqual([]);
    expect(
      a
        .core()
        .migrations({ limit: 10 })
        .map(({ type }) => type),
    ).toEqual(['alter_column', 'create_table']);
  });

  it('keeps clocks, lives and deletions of the same transaction over another key', () => {
    const b = world.init('b');
    a.exec(
      `create table t (id int primary key, v int, w text); insert into t values (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c')`,
    );
    b.pull(a);
    a.exec(`begin; delete from t where id = 1; insert into t values (4, 40, 'd'); update t set w = 'b2' where id = 2;
      delete from t where id = 3; insert into t values (3, 33, 'again'); alter table t alter primary key (v);
      update t set w = 'd2' where id = 4; commit`);
    b.exec(`update t set w = 'lost' where id = 1`);
    syncAll([a, b]);
    expect(b.rows('select * from t order by id')).toEqual([
      [2n, 20n, 'b2'],
      [3n, 33n, 'again'],
      [4n, 40n, 'd2'],
    ]);
    expect(a.rows('select * from t order by id')).toEqual(b.rows('select * from t order by id'));
    expect([...problemsOf(a), ...problemsOf(b)]).toEqual([]);
  });
});

const CHILD = join(import.meta.dirname, '../support/crash-child.ts');

describe('kill -9 in the middle of an alteration (C018)', () => {
  for (const sql of [
    'alter table t alter column v set data type text',
    'alter table t alter primary key (v, id)',
    'begin; update t set v = v + 1; alter table t add constraint u unique (v); alter table t rename to u; commit',
  ]) {
    it(`leaves the file as before or after: ${sql}`, () => {
      a.exec(`create table t (id integer primary key, v int); create index i on t (v) where v > 1;
        insert into t values (1, 1), (2, 2); delete from t where id = 1; insert into t values (1, 3)`);
      a.close();
      const kept = join(world.folder, 'kept.db');
      copyFileSync(a.path, kept);
      const before = schemaAndRows(a);
      const { writes } = runChild({ dieAtWrite: Number.POSITIVE_INFINITY, sql });
      const after = schemaAndRows(a);
      expect(after).not.toBe(before);
      for (let dieAtWrite = 1; dieAtWrite <= writes; dieAtWrite += Math.max(1, Math.floor(writes / 8))) {
        copyFileSync(kept, a.path);
        expect(runChild({ dieAtWrite, sql }).signal).toBe('SIGKILL');
        expect([before, after]).toContain(schemaAndRows(a));
      }
      world.wait(60_000);
      a.reopen();
      expect(problemsOf(a)).toEqual([]);
    });
  }

  function runChild(orders: Pick<CrashOrders, 'dieAtWrite' | 'sql'>): {
    readonly signal: string | null;
    readonly writes: number;
  } {
    const file = join(world.folder, 'orders');
    const peer = { site: null, epoch: null, era: null, head: 0, nowMs: 0 };
    writeFileSync(file, serialize({ path: a.path, peer, pages: [], nowMs: world.nowMs(), ...orders }));
    const { signal, stdout, stderr } = spawnSync(process.execPath, [CHILD, file], { encoding: 'utf8' });
    if (signal === null && stdout === '') throw new Error(stderr);
    return { signal, writes: Number(stdout) };
  }

  const schemaAndRows = (replica: TestReplica): string =>
    JSON.stringify(
      [
        replica.rows(`select type, name, sql from sqlite_schema order by 1, 2`),
        replica.rows(
          `select * from ${replica.rows(`select name from sqlite_schema where name = 'u' and type = 'table'`).length > 0 ? 'u' : 't'}`,
        ),
        replica.rows('select capture from _concord_state'),
      ],
      (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value),
    );
});
