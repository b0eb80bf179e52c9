import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { CONSOLE_MIGRATIONS } from '#main/console/console-migrations.ts';
import { createEventRecords } from '#main/console/event-records.ts';
import { createFleetRecords } from '#main/console/fleet-records.ts';
import { createKeychainSeal } from '#main/console/keychain-seal.ts';
import { createLinkRecords } from '#main/console/link-records.ts';
import { createSampleRecords } from '#main/console/sample-records.ts';
import { createSecretsFile, noSeal } from '#main/console/secrets-file.ts';
import { createSettings } from '#main/console/settings.ts';
import { openConsoleDatabase, type ConsoleDatabase } from '#main/store/console-database.ts';
import { aDataFolder } from '../support/rpc-server.ts';

function opened(path = join(aDataFolder(), 'console.db')): ConsoleDatabase {
  const db = openConsoleDatabase(path, CONSOLE_MIGRATIONS);
  onTestFinished(db.close);
  return db;
}

const shop = { ref: 'r1', path: '/data/till.db', name: 'till', group: null, site: null, addedMs: 1 };
const link = {
  id: 'l1',
  a: 'r1',
  b: 'r2',
  bName: 'hq',
  via: 'inProcess',
  url: null,
  paused: false,
  lastSyncMs: null,
  addedMs: 1,
} as const;

test('every old version is brought to the newest, and that is what a fresh one is', () => {
  const schemaOf = (db: ConsoleDatabase): unknown =>
    db.all('select name, sql from sqlite_schema order by name');
  const fresh = schemaOf(opened());
  for (let version = 0; version <= CONSOLE_MIGRATIONS.length; version += 1) {
    const path = join(aDataFolder(), 'console.db');
    openConsoleDatabase(path, CONSOLE_MIGRATIONS.slice(0, version)).close();
    expect(schemaOf(opened(path))).toEqual(fresh);
  }
});

test('a database of a newer Concord is left alone', () => {
  const path = join(aDataFolder(), 'console.db');
  openConsoleDatabase(path, [...CONSOLE_MIGRATIONS, ['create table more (x)']]).close();
  expect(() => openConsoleDatabase(path, CONSOLE_MIGRATIONS)).toThrow('start a newer Concord');
});

test('a step that fails leaves the version before it', () => {
  const path = join(aDataFolder(), 'console.db');
  const broken = [...CONSOLE_MIGRATIONS, ['create table more (x)', 'create table more (x)']];
  expect(() => openConsoleDatabase(path, broken)).toThrow('already exists');
  expect(opened(path).all(`select name from sqlite_schema where name = 'more'`)).toEqual([]);
});

test('what another program writes is seen as such, and what this one writes is not', () => {
  const path = join(aDataFolder(), 'console.db');
  const [own, other] = [opened(path), opened(path)];
  createSettings(own).set('theme', 'dark');
  expect(own.isChangedByOthers()).toBe(false);
  createSettings(other).set('theme', 'light');
  expect(own.isChangedByOthers()).toBe(true);
  expect(own.isChangedByOthers()).toBe(false);
  expect(createSettings(own).get('theme')).toBe('light');
});

test('a replica that is removed takes its links along, at either end', () => {
  const db = opened();
  const [fleet, links] = [createFleetRecords(db), createLinkRecords(db)];
  fleet.addReplica(shop);
  fleet.addReplica({ ...shop, ref: 'r2', path: '/data/hq.db' });
  links.add(link);
  links.add({ ...link, id: 'l2', a: 'r2', b: null, via: 'webSocket', url: 'ws://far/x' });
  fleet.removeReplica('r2');
  expect(links.all()).toEqual([]);
  expect(fleet.replicas().map(({ ref }) => ref)).toEqual(['r1']);
});

test('a host that is removed takes the links to its replicas along, and to no other', () => {
  const db = opened();
  const [fleet, links] = [createFleetRecords(db), createLinkRecords(db)];
  fleet.addReplica(shop);
  fleet.addHost({ id: 'h1', url: 'http://far', addedMs: 1 });
  links.add({ ...link, b: 'h1/r9' });
  links.add({ ...link, id: 'l2', b: 'h11/r9' });
  expect(fleet.removeHost('h1')).toBe(true);
  expect(links.all().map(({ b }) => b)).toEqual(['h11/r9']);
});

test('a link is paused, resumed and timed', () => {
  const db = opened();
  const links = createLinkRecords(db);
  createFleetRecords(db).addReplica(shop);
  links.add(link);
  links.setPaused('l1', true);
  links.setLastSync('l1', 7);
  expect(links.all()).toMatchObject([{ id: 'l1', paused: true, lastSyncMs: 7 }]);
  expect(links.setPaused('none', true)).toBe(false);
});

test('events come newest first, page by page, and the oldest go beyond 100,000', () => {
  const db = opened();
  const events = createEventRecords(db);
  const event = { atMs: 1, kind: 'freed', ref: null, name: null, facts: { object: 'orders' } } as const;
  db.transact(() => {
    for (let n = 0; n < 101_000; n += 1) events.add({ ...event, atMs: n });
  });
  const first = events.list({ limit: 2 });
  expect(first.map(({ atMs }) => atMs)).toEqual([100_999, 100_998]);
  expect(events.list({ before: first[1]?.id, limit: 1 }).map(({ atMs }) => atMs)).toEqual([100_997]);
  expect(db.all('select count(*) as n from event')).toEqual([{ n: 100_000 }]);
});

test('one sample a minute stays, for thirty days', () => {
  const db = opened();
  const samples = createSampleRecords(db);
  const sample = { head: 1, lag: 0, held: 0, blocked: 0, sizeBytes: 9 };
  samples.add('r1', 0, sample);
  samples.add('r1', 59_999, { ...sample, head: 2 });
  samples.add('r1', 60_000, { ...sample, head: 3 });
  expect(db.all('select minute, head from sample order by minute')).toEqual([
    { minute: 0, head: 2 },
    { minute: 1, head: 3 },
  ]);
  samples.prune(30 * 24 * 60 * 60_000 + 60_000);
  expect(db.all('select minute from sample')).toEqual([{ minute: 1 }]);
});

test('secrets lie in a file that only its owner may read', () => {
  const path = join(aDataFolder(), 'secrets.json');
  const secrets = createSecretsFile(path, noSeal);
  expect(secrets.get('host/1')).toBeNull();
  secrets.set('host/1', 'abc');
  secrets.set('link/1', 'def');
  secrets.remove('host/1');
  expect([secrets.get('host/1'), secrets.get('link/1')]).toEqual([null, 'def']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('secrets that cannot be read are never written over', () => {
  const path = join(aDataFolder(), 'secrets.json');
  writeFileSync(path, '{ broken');
  expect(() => createSecretsFile(path, noSeal).set('host/1', 'abc')).toThrow();
});

const keychain = {
  isEncryptionAvailable: () => true,
  encryptString: (text: string) => Buffer.from(text).reverse(),
  decryptString: (sealed: Buffer) => Buffer.from(sealed).reverse().toString(),
};

test('a keychain seals, where there is one', () => {
  const seal = createKeychainSeal(keychain);
  expect(seal.close('abc')).toBe(`sealed:${Buffer.from('cba').toString('base64')}`);
  expect(seal.open(seal.close('abc'))).toBe('abc');
  const none = createKeychainSeal({ ...keychain, isEncryptionAvailable: () => false });
  expect(none.open(none.close('abc'))).toBe('abc');
});

test('what another keychain sealed is no secret here', () => {
  const other = createKeychainSeal({
    ...keychain,
    decryptString: () => {
      throw new Error('wrong key');
    },
  });
  expect(other.open(createKeychainSeal(keychain).close('abc'))).toBeNull();
  expect(other.open('abc')).toBeNull();
});
