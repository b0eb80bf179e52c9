import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { takeLease, giveBackLease } from '#main/store/lease.ts';
import { beginEra, checkCursor } from '#main/store/era-list.ts';
import { foldLog } from '#main/store/log-fold.ts';
import { readLogPage } from '#main/store/log-page.ts';
import { createSiteRegistry } from '#main/store/site-registry.ts';
import type { Migration } from '#shared/model/change-group.ts';
import { present } from '#shared/assert.ts';
import { Era } from '#shared/model/ids.ts';

import { era, siteId } from '../support/ids.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { anAttachedReplica, factsOf } from '../support/store-fixture.ts';

const TABLE = `create table t (k text primary key, v)`;

// Guards LOG-003.
describe('readLogPage', () => {
  it('sends whole groups, and a group that does not fit any more with the next page', () => {
    const replica = anAttachedReplica(TABLE);
    for (const [first, second] of ['ab', 'cd', 'ef']) {
      replica.plain.exec(`insert into t values ('${String(first)}', 1), ('${String(second)}', 2)`);
      replica.notice();
    }
    const pages = replica.pages(replica.start, 3);
    expect(pages.map(({ groups }) => factsOf(groups).length)).toEqual([2, 2, 2]);
    expect(pages.map(({ more }) => more)).toEqual([true, true, false]);
    expect(replica.pages(replica.start, 4).map(({ groups }) => groups.length)).toEqual([2, 1]);
  });

  it('sends a group that is larger than a page in parts, the last of which ends it (T07)', () => {
    const replica = anAttachedReplica(TABLE);
    replica.plain.exec(`insert into t values ('a', 1), ('b', 2), ('c', 3), ('d', 4), ('e', 5)`);
    replica.notice();
    replica.plain.exec(`insert into t values ('f', 6)`);
    const pages = replica.pages(replica.start, 2);
    expect(pages.map(({ groups }) => groups.map(({ unfinished }) => unfinished === true))).toEqual([
      [true],
      [true],
      [false, false],
    ]);
    expect(pages.flatMap(({ groups }) => factsOf(groups))).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((key, index) => `rows t k=${key} v=${index + 1}`),
    );
  });

  it('cuts a long range in the middle and goes on there', () => {
    const replica = anAttachedReplica(`create table t (id integer primary key, v)`);
    replica.plain.exec(
      `insert into t select value, 0 from (with recursive n(value) as (select 2000 union all select value + 1 from n limit 700) select * from n)`,
    );
    const pages = replica.pages(replica.start, 300);
    expect(pages.map(({ groups }) => factsOf(groups).length)).toEqual([300, 300, 100]);
    expect(new Set(pages.flatMap(({ groups }) => factsOf(groups))).size).toBe(700);
    expect(pages[0]?.cursor.inside).toContain('2299');
  });

  it('reads nothing when the puller has all', () => {
    const replica = anAttachedReplica(`${TABLE}; insert into t values ('a', 1)`);
    const { cursor } = present(replica.pages(replica.start, 10).at(-1), 'a page');
    const quiet = replica.page(cursor, 10);
    expect(quiet).toEqual({ groups: [], cursor, head: cursor.seq, more: false, read: 0 });
  });

  it('does not send back what the puller wrote or brought, and passes over it', () => {
    const replica = anAttachedReplica(TABLE);
    const sites = createSiteRegistry(replica.db);
    const peer = replica.db.transaction(() => sites.ordinalOf(siteId(5)));
    const author = replica.db.transaction(() => sites.ordinalOf(siteId(6)));
    replica.plain.exec(`insert into t values ('own', 1), ('theirs', 2), ('brought', 3)`);
    replica.notice();
    replica.db.exec(
      `update _concord_log set site = ${peer} where seq = 2; update _concord_log set site = ${author}, via = ${peer} where seq = 3`,
    );
    expect(factsOf(replica.page(replica.start, 10, siteId(5)).groups)).toEqual(['rows t k=own v=1']);
    expect(factsOf(replica.page(replica.start, 10, siteId(6)).groups)).toEqual([
      'rows t k=own v=1',
      'rows t k=theirs v=2',
    ]);
    const [group] = replica.page(replica.start, 10, siteId(7)).groups;
    expect(group?.sites).toEqual([replica.site, siteId(5), siteId(6)]);
  });

  it('sends a row as it is, with the clocks of the cells that were changed since', () => {
    const replica = anAttachedReplica(
      `create table t (id integer primary key, a, b); insert into t values (1, 1, 1), (2, 1, 1)`,
    );
    replica.notice();
    replica.clock.set(1_800_000_009_000);
    replica.db.exec('update _concord_state set now_ms = 1800000009000');
    replica.plain.exec('update t set b = 2 where id = 2');
    const [baseline] = replica.page(replica.start, 10).groups;
    expect(factsOf(baseline === undefined ? [] : [baseline])).toEqual([
      'rows t id=1 a=1 b=1',
      'rows t id=2 a=1 b=2',
    ]);
    expect(baseline?.blocks[0]?.clocks).toEqual([[1, 2, 1_800_000_009_000n << 16n, 0]]);
  });

  it('does so for a row that was recorded alone as well, and not for cells that were written with it', () => {
    const replica = anAttachedReplica(`create table t (id integer primary key, a, b)`);
    replica.plain.exec('insert into t values (5, 1, 1)');
    replica.notice();
    replica.clock.set(1_800_000_009_000);
    replica.db.exec('update _concord_state set now_ms = 1800000009000');
    replica.plain.exec('update t set a = 2');
    const [first] = replica.page(replica.start, 10).groups;
    expect(factsOf(first === undefined ? [] : [first])).toEqual(['rows t id=5 a=2 b=1']);
    expect(first?.blocks[0]?.clocks).toEqual([[0, 1, 1_800_000_009_000n << 16n, 0]]);
  });

  it('sends the migrations that are asked for, but not those that came with the catalog', () => {
    const replica = anAttachedReplica(TABLE);
    replica.db.exec(`insert into _concord_log (kind, rid, hlc) values (7, 1, 1), (7, 2, 2), (7, 3, 3)`);
    const asked: number[] = [];
    const migrationOf = (n: number): Migration | null => {
      asked.push(n);
      return null;
    };
    replica.db.transaction(() => {
      replica.db.exec(`insert into _concord_log (kind, hlc) values (8, 9)`);
      foldLog(replica.db, replica.registry);
      const sites = createSiteRegistry(replica.db);
      readLogPage(replica.db, {
        registry: replica.registry,
        sites,
        cursor: { ...replica.start, catalogSeq: 1 },
        facts: 10,
        puller: siteId(9),
        migrationOf,
      });
    });
    expect(asked).toEqual([2, 3]);
  });

  it('carries every value exactly: integers of 64 bits, infinities, NUL, bytes that are no UTF-8 (B08)', () => {
    const replica = anAttachedReplica(`create table t (k blob, n int, v, primary key (k, n)) without rowid`);
    const values = [
      null,
      9223372036854775807n,
      -9223372036854775808n,
      2,
      0.1,
      Number.POSITIVE_INFINITY,
      -1e308,
      'a\0b',
      '\uFFFD',
      '😀',
      '',
      Buffer.from([0, 255]),
      Buffer.alloc(0),
    ];
    const insert = replica.plain.prepare(`insert into t values (?, ?, ?)`);
    values.forEach((value, index) => insert.run(Buffer.from([index]), BigInt(index), value));
    replica.plain.exec(`insert into t values (x'ff', 0, cast(x'61c362' as text))`);
    const [group] = replica.page(replica.start, 100).groups;
    const sent = (group?.blocks ?? []).flatMap(({ rows }) => rows.map((row) => row[2]));
    expect(sent).toEqual([...values, { textBytes: Buffer.from([0x61, 0xc3, 0x62]) }]);
  });

  it('carries keys exactly in deletions: composite, folded, of every class (B08)', () => {
    const replica = anAttachedReplica(
      `create table pair (a, b text collate nocase, primary key (a, b)); create table folded (k text primary key collate nocase);
       create table number (k real primary key); create table bytes (k blob primary key)`,
    );
    replica.plain
      .exec(`insert into pair values (9223372036854775807, 'B'), (-0.5, 'é'), (x'00ff', ''), ('1', 'x,i1'), (1e300, 'y');
      insert into folded values ('Ab'); insert into number values (0.1), (3); insert into bytes values (x''), (x'61')`);
    replica.notice();
    replica.plain.exec(`delete from pair; delete from folded; delete from number; delete from bytes`);
    const deleted = replica.pages(replica.start, 100).flatMap(({ groups }) => factsOf(groups));
    expect(deleted.sort()).toEqual(
      [
        `deletes pair a=-0.5 b=é`,
        `deletes pair a=1e+300.0 b=y`,
        `deletes pair a=1 b=x,i1`,
        `deletes pair a=9223372036854775807 b=b`,
        `deletes pair a=x'00ff' b=`,
        `deletes folded k=ab`,
        `deletes number k=0.1`,
        `deletes number k=3.0`,
        `deletes bytes k=x''`,
        `deletes bytes k=x'61'`,
      ].sort(),
    );
  });

  it('keeps a page within its bytes as well', () => {
    const replica = anAttachedReplica(TABLE);
    replica.plain.exec(
      `insert into t values ('a', zeroblob(6000000)), ('b', zeroblob(6000000)), ('c', zeroblob(6000000))`,
    );
    expect(replica.pages(replica.start, 100).map(({ groups }) => factsOf(groups).length)).toEqual([1, 1, 1]);
  });
});

describe('checkCursor', () => {
  it('knows the places that this file has given, and tells those of another history', () => {
    const replica = anAttachedReplica(TABLE);
    const { db, start } = replica;
    const at = (seq: number, inEra = start.era) => checkCursor(db, { ...start, era: inEra, seq }).code;
    replica.plain.exec(`insert into t values ('a', 1)`);
    const first = replica.notice().head;
    expect([at(0), at(first), at(first + 1)]).toEqual(['ok', 'ok', 'past-era']);
    const next = db.transaction(() => beginEra(db, { clock: replica.clock, random: createSeededRandom(9) }));
    replica.plain.exec(`insert into t values ('b', 1)`);
    const second = replica.notice().head;
    // What the old era was served up to is the same; beyond it a restored file has another history.
    expect([at(first), at(second), at(second, next), at(second + 1, next)]).toEqual([
      'ok',
      'past-era',
      'ok',
      'past-era',
    ]);
    expect(at(1, Era.parse(era(77)))).toBe('era-unknown');
    expect(
      checkCursor(db, {
        ...start,
        epoch: start.epoch.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')) as typeof start.epoch,
      }).code,
    ).toBe('epoch-changed');
  });
});

// Guards FILE-001.
describe('takeLease', () => {
  it('lets one host in at a time, until it gives the lease back or lets it run out', () => {
    const { db } = anAttachedReplica(TABLE);
    const claim = (host: string, nowMs: number) => takeLease(db, { host, address: null, nowMs, holdMs: 100 });
    expect(claim('a', 0).ok).toBe(true);
    expect(claim('a', 50).ok).toBe(true);
    expect(claim('b', 149)).toMatchObject({
      ok: false,
      error: { code: 'held-by-host', host: 'a', untilMs: 150 },
    });
    expect(claim('b', 150).ok).toBe(true);
    giveBackLease(db, 'a');
    expect(claim('a', 200).ok).toBe(false);
    giveBackLease(db, 'b');
    expect(claim('a', 200).ok).toBe(true);
  });
});

describe('a crash', () => {
  it('right after a local commit loses nothing: the change is synced later (T13)', async () => {
    const { spawn } = await import('node:child_process');
    const replica = anAttachedReplica(`${TABLE}; insert into t values ('a', 1)`);
    const { cursor } = present(replica.pages(replica.start, 10).at(-1), 'a page');
    // Another program: commits, says so, and is killed with a second transaction open.
    const program = `
      import Database from 'better-sqlite3';
      const db = new Database(process.argv[1]);
      db.pragma('cache_spill = 1');
      db.exec("update t set v = 2; insert into t values ('b', 1)");
      db.exec("begin; update t set v = 3; delete from t where k = 'b'");
      process.stdout.write('written');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, replica.path], {
      cwd: join(import.meta.dirname, '..', '..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(factsOf(replica.pages(cursor, 10).flatMap(({ groups }) => groups))).toEqual([
      'cells t k=a v=2',
      'rows t k=b v=1',
    ]);
    const check = new Database(replica.path);
    expect(check.pragma('integrity_check', { simple: true })).toBe('ok');
    check.close();
  });
});
