import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { attachFile } from '#main/store/attach-file.ts';
import { checkFile } from '#main/store/self-check.ts';
import { beginEra } from '#main/store/era-list.ts';
import { keyValueOf } from '#main/store/key-expression.ts';
import { foldLog } from '#main/store/log-fold.ts';
import { noticeLog } from '#main/store/log-notice.ts';
import { readLogPage } from '#main/store/log-page.ts';
import { readEpoch } from '#main/store/replica-meta.ts';
import { createRowClocks } from '#main/store/row-clock.ts';
import { createSiteRegistry } from '#main/store/site-registry.ts';
import { createTableRegistry } from '#main/store/table-registry.ts';
import type { TrackedColumn } from '#main/store/table-registry.ts';
import { assert, present } from '#shared/assert.ts';
import type { Cursor, Page } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { emptyModel, exact, readRows, runOnModel, settleLives } from './capture-model.ts';
import type { CaptureStatement } from './capture-statement.ts';
import type { CaptureTable } from './capture-tables.ts';
import { siteId } from './ids.ts';
import { createPageReplay } from './replay-pages.ts';
import type { PageReplay } from './replay-pages.ts';
import { createSeededRandom } from './seeded-random.ts';

/** One replica that is written by Concord's connection and by a plain one, beside the model of what must be recorded. */
export interface CaptureWorld {
  readonly transact: (
    by: 'own' | 'plain' | 'plainRecursive',
    statements: readonly CaptureStatement[],
    end: 'commit' | 'rollback',
  ) => void;
  readonly notice: () => void;
  /** Pulls one page into the receiver that follows along. */
  readonly pull: (facts: number) => void;
  readonly vacuum: () => void;
  /** Compares bookkeeping and model; throws on the first difference. */
  readonly compare: () => void;
  /** Pulls all, into the receiver that followed along and into a fresh one, and compares both with the tables. */
  readonly compareReplays: (facts: number) => void;
  readonly close: () => void;
}

export function openCaptureWorld(options: {
  readonly seed: number;
  readonly markSlack: bigint;
  readonly tables: readonly CaptureTable[];
}): CaptureWorld {
  const { tables } = options;
  const folder = mkdtempSync(join(tmpdir(), 'concord-capture-'));
  const path = join(folder, 'replica.db');
  const random = createSeededRandom(options.seed);
  let nowMs = 1_800_000_000_000;
  // Now and then the wall clock stands still or steps back.
  const clock = {
    isWallClock: true,
    nowMs: () => (nowMs += Math.floor(random.draw() * 4) - 1),
  };
  const plain = new Database(path);
  plain.pragma('foreign_keys = off');
  // What is tested survives no power cut either way.
  plain.pragma('synchronous = off');
  for (const { ddl } of tables) plain.exec(ddl);
  const attached = attachFile({ path, ports: { clock, random } });
  assert(attached.ok, 'attaches');
  const { db } = attached.value;
  db.raw.pragma('synchronous = off');
  db.exec(`update _concord_mark set sealed = 0`);
  const era = db.transaction(() => beginEra(db, { clock, random }));
  const registry = createTableRegistry(db);
  const sites = createSiteRegistry(db);
  const clocks = createRowClocks(db, sites.own);
  const start: Cursor = { epoch: readEpoch(db), era, seq: 0, catalogSeq: 0 };
  const follower = createPageReplay();
  let followerCursor = start;

  let model = emptyModel(tables);
  /** Seq at which each closed group ends; group numbers begin at 1. */
  const ends = [0];

  return { transact, notice, pull, vacuum, compare, compareReplays, close };

  function close(): void {
    plain.close();
    db.close();
    rmSync(folder, { recursive: true });
  }

  function simulateTime(): void {
    db.exec(`update _concord_state set now_ms = ${clock.nowMs()}`);
  }

  function noticeInTransaction(): void {
    const { head } = noticeLog(db, {
      registry,
      nowMs: clock.nowMs(),
      clockLast: 0n,
      markSlack: options.markSlack,
    });
    if (head > present(ends.at(-1), 'a group')) ends.push(head);
  }

  function notice(): void {
    db.transaction(noticeInTransaction);
  }

  function transact(
    by: 'own' | 'plain' | 'plainRecursive',
    statements: readonly CaptureStatement[],
    end: 'commit' | 'rollback',
  ): void {
    simulateTime();
    const connection = by === 'own' ? db.raw : plain;
    // Half of them keep foreign keys, the other half do not know that there are any.
    plain.pragma(`foreign_keys = ${by === 'plainRecursive' ? 'on' : 'off'}`);
    plain.pragma(`recursive_triggers = ${by === 'plainRecursive' ? 'on' : 'off'}`);
    connection.exec('begin immediate');
    // What others wrote is a group of its own.
    if (by === 'own') noticeInTransaction();
    const before = model;
    const endsBefore = ends.length;
    for (const statement of statements) {
      model = runOnModel(model, {
        db: connection,
        tables,
        statement,
        group: ends.length,
        recursive: by !== 'plain',
      });
    }
    if (by === 'own') noticeInTransaction();
    if (end === 'commit' && commits(connection)) return;
    connection.exec('rollback');
    model = before;
    if (by === 'own') reopenGroups(endsBefore);
  }

  /** The rollback undid the first notice as well; what it closed waits for the next. */
  function reopenGroups(endsBefore: number): void {
    ends.length = Math.min(ends.length, endsBefore);
    if (ends.length > 1 && present(ends.at(-1), 'a group') > lastHead()) ends.pop();
  }

  /** False where a deferred foreign key does not let it. */
  function commits(connection: Database.Database): boolean {
    try {
      connection.exec('commit');
      return true;
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY')
        return false;
      throw cause;
    }
  }

  function lastHead(): number {
    const head = db
      .preparePluck<[], bigint>(`select coalesce(max(seq), 0) from _concord_log where kind = 8`)
      .get();
    return Number(head);
  }

  function vacuum(): void {
    plain.exec('vacuum');
  }

  function readPage(cursor: Cursor, facts: number): Page {
    return db.transaction(() => {
      noticeInTransaction();
      foldLog(db, registry);
      const page = readLogPage(db, {
        registry,
        sites,
        cursor,
        facts,
        puller: siteId(99),
        migrationOf: () => null,
      });
      const carried = page.groups
        .flatMap(({ blocks }) => blocks)
        .reduce((sum, { rows }) => sum + rows.length, 0);
      assert(
        carried <= facts || (facts === 1 && carried === 2),
        `a page of ${facts} carries ${carried} facts`,
      );
      assert(
        !page.more || page.cursor.seq > cursor.seq || page.cursor.inside !== cursor.inside,
        'the cursor moves on',
      );
      return page;
    });
  }

  function pull(facts: number): void {
    const page = readPage(followerCursor, facts);
    follower.take(page);
    followerCursor = page.cursor;
  }

  function pullAll(replay: PageReplay, from: Cursor, facts: number): Cursor {
    let page = readPage(from, facts);
    replay.take(page);
    while (page.more) {
      page = readPage(page.cursor, facts);
      replay.take(page);
    }
    return page.cursor;
  }

  function compareReplays(facts: number): void {
    compare();
    followerCursor = pullAll(follower, followerCursor, facts);
    const fresh = createPageReplay();
    pullAll(fresh, start, facts);
    assert(fresh.repeats().length === 0, `what was overtaken was sent: ${fresh.repeats().join('; ')}`);
    for (const table of tables) {
      const rows = Object.fromEntries([...readRows(db.raw, table)].map(([key, { values }]) => [key, values]));
      const dead = [...present(model.get(table.name), 'a table').lives].filter(([, life]) => life % 2 === 0);
      for (const [who, replay] of [
        ['follower', follower],
        ['fresh receiver', fresh],
      ] as const) {
        equal(replay.rows(table.name), rows, `${who}: rows of ${table.name}`);
        equal(replay.deleted(table.name), Object.fromEntries(dead), `${who}: deleted of ${table.name}`);
      }
    }
  }

  function compare(): void {
    db.transaction(() => {
      noticeInTransaction();
      foldLog(db, registry);
    });
    for (const table of tables) {
      const tracked = present(registry.byName(table.name), 'a tracked table');
      const lives = db
        .prepareRaw<[number], [SqlValue, bigint]>(`select key, life from _concord_life where tbl = ?`)
        .all(tracked.tbl);
      const stored = new Map(lives.map(([key, life]) => [exact(key), Number(life)]));
      const before = present(model.get(table.name), 'a table of the model');
      const byIdentity = new Map(
        [...before.lives.keys(), ...before.unsure].flatMap((key) => {
          const life = stored.get(storedKey(table.name, key));
          return life === undefined ? [] : [[key, life] as const];
        }),
      );
      model = settleLives(model, table.name, byIdentity);
      const expected = present(model.get(table.name), 'a table of the model');
      for (const [key, row] of expected.rows) {
        const place = row.rid ?? placeOf(table.name, key);
        for (const column of tracked.columns) {
          const seq = cellSeq(tracked.tbl, place as never, column);
          const group = present(row.groups[column.name], 'a group');
          const [from = 0, to = 0] = [ends[group - 1], ends[group]];
          assert(
            seq > from && seq <= to,
            `${table.name} ${key} ${column.name}: stamped by entry ${seq}, but group ${group} (${from} to ${to}] wrote it`,
          );
        }
      }
      const modelled = Object.fromEntries(
        [...expected.lives].map(([key, life]) => [storedKey(table.name, key), life]),
      );
      equal(Object.fromEntries(stored), modelled, `lives of ${table.name}`);
    }
    equal(checkFile(db, registry), [], 'self-check');
  }

  function placeOf(table: string, key: string): SqlValue {
    const tracked = present(registry.byName(table), 'a tracked table');
    const rows = db
      .prepareRaw<[], SqlValue[]>(`select ${tracked.key.map(({ name }) => name).join(', ')} from ${table}`)
      .all();
    const description = present(
      tables.find(({ name }) => name === table),
      'a table',
    );
    const values = present(
      rows.find((row) => description.identityOf(row) === key),
      'a row',
    );
    return present(keyValueOf(tracked, values), 'a key');
  }

  function cellSeq(tbl: number, rid: bigint, column: TrackedColumn): number {
    const { col } = column;
    const seq = db
      .preparePluck<unknown[], bigint>(
        `select coalesce(
          (select seq from _concord_cell where tbl = ? and rid = ? and col = ?),
          (select seq from _concord_cell where tbl = ? and rid = ? and col = -1),
          (select case when hi >= ? or typeof(?) <> 'integer' then seq end from _concord_range where tbl = ? and lo <= ? order by lo desc limit 1), -1)`,
      )
      .get(tbl, rid, col, tbl, rid, rid, rid, tbl, rid);
    assert(clocks.row(tbl, rid).cell(column).hlc > 0n || seq === -1n, 'a stamped cell has a clock');
    return Number(seq);
  }
}

/** An identity of the model as the bookkeeping stores it: single keys by value, composite ones part by part. */
function storedKey(table: string, identity: string): string {
  if (!table.endsWith('pair')) return identity.replace(/^b(?=[0-9a-f]*$)/, 'blob ');
  return `string ${identity.split('|').map(partOf).join(',')}`;
}

function partOf(part: string): string {
  const [type = '', ...rest] = part.split(' ');
  const value = rest.join(' ');
  if (type === 'bigint') return `i${value}`;
  if (type === 'number') return `r${value}`;
  if (type === 'string') return `t${Buffer.from(value).toString('hex').toUpperCase()}`;
  return part.toUpperCase().replace(/^B/, 'b');
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [stable(actual), stable(expected)];
  assert(left === right, `${what} differ:\n  is        ${left}\n  should be ${right}`);
}

const stable = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
