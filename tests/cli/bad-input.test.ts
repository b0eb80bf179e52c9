import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makePlainDatabase, runPlainSql } from '#main/store/plain-connection.ts';
import { makeCliHome, type CliHome } from '../support/cli-run.ts';
import { fileBytes } from '../support/file-bytes.ts';
import { occupyPort, openNonsensePeer, type Nonsense } from '../support/nonsense-peer.ts';

let home: CliHome;

beforeEach(async () => {
  home = makeCliHome();
  await home.run('init', 'good.db');
});
afterEach(() => home.remove());

const SITE = 'AAAAAAAAAAAAAAAAAAAAAA';

/** What can be handed over where a replica or a database is wanted. */
const files: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  'text.db': (path) => writeFileSync(path, 'Dear diary, this is no database at all.\n'.repeat(200)),
  'empty.db': (path) => writeFileSync(path, ''),
  'cut.db': (path) => {
    makePlainDatabase(path, 'create table t (id integer primary key, v text);');
    runPlainSql(
      path,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) insert into t select i, hex(i) from n`,
      null,
    );
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
  },
  'scribbled.db': (path) => {
    makePlainDatabase(path, 'create table t (id integer primary key, v text); insert into t values (1, 1);');
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xa5)]));
  },
  'header-only.db': (path) =>
    writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(20)])),
  'newer.db': async (path) => {
    await home.run('init', 'newer.db');
    runPlainSql(path, `update _concord_meta set value = 99 where key = 'format'`, null);
  },
  'lossy.db': async (path) => {
    await home.run('init', 'lossy.db');
    runPlainSql(path, 'alter table _concord_peer drop column skew_ms', null);
  },
  'plain.db': (path) => void makePlainDatabase(path, 'create table t (id integer primary key);'),
  folder: (path) => {
    mkdirSync(path);
  },
};

interface Case {
  /** Of cases.md, where it is one of them. */
  readonly number?: string;
  readonly file: string;
  readonly says: RegExp;
  /** Commands that take it for what it is. */
  readonly but?: readonly string[];
}

const cases: readonly Case[] = [
  { file: 'missing.db', says: /^There is no file .*missing\.db/ },
  { number: 'C065', file: 'text.db', says: /text\.db is not an SQLite database: / },
  { number: 'C065', file: 'empty.db', says: /empty\.db is empty: / },
  { number: 'C065', file: 'cut.db', says: /cut\.db is damaged: / },
  { number: 'C065', file: 'scribbled.db', says: /scribbled\.db is (damaged|not an SQLite database): / },
  { number: 'C065', file: 'header-only.db', says: /header-only\.db is (damaged|not an SQLite database): / },
  {
    number: 'C062',
    file: 'newer.db',
    says: /bookkeeping of .*newer\.db has format 99, and this version knows format \d+: a later version/,
  },
  { number: 'C062', file: 'lossy.db', says: /lossy\.db is damaged: /, but: ['attach'] },
  { file: 'plain.db', says: /plain\.db is a database but no replica yet: /, but: ['attach'] },
  { file: 'folder', says: /folder/ },
];

const commands: Readonly<Record<string, (file: string) => readonly string[]>> = {
  status: (file) => ['status', file],
  catalog: (file) => ['catalog', file],
  migrations: (file) => ['migrations', file],
  held: (file) => ['held', file],
  'held drain': (file) => ['held', 'drain', file],
  'held edit': (file) => ['held', 'edit', file, '--id', '1', '--values', '{"a": 1}'],
  'held export': (file) => ['held', 'export', file],
  blocked: (file) => ['blocked', file],
  exec: (file) => ['exec', file, 'create table x (id integer primary key)'],
  rehearse: (file) => ['rehearse', 'create table x (id integer primary key)', '--on', file],
  resolve: (file) => ['resolve', file, 'orders', '--with', 'takeRemote', '--because', 'x'],
  'sync from it': (file) => ['sync', file, 'good.db'],
  'sync to it': (file) => ['sync', 'good.db', file],
  attach: (file) => ['attach', file],
  detach: (file) => ['detach', file],
  serve: (file) => ['serve', file, '--port', '0'],
};

describe.for(cases.map((one) => ({ ...one, title: `${one.number ?? ''} ${one.file}`.trim() })))(
  '$title',
  ({ file, says, but = [] }) => {
    beforeEach(async () => files[file]?.(home.path(file)));

    const refusing = Object.keys(commands).filter((name) => !but.includes(name));
    test.for(refusing)(
      '%s says one sentence with the next step, and leaves every file as it was',
      async (name) => {
        const before = fileBytes(home.folder);
        const { status, out, err } = await home.run(...(commands[name]?.(file) ?? []));
        expect({ status, out }).toEqual({ status: 1, out: '' });
        expect(err).toMatch(says);
        expect(err.trim().split('\n')).toHaveLength(1);
        expect(err).toMatch(/: .+\.\n$/);
        // A sync opens the good one first, which is one more opening of it by a host.
        const changed = name === 'sync to it' ? { [home.path('good.db')]: expect.any(String) as string } : {};
        expect(fileBytes(home.folder)).toEqual({ ...before, ...changed });
      },
    );
  },
);

test('a replica is not attached a second time', async () => {
  const before = fileBytes(home.folder);
  const { status, err } = await home.run('attach', 'good.db');
  expect(status).toBe(1);
  expect(err).toMatch(/good\.db is a replica already: open it\.\n$/);
  expect(fileBytes(home.folder)).toEqual(before);
});

test('init writes over nothing', async () => {
  makePlainDatabase(home.path('plain.db'), 'create table t (id integer primary key);');
  const before = fileBytes(home.folder);
  for (const [file, says] of [
    ['good.db', /is there already: /],
    ['plain.db', /is there already: /],
    ['nowhere/x.db', /There is no file .*nowhere/],
  ] as const) {
    const { status, err } = await home.run('init', file);
    expect(status).toBe(1);
    expect(err).toMatch(says);
  }
  expect(fileBytes(home.folder)).toEqual(before);
});

describe('without rights', () => {
  /** Tests may run as root, who has every right: then the program runs as nobody. */
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const run = (...args: readonly string[]) => {
    const program = join(import.meta.dirname, '../../src/main/cli/index.ts');
    const env = {
      PATH: process.env['PATH'],
      HOME: home.folder,
      INIT_CWD: home.folder,
      CONCORD_DATA: home.dataDir,
    };
    return spawnSync(process.execPath, [program, ...args], { ...asNobody, env, encoding: 'utf8' });
  };
  const says = /may not be written: give this user the rights/;

  beforeEach(() => {
    makePlainDatabase(home.path('plain.db'), 'create table t (id integer primary key);');
    chmodSync(home.folder, 0o555);
    for (const file of ['good.db', 'plain.db']) chmodSync(home.path(file), 0o444);
  });
  afterEach(() => chmodSync(home.folder, 0o755));

  test.for([
    ['exec', 'good.db', 'create table x (id integer primary key)'],
    ['attach', 'plain.db'],
    ['detach', 'good.db'],
    ['init', 'new.db'],
    ['sync', 'good.db', 'good.db'],
  ])('%s %s says so, and leaves every file as it was', (args) => {
    const before = fileBytes(home.folder);
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(says) as string,
    });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(fileBytes(home.folder)).toEqual(before);
  });
});

test('a port that is in use is named, and nothing listens', async () => {
  const other = await occupyPort();
  try {
    const { status, out, err } = await home.run('serve', '--port', String(other.port));
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toBe(
      `Port ${other.port} of 127.0.0.1 is in use by another program: choose another with --port, or end that program.\n`,
    );
  } finally {
    await other.close();
  }
});

test('an address other than loopback without TLS does not start', async () => {
  const { status, err } = await home.run('serve', '--host', '0.0.0.0', '--port', '0');
  expect(status).toBe(1);
  expect(err).toMatch(/needs TLS: give --tls-cert and --tls-key/);
});

describe('a peer that makes no sense', () => {
  const kinds: readonly Nonsense[] = [
    'http page',
    'closes at once',
    'speaks text',
    'speaks other bytes',
    'says nothing and leaves',
  ];
  test.for(kinds)('%s', async (kind) => {
    const peer = await openNonsensePeer(kind);
    try {
      for (const args of [
        ['good.db', `ws://127.0.0.1:${peer.port}/${SITE}`],
        [`ws://127.0.0.1:${peer.port}/${SITE}`, 'good.db'],
      ]) {
        const before = fileBytes(home.folder);
        const { status, out, err } = await home.run('sync', ...args);
        expect({ status, out }).toEqual({ status: 1, out: '' });
        expect(err).toMatch(new RegExp(`^ws://127.0.0.1:${peer.port}/${SITE} .+: .+\\.\\n$`));
        expect(fileBytes(home.folder)).toEqual(before);
      }
    } finally {
      await peer.close();
    }
  });

  test('a peer that is not there', async () => {
    const gone = await occupyPort();
    await gone.close();
    const before = fileBytes(home.folder);
    const { status, err } = await home.run('sync', 'good.db', `ws://127.0.0.1:${gone.port}/${SITE}`);
    expect(status).toBe(1);
    expect(err).toMatch(/cannot be reached \(ECONNREFUSED\): check the address, and that its host runs\.\n$/);
    expect(fileBytes(home.folder)).toEqual(before);
  });

  test.for(['ws://127.0.0.1:4021', 'ws://127.0.0.1:4021/short', 'ws:///x', 'wss://'])(
    'the address %s',
    async (address) => {
      const { status, err } = await home.run('sync', 'good.db', address);
      expect(status).toBe(2);
      expect(err).toBe(
        `"${address}" is no address of a replica: it looks like ws://127.0.0.1:4021/<site ID>.\n`,
      );
    },
  );

  test('a token file that is not there, or empty', async () => {
    writeFileSync(home.path('empty.token'), '\n');
    const address = `ws://127.0.0.1:1/${SITE}`;
    const missing = await home.run('sync', 'good.db', address, '--token-file', 'gone.token');
    expect(missing).toMatchObject({
      status: 1,
      err: 'gone.token cannot be read: check the path and its rights.\n',
    });
    const empty = await home.run('sync', 'good.db', address, '--token-file', 'empty.token');
    expect(empty).toMatchObject({ status: 1, err: "empty.token is empty: put the token's secret in it.\n" });
  });
});

test('a folder for the example that is not empty is left alone', async () => {
  mkdirSync(home.path('shops'));
  writeFileSync(home.path('shops/mine.txt'), 'mine');
  const before = fileBytes(home.folder);
  const { status, err } = await home.run('example', 'shops');
  expect(status).toBe(1);
  expect(err).toMatch(/shops is not empty: name another folder/);
  expect(fileBytes(home.folder)).toEqual(before);
  rmSync(home.path('shops'), { recursive: true });
});
