import { z } from 'zod';

import type { ConsoleDatabase } from '../store/console-database.ts';

export interface LinkRecord {
  readonly id: string;
  /** A replica of this machine. */
  readonly a: string;
  /** The ref of the other end; null where it is reached by `url` for sync alone. */
  readonly b: string | null;
  readonly bName: string;
  readonly via: 'inProcess' | 'webSocket';
  readonly url: string | null;
  readonly paused: boolean;
  readonly lastSyncMs: number | null;
}

export interface LinkRecords {
  readonly all: () => readonly LinkRecord[];
  readonly add: (record: LinkRecord & { readonly addedMs: number }) => void;
  readonly remove: (id: string) => boolean;
  readonly setPaused: (id: string, paused: boolean) => boolean;
  readonly setLastSync: (id: string, atMs: number) => void;
}

const LinkRow = z
  .object({
    id: z.string(),
    a: z.string(),
    b: z.string().nullable(),
    b_name: z.string(),
    via: z.enum(['inProcess', 'webSocket']),
    url: z.string().nullable(),
    paused: z.number(),
    last_sync_ms: z.number().nullable(),
  })
  .transform(({ b_name, paused, last_sync_ms, ...rest }): LinkRecord => ({
    ...rest,
    bName: b_name,
    paused: paused !== 0,
    lastSyncMs: last_sync_ms,
  }));

/** The links in the console's database. */
export function createLinkRecords(db: ConsoleDatabase): LinkRecords {
  return {
    all: () =>
      db
        .all('select id, a, b, b_name, via, url, paused, last_sync_ms from link order by added_ms, id')
        .map((row) => LinkRow.parse(row)),
    add: ({ id, a, b, bName, via, url, paused, lastSyncMs, addedMs }) =>
      void db.run(
        `insert into link (id, a, b, b_name, via, url, paused, last_sync_ms, added_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [id, a, b, bName, via, url, paused ? 1 : 0, lastSyncMs, addedMs],
      ),
    remove: (id) => db.run('delete from link where id = ?', [id]).changes > 0,
    setPaused: (id, paused) =>
      db.run('update link set paused = ? where id = ?', [paused ? 1 : 0, id]).changes > 0,
    setLastSync: (id, atMs) => void db.run('update link set last_sync_ms = ? where id = ?', [atMs, id]),
  };
}
