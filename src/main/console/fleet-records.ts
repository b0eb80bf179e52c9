import { z } from 'zod';

import type { ConsoleDatabase } from '../store/console-database.ts';

/** A replica of this machine, as the fleet remembers it. */
export interface ReplicaRecord {
  readonly ref: string;
  readonly path: string;
  readonly name: string;
  readonly group: string | null;
  /** Null until it was opened once. */
  readonly site: string | null;
}

export interface HostRecord {
  readonly id: string;
  readonly url: string;
}

export interface FleetRecords {
  readonly replicas: () => readonly ReplicaRecord[];
  readonly addReplica: (record: ReplicaRecord & { readonly addedMs: number }) => void;
  readonly renameReplica: (ref: string, name: string, group: string | null) => boolean;
  readonly setSite: (ref: string, site: string) => void;
  /** Its links go with it. False when there is none with this ref. */
  readonly removeReplica: (ref: string) => boolean;
  readonly hosts: () => readonly HostRecord[];
  readonly addHost: (record: HostRecord & { readonly addedMs: number }) => void;
  /** Links to its replicas go with it. */
  readonly removeHost: (id: string) => boolean;
}

const ReplicaRow = z
  .object({
    ref: z.string(),
    path: z.string(),
    name: z.string(),
    group_name: z.string().nullable(),
    site: z.string().nullable(),
  })
  .transform(({ group_name, ...rest }): ReplicaRecord => ({ ...rest, group: group_name }));
const HostRow = z.object({ id: z.string(), url: z.string() });

/** The list of replicas and remote hosts in the console's database. */
export function createFleetRecords(db: ConsoleDatabase): FleetRecords {
  return {
    replicas: () =>
      db
        .all('select ref, path, name, group_name, site from replica order by added_ms, ref')
        .map((row) => ReplicaRow.parse(row)),
    addReplica: ({ ref, path, name, group, site, addedMs }) =>
      void db.run(
        'insert into replica (ref, path, name, group_name, site, added_ms) values (?, ?, ?, ?, ?, ?)',
        [ref, path, name, group, site, addedMs],
      ),
    renameReplica: (ref, name, group) =>
      db.run('update replica set name = ?, group_name = ? where ref = ?', [name, group, ref]).changes > 0,
    setSite: (ref, site) =>
      void db.run('update replica set site = ? where ref = ? and site is not ?', [site, ref, site]),
    removeReplica: (ref) =>
      db.transact(() => {
        db.run('delete from link where b = ?', [ref]);
        return db.run('delete from replica where ref = ?', [ref]).changes > 0;
      }),
    hosts: () =>
      db.all('select id, url from remote_host order by added_ms, id').map((row) => HostRow.parse(row)),
    addHost: ({ id, url, addedMs }) =>
      void db.run('insert into remote_host (id, url, added_ms) values (?, ?, ?)', [id, url, addedMs]),
    removeHost: (id) =>
      db.transact(() => {
        db.run(`delete from link where substr(b, 1, ?) = ?`, [id.length + 1, `${id}/`]);
        return db.run('delete from remote_host where id = ?', [id]).changes > 0;
      }),
  };
}
