import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';

import { attachFile } from '#main/store/attach-file.ts';
import { beginEra } from '#main/store/era-list.ts';
import { foldLog } from '#main/store/log-fold.ts';
import { noticeLog } from '#main/store/log-notice.ts';
import type { LogNotice } from '#main/store/log-notice.ts';
import { readLogPage } from '#main/store/log-page.ts';
import { readEpoch } from '#main/store/replica-meta.ts';
import { createSiteRegistry } from '#main/store/site-registry.ts';
import type { StoreDatabase } from '#main/store/store-database.ts';
import { createTableRegistry } from '#main/store/table-registry.ts';
import type { TableRegistry } from '#main/store/table-registry.ts';
import { present } from '#shared/assert.ts';
import type { ChangeGroup, Cursor, Page } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { siteId } from './ids.ts';
import { createSeededRandom } from './seeded-random.ts';

/** A folder of the test's own, gone when the test is over. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'concord-store-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A database as another program makes it; closed again. */
export function aDatabase(path: string, sql: string): string {
  const db = new Database(path);
  db.exec(sql);
  db.close();
  return path;
}

export interface ManualClock {
  readonly isWallClock: boolean;
  readonly nowMs: () => number;
  readonly set: (ms: number) => void;
}

export function aClock(start = 1_800_000_000_000): ManualClock {
  let now = start;
  return {
    isWallClock: false,
    nowMs: () => now,
    set: (ms) => {
      now = ms;
    },
  };
}

/** An attached replica, with a second, plain connection to it. */
export interface AttachedReplica {
  readonly path: string;
  readonly db: StoreDatabase;
  readonly plain: Database.Database;
  readonly clock: ManualClock;
  readonly registry: TableRegistry;
  readonly site: SiteId;
  readonly start: Cursor;
  readonly notice: () => LogNotice;
  /** Notices, folds, reads. */
  readonly page: (cursor: Cursor, facts: number, puller?: SiteId) => Page;
  /** All pages from a cursor on. */
  readonly pages: (cursor: Cursor, facts: number) => readonly Page[];
}

/** Makes a database with these statements and attaches it. */
export function anAttachedReplica(
  sql: string,
  options: { readonly keepJournalMode?: boolean } = {},
): AttachedReplica {
  const path = aDatabase(join(aFolder(), 'replica.db'), sql);
  const clock = aClock();
  const random = createSeededRandom(7);
  const attached = attachFile({ path, ports: { clock, random }, ...options });
  if (!attached.ok) throw new Error(attached.error.message);
  const { db } = attached.value;
  const plain = new Database(path);
  plain.pragma('foreign_keys = off');
  onTestFinished(() => {
    plain.close();
    db.close();
  });
  const era = db.transaction(() => beginEra(db, { clock, random }));
  const registry = createTableRegistry(db);
  const sites = createSiteRegistry(db);

  const noticeNow = (): LogNotice => {
    db.exec(`update _concord_state set now_ms = ${clock.nowMs()}`);
    return noticeLog(db, { registry, nowMs: clock.nowMs(), clockLast: 0n });
  };
  const page: AttachedReplica['page'] = (cursor, facts, puller = siteId(99)) =>
    db.transaction(() => {
      noticeNow();
      foldLog(db, registry);
      return readLogPage(db, { registry, sites, cursor, facts, puller, migrationOf: () => null });
    });
  return {
    path,
    db,
    plain,
    clock,
    registry,
    site: sites.own,
    start: { epoch: readEpoch(db), era, seq: 0, catalogSeq: 0 },
    notice: () => db.transaction(noticeNow),
    page,
    pages: (cursor, facts) => {
      const read = [page(cursor, facts)];
      for (let last = read[0]; last?.more === true; last = read.at(-1)) read.push(page(last.cursor, facts));
      return read;
    },
  };
}

/** Facts of groups in words: kind, table, life and values by column name. */
export function factsOf(groups: readonly ChangeGroup[]): readonly string[] {
  return groups.flatMap((group) =>
    group.blocks.flatMap((block) => {
      const table = present(group.tables[block.table], 'a table of the group');
      const names = block.columns.map((index) => present(table.columns[index], 'a column').name);
      const lives = new Map(block.lives);
      return block.rows.map((values, row) => {
        const cells = names.map((name, place) => `${name}=${show(values[place] ?? null)}`).join(' ');
        const life = lives.get(row);
        return `${block.kind} ${table.name} ${cells}${life === undefined ? '' : ` life ${life}`}`;
      });
    }),
  );
}

function show(value: SqlValue): string {
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  if (typeof value === 'object' && value !== null)
    return `text'${Buffer.from(value.textBytes).toString('hex')}'`;
  return typeof value === 'number' ? value.toString() + (Number.isInteger(value) ? '.0' : '') : String(value);
}
