import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { attachFile } from '#main/store/attach-file.ts';
import { detachFile } from '#main/store/detach-file.ts';
import { takeLease } from '#main/store/lease.ts';
import { checkFile } from '#main/store/self-check.ts';

import { createSeededRandom } from '../support/seeded-random.ts';
import { aClock, aDatabase, aFolder, anAttachedReplica, factsOf } from '../support/store-fixture.ts';

const SHOP = `
  create table customer (id integer primary key, name text not null, email text unique);
  create table "order" (number text primary key, customer integer references customer (id) on delete cascade);
  create table line (order_number text, place int, note text, primary key (order_number, place)) without rowid;
  create table audit (at text, what text);
  create virtual table search using fts5 (body);
  create table counter (id integer primary key autoincrement, n int);
  create view customers as select name from customer;
  create trigger renamed after update of name on customer begin insert into audit values ('now', new.name); end;
  create index by_customer on "order" (customer);
  insert into customer values (1, 'a', null), (7, 'b', 'b@x');
  insert into "order" values ('o1', 1);
  insert into line values ('o1', 1, 'n'), ('o1', 2, null);
  insert into audit values ('x', 'y');
  insert into counter (n) values (1), (2);
  analyze;`;

const schemaOf = (path: string): readonly unknown[] => {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(`select type, name, tbl_name, sql from sqlite_schema order by type, name`).all();
  } finally {
    db.close();
  }
};

const dumpOf = (path: string): readonly unknown[] => {
  const db = new Database(path, { readonly: true });
  try {
    const tables = [
      'customer',
      'order',
      'line',
      'audit',
      'search',
      'counter',
      'sqlite_sequence',
      'sqlite_stat1',
    ];
    return tables.map((table) =>
      db
        .prepare(`select * from "${table}"`)
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    );
  } finally {
    db.close();
  }
};

const ports = { clock: aClock(), random: createSeededRandom(3) };

describe('attachFile', () => {
  it('takes on every table of the application and leaves out virtual, shadow and internal ones', () => {
    const { registry } = anAttachedReplica(SHOP);
    expect(registry.all().map(({ name, kind }) => [name, kind])).toEqual([
      ['customer', 1],
      ['order', 0],
      ['line', 2],
      ['audit', 3],
      ['counter', 1],
    ]);
  });

  it('installs three triggers a table, two more where it has a secondary unique key, and none where rows cannot sync', () => {
    const { db } = anAttachedReplica(SHOP);
    const counts = db
      .prepareRaw<[], [string, bigint]>(
        `select tbl_name, count(*) from sqlite_schema where type = 'trigger' and name like '\\_concord%' escape '\\' group by 1 order by 1`,
      )
      .all();
    expect(counts).toEqual([
      ['counter', 3n],
      ['customer', 5n],
      ['line', 3n],
      ['order', 3n],
    ]);
  });

  it('turns WAL on and says so, or keeps the journal mode', () => {
    const path = aDatabase(join(aFolder(), 'a.db'), SHOP);
    const attached = attachFile({ path, ports });
    expect(attached).toMatchObject({
      ok: true,
      value: { journalModeBefore: 'delete', journalModeChanged: true },
    });
    if (attached.ok) attached.value.db.close();
    const kept = anAttachedReplica(SHOP, { keepJournalMode: true });
    expect(kept.plain.pragma('journal_mode', { simple: true })).toBe('delete');
  });

  it('writes nothing per row: a baseline per table', () => {
    const { db } = anAttachedReplica(
      `create table t (k text primary key, v); insert into t select value, value from (with recursive n(value) as (select 1 union all select value + 1 from n limit 5000) select * from n)`,
    );
    expect(db.preparePluck<[]>(`select count(*) from _concord_log`).get()).toBe(2n);
    expect(db.preparePluck<[]>(`select count(*) from _concord_cell`).get()).toBe(0n);
  });

  it('lists tables without a key, and rows with NULL in one, as findings', () => {
    const { db } = anAttachedReplica(
      `${SHOP}; create table loose (k text primary key); insert into loose values (null), ('a')`,
    );
    const found = db.prepareRaw<[]>(`select kind, tbl, detail from _concord_finding order by tbl`).all();
    expect(found).toEqual([
      [
        'noPrimaryKey',
        'audit',
        'Table "audit" has no primary key: its definition syncs, its rows stay local.',
      ],
      [
        'noPrimaryKey',
        'loose',
        'Table "loose" has 1 rows with NULL in "k", a column of its key: they stay local.',
      ],
    ]);
  });

  it('is sound by its own check, and the check sees what is broken', () => {
    const { db, registry } = anAttachedReplica(SHOP);
    expect(checkFile(db, registry)).toEqual([]);
    const broken: readonly (readonly [string, RegExp])[] = [
      ['drop trigger _concord_u_1', /_concord_u_1 of "customer" is missing/],
      [
        `drop trigger _concord_d_1; create trigger _concord_d_1 after delete on customer begin select 1; end`,
        /_concord_d_1 of "customer" was altered/,
      ],
      ['update _concord_state set capture = 0', /Capture is off/],
      [
        'update _concord_range set hi = 1000000 where tbl = 1',
        /mark of "customer" is below rows that a range covers/,
      ],
      ['insert into _concord_range values (1, 3, 9, 1)', /ranges of rowids overlap/],
      [
        'insert into _concord_cell values (1, 1, 1, 999)',
        /_concord_cell point at log entries that are not there/,
      ],
      [`update _concord_meta set value = 99999 where key = 'foldedSeq'`, /folded up to 99999, beyond/],
      [
        'insert into _concord_life values (1, 7, 2, 1)',
        /1 rows of "customer" are there and recorded as deleted/,
      ],
      ['delete from _concord_mark where tbl = 2', /Table "order" has no mark/],
      ['alter table customer rename to client', /Table "customer" is kept track of and is not in the file/],
      ['alter table line rename column note to remark', /Column note of "line" is kept track of/],
      [
        'create trigger _concord_i_77 after insert on audit begin select 1; end',
        /_concord_i_77 belongs to no table/,
      ],
    ];
    for (const [sql, sentence] of broken) {
      db.exec(`savepoint broken; ${sql}`);
      expect(checkFile(db, registry).join('\n')).toMatch(sentence);
      db.exec('rollback to broken; release broken');
    }
    expect(checkFile(db, registry)).toEqual([]);
  });

  it('sends what was there before as baselines, cut anywhere', () => {
    const replica = anAttachedReplica(SHOP);
    const pages = replica.pages(replica.start, 2);
    expect(pages.flatMap(({ groups }) => factsOf(groups))).toEqual([
      'rows customer id=1 name=a email=null',
      'rows customer id=7 name=b email=b@x',
      'rows order number=o1 customer=1',
      'rows line order_number=o1 place=1 note=n',
      'rows line order_number=o1 place=2 note=null',
      'rows counter id=1 n=1',
      'rows counter id=2 n=2',
    ]);
    expect(pages.every(({ groups }) => groups.every(({ unfinished }) => unfinished === undefined))).toBe(
      true,
    );
  });

  it('leaves the file alone when attaching fails half-way', () => {
    const path = aDatabase(join(aFolder(), 'a.db'), SHOP);
    const before = readFileSync(path);
    expect(() =>
      attachFile({ path, ports: { clock: ports.clock, random: { bytes: () => new Uint8Array(3) } } }),
    ).toThrow();
    expect(readFileSync(path).subarray(100)).toEqual(before.subarray(100));
  });
});

describe('detachFile', () => {
  it('leaves the application its database: schema, rows, statistics and journal mode as they were', () => {
    const path = aDatabase(join(aFolder(), 'a.db'), SHOP);
    const before = { schema: schemaOf(path), rows: dumpOf(path) };
    const attached = attachFile({ path, ports });
    if (!attached.ok) throw new Error(attached.error.message);
    attached.value.db.exec('analyze');
    attached.value.db.close();
    const detached = detachFile({ path, host: 'me', nowMs: 0 });
    expect(detached).toEqual({ ok: true, value: { journalMode: 'delete' } });
    expect({ schema: schemaOf(path), rows: dumpOf(path) }).toEqual(before);
    const db = new Database(path);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    db.close();
  });

  it('refuses while another host has the replica open, and does not mind a lease that ran out', () => {
    const { path, db } = anAttachedReplica(SHOP);
    takeLease(db, { host: 'other', address: 'http://127.0.0.1:1', nowMs: 1_000, holdMs: 500 });
    db.close();
    const refused = detachFile({ path, host: 'me', nowMs: 1_400 });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'held-by-host', host: 'other', untilMs: 1_500 },
    });
    expect(refused.ok ? '' : refused.error.message).toContain('http://127.0.0.1:1');
    const other = new Database(path);
    other.close();
  });
});
