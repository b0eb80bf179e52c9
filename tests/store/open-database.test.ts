import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { initFile } from '#main/store/init-file.ts';
import { METADATA_FORMAT } from '#main/store/metadata-schema.ts';
import { checkNodeApi } from '#main/store/node-api.ts';
import { openDatabase } from '#main/store/open-database.ts';
import { queryPlain } from '#main/store/plain-connection.ts';
import { present } from '#shared/assert.ts';

import { createSeededRandom } from '../support/seeded-random.ts';
import { aClock, aDatabase, aFolder } from '../support/store-fixture.ts';

const ports = { clock: aClock(), random: createSeededRandom(1) };

function aReplica(path: string): string {
  const made = initFile({ path, ports });
  if (!made.ok) throw new Error(made.error.message);
  made.value.close();
  return path;
}

interface BadFile {
  readonly what: string;
  readonly make: (path: string) => void;
  readonly expect?: 'replica' | 'database' | 'nothing';
  readonly code: string;
}

const BAD_FILES: readonly BadFile[] = [
  { what: 'no file', make: () => undefined, code: 'file-not-found' },
  { what: 'a folder', make: (path) => mkdirSync(path), code: 'not-a-database' },
  { what: 'an empty file (C065)', make: (path) => writeFileSync(path, ''), code: 'empty-file' },
  {
    what: 'a text file (C065)',
    make: (path) => writeFileSync(path, 'id,name\n1,a\n'.repeat(50)),
    code: 'not-a-database',
  },
  {
    what: 'a short header',
    make: (path) => writeFileSync(path, 'SQLite format 3\0'),
    code: 'not-a-database',
  },
  {
    what: 'a database that is cut short (C065)',
    make: (path) => {
      aDatabase(path, `create table t (a); insert into t values (zeroblob(100000))`);
      truncateSync(path, 8192);
    },
    expect: 'database',
    code: 'damaged-file',
  },
  {
    what: 'a database whose schema is overwritten (C065)',
    make: (path) => {
      aDatabase(path, `create table t (a); create table u (b)`);
      const bytes = readFileSync(path);
      bytes.fill(0xff, 100, 400);
      writeFileSync(path, bytes);
    },
    expect: 'database',
    code: 'damaged-file',
  },
  {
    what: 'a database whose table is overwritten (C065)',
    make: (path) => {
      aDatabase(path, `create table t (a); insert into t values (1)`);
      const bytes = readFileSync(path);
      bytes.fill(0xff, 4096, 4196);
      writeFileSync(path, bytes);
    },
    expect: 'database',
    code: 'damaged-file',
  },
  {
    what: 'a database that is no replica',
    make: (path) => void aDatabase(path, 'create table t (a)'),
    code: 'not-a-replica',
  },
  {
    what: 'a replica to attach',
    make: (path) => void aReplica(path),
    expect: 'database',
    code: 'already-a-replica',
  },
  {
    what: 'a place that is taken',
    make: (path) => void aDatabase(path, 'create table t (a)'),
    expect: 'nothing',
    code: 'file-exists',
  },
  {
    what: 'text in UTF-16',
    make: (path) => void aDatabase(path, `pragma encoding = 'UTF-16'; create table t (a)`),
    expect: 'database',
    code: 'unsupported-encoding',
  },
  {
    what: 'another format of the bookkeeping (C062 W13)',
    make: (path) => void aDatabase(aReplica(path), `update _concord_meta set value = 7 where key = 'format'`),
    code: 'other-format',
  },
  {
    what: 'bookkeeping of which most is missing (W13)',
    make: (path) => void aDatabase(path, `create table _concord_log (a)`),
    expect: 'database',
    code: 'other-format',
  },
  {
    what: 'bookkeeping that does not say its format (W13)',
    make: (path) => void aDatabase(aReplica(path), `delete from _concord_meta where key = 'format'`),
    code: 'other-format',
  },
  ...['alter table _concord_peer drop column skew_ms', 'drop table _concord_journal'].map((sql) => ({
    what: `bookkeeping that lost a part (C062): ${sql}`,
    make: (path: string) => void aDatabase(aReplica(path), sql),
    code: 'damaged-file',
  })),
  {
    what: 'another format in a file with a WAL that a crash left',
    make: (path) => {
      const other = `${path}.made`;
      const db = new Database(aReplica(other));
      db.exec(`update _concord_meta set value = 7 where key = 'format'`);
      copyFileSync(other, path);
      copyFileSync(`${other}-wal`, `${path}-wal`);
      db.close();
    },
    code: 'other-format',
  },
];

/** Every file of a folder with its bytes. */
function contents(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name }) => [name, readFileSync(join(folder, name), 'base64')]));
}

// Guards FILE-002.
describe('openDatabase', () => {
  for (const { what, make, expect: expectation, code } of BAD_FILES) {
    it(`refuses ${what} as ${code} and leaves everything as it was`, () => {
      const folder = aFolder();
      const path = join(folder, 'a file.db');
      make(path);
      const before = contents(folder);
      const opened = openDatabase({ path, ...(expectation === undefined ? {} : { expect: expectation }) });
      expect(opened.ok ? 'opened' : opened.error.code).toBe(code);
      // The shared memory of a WAL holds no data; SQLite makes it anew whenever somebody looks.
      const { ['a file.db-shm']: _shm, ...after } = contents(folder);
      expect(after).toEqual(before);
    });
  }

  for (const { found, says } of [
    { found: METADATA_FORMAT + 1, says: 'a later version wrote it. Update this one' },
    { found: METADATA_FORMAT - 1, says: 'an earlier version wrote it. Open it with that version' },
  ])
    it(`C062 names both formats and what to do (${says}); the rows stay readable`, () => {
      // Without a part of the bookkeeping, as a version before it would leave the file: that is no damage.
      const path = aDatabase(
        aReplica(join(aFolder(), 'r.db')),
        `create table t (v); insert into t values ('kept'); drop table _concord_held_deleted;
         update _concord_meta set value = ${found} where key = 'format'`,
      );
      const opened = openDatabase({ path });
      expect(opened).toMatchObject({
        ok: false,
        error: { code: 'other-format', found, known: METADATA_FORMAT },
      });
      expect(opened.ok ? '' : opened.error.message).toContain(says);
      expect(queryPlain(path, 'select v from t')).toEqual({ ok: true, value: [['kept']] });
    });

  it('refuses a file that another program has locked, in a rollback journal and in a WAL', () => {
    const path = aReplica(join(aFolder(), 'r.db'));
    const other = new Database(path);
    try {
      other.pragma('locking_mode = exclusive');
      other.exec('begin exclusive');
      const opened = openDatabase({ path, busyTimeoutMs: 0 });
      expect(opened.ok ? 'opened' : opened.error.code).toBe('locked');
    } finally {
      other.close();
    }
    const rollback = aDatabase(join(aFolder(), 'd.db'), 'create table t (a)');
    const holder = new Database(rollback);
    try {
      holder.exec('begin exclusive');
      const opened = openDatabase({ path: rollback, expect: 'database', busyTimeoutMs: 0 });
      expect(opened.ok ? 'opened' : opened.error.code).toBe('locked');
    } finally {
      holder.close();
    }
  });

  it('rolls back what a crash left of a transaction, as every program does, and then opens', () => {
    const folder = aFolder();
    const path = aDatabase(
      join(folder, 'd.db'),
      'create table t (a); insert into t values (zeroblob(100000))',
    );
    const crashed = join(folder, 'crashed.db');
    const db = new Database(path);
    db.pragma('cache_size = 1');
    db.exec('begin; update t set a = randomblob(100000); create table u as select * from t');
    copyFileSync(path, crashed);
    copyFileSync(`${path}-journal`, `${crashed}-journal`);
    db.close();
    const opened = openDatabase({ path: crashed, expect: 'database' });
    expect(opened.ok).toBe(true);
    if (!opened.ok) return;
    expect(opened.value.preparePluck<[]>('select count(*) from sqlite_schema').get()).toBe(1n);
    opened.value.close();
  });

  it('opens for reading alone without a way to write', () => {
    const path = aReplica(join(aFolder(), 'r.db'));
    const opened = openDatabase({ path, readOnly: true });
    expect(opened.ok).toBe(true);
    if (!opened.ok) return;
    expect(() => {
      opened.value.exec('delete from _concord_meta');
    }).toThrow(/readonly/);
    opened.value.close();
  });

  it('sets the pragmas that capture and admission count on', () => {
    const opened = openDatabase({ path: aReplica(join(aFolder(), 'r.db')) });
    if (!opened.ok) throw new Error(opened.error.message);
    const pragma = (name: string): unknown => opened.value.raw.pragma(name, { simple: true });
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('recursive_triggers')).toBe(1);
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('trusted_schema')).toBe(0);
    expect(pragma('journal_mode')).toBe('wal');
    opened.value.close();
  });

  it('refuses a Node that the addon would crash', () => {
    expect(checkNodeApi(9)).toMatchObject({ ok: false, error: { code: 'runtime-too-old' } });
    expect(checkNodeApi(10).ok).toBe(true);
  });

  it('leaves nothing beside a replica that is closed', () => {
    const folder = aFolder();
    const opened = openDatabase({ path: aReplica(join(folder, 'r.db')) });
    present(opened.ok ? opened.value : null, 'opens').close();
    expect(readdirSync(folder)).toEqual(['r.db']);
  });
});

describe('initFile', () => {
  it('makes a replica in an empty file and where nothing is', () => {
    const folder = aFolder();
    const empty = join(folder, 'empty.db');
    writeFileSync(empty, '');
    expect(initFile({ path: empty, ports }).ok).toBe(true);
    expect(initFile({ path: join(folder, 'new.db'), ports }).ok).toBe(true);
  });

  it('says where the folder is missing and makes nothing', () => {
    const folder = aFolder();
    const made = initFile({ path: join(folder, 'no', 'such', 'r.db'), ports });
    expect(made).toMatchObject({
      ok: false,
      error: { code: 'file-not-found', path: join(folder, 'no', 'such') },
    });
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });
});
