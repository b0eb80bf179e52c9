import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { sha256 } from '#main/platform/sha256.ts';
import { secureRandom } from '#main/platform/secure-random.ts';
import { systemClock } from '#main/platform/system-clock.ts';
import { attachReplica } from '#main/replica/attach-replica.ts';
import type { OpenReplicaOptions } from '#main/replica/open-replica.ts';

/** Tables of a large catalog, and of the small one that it is compared with. */
export const BIG = 5_000;
export const SMALL = 50;

/** Columns a table, besides the key. */
const COLUMNS = [
  'a text',
  'b text',
  "c text not null default ''",
  'd integer',
  'e integer',
  'f real',
  'g blob',
  'h text',
  'i',
  'j',
  'k',
];

/** DDL of so many tables of twelve columns, two indexes each, and a view for every ten of them. */
export function catalogSql(tables: number, spell: (sql: string) => string = (sql) => sql): string {
  const statements: string[] = [];
  for (let place = 1; place <= tables; place += 1) {
    const name = tableName(place);
    statements.push(
      spell(`create table ${name} (id integer primary key, ${COLUMNS.join(', ')})`),
      spell(`create index ${name}_a on ${name} (a, d)`),
      spell(`create index ${name}_b on ${name} (b) where b is not null`),
    );
    if (place % 10 === 0)
      statements.push(spell(`create view ${name}_v as select a, b from ${name} where d > 0`));
  }
  return `${statements.join(';\n')};`;
}

export const tableName = (place: number): string => `t${String(place).padStart(4, '0')}`;

const silent = (): void => undefined;

/** How a bench opens a replica. */
export const openOptions = (path: string): OpenReplicaOptions => ({
  path,
  ports: {
    clock: systemClock,
    random: secureRandom,
    hash: sha256,
    log: { info: silent, warn: silent, error: silent },
  },
  host: { id: 'bench', address: null },
});

/** An attached file with this catalog, closed. Gives its path. */
export function makeBigReplica(folder: string, name: string, sql: string): string {
  const path = join(folder, `${name}.db`);
  const raw = new Database(path);
  raw.pragma('journal_mode = wal');
  raw.exec(`begin; ${sql} commit`);
  raw.close();
  const attached = attachReplica(openOptions(path));
  if (!attached.ok) throw new Error(attached.error.message);
  attached.value.replica.close();
  return path;
}

/** A copy of a closed file, for one repetition. */
export function copyFile(path: string, name: string): { readonly path: string; readonly remove: () => void } {
  const copy = `${path}-${name}.db`;
  copyFileSync(path, copy);
  return {
    path: copy,
    remove: () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
    },
  };
}
