import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { CONSOLE_MIGRATIONS } from '#main/console/console-migrations.ts';
import { openConsoleRecords } from '#main/console/open-console-records.ts';
import { openHeadless, type HeadlessOptions } from '#main/open-headless.ts';
import { silentLog } from '#main/platform/json-lines-log.ts';
import { secureRandom } from '#main/platform/secure-random.ts';
import { systemClock } from '#main/platform/system-clock.ts';
import { readSystemSurroundings } from '#main/platform/system-surroundings.ts';
import { openConsoleDatabase } from '#main/store/console-database.ts';
import { aDataFolder } from '../support/rpc-server.ts';

async function open(options: Partial<HeadlessOptions>): Promise<string> {
  const dataDir = options.dataDir ?? aDataFolder();
  const opened = await openHeadless(
    {
      host: '127.0.0.1',
      port: 0,
      tlsCertFile: null,
      tlsKeyFile: null,
      rendererDir: null,
      ...options,
      dataDir,
    },
    { surroundings: readSystemSurroundings(), log: silentLog },
  );
  if (!opened.ok) {
    expect(opened.error.message).toMatch(/^[^\n]+[.]$/);
    return opened.error.code;
  }
  onTestFinished(opened.value.close);
  return opened.value.url;
}

test('listens on loopback without more', async () => {
  expect(await open({})).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test.for([
  { title: 'an address that others reach, without TLS', options: { host: '0.0.0.0' }, code: 'tls-needed' },
  { title: 'half of what TLS needs', options: { tlsCertFile: 'cert.pem' }, code: 'tls-needed' },
  {
    title: 'a certificate that is not there',
    options: { tlsCertFile: 'none.pem', tlsKeyFile: 'none.key' },
    code: 'tls-unreadable',
  },
  { title: 'an address that is not of this machine', options: { host: '192.0.2.1' }, code: 'tls-needed' },
])('$title does not start: $code', async ({ options, code }) => {
  expect(await open(options)).toBe(code);
});

// Of no host: made for these tests, for a hundred years.
const TEST_CERT = join(import.meta.dirname, '..', 'support', 'tls', 'loopback-cert.pem');
const TEST_KEY = join(import.meta.dirname, '..', 'support', 'tls', 'loopback-key.pem');

test('an address that others reach needs a token in force as well as TLS', async () => {
  const dataDir = aDataFolder();
  const options = { dataDir, host: '0.0.0.0', tlsCertFile: TEST_CERT, tlsKeyFile: TEST_KEY };
  expect(await open(options)).toBe('token-needed');
  const records = openConsoleRecords({ dataDir, clock: systemClock, random: secureRandom });
  const { token } = records.tokens.create({ name: 'far', role: 'sync', sites: null, expiresMs: null });
  records.tokens.withdraw(token.id);
  expect(await open(options)).toBe('token-needed');
  records.tokens.create({ name: 'far', role: 'sync', sites: null, expiresMs: null });
  records.close();
  expect(await open(options)).toMatch(/^https:\/\/0\.0\.0\.0:\d+$/);
});

test('a data folder that cannot be used is said in one sentence', async () => {
  const dataDir = join(aDataFolder(), 'file', 'below');
  writeFileSync(join(dataDir, '..'), 'no folder');
  expect(await open({ dataDir })).toBe('data-folder-unusable');
});

test("a console's database of a newer Concord is left alone", async () => {
  const dataDir = aDataFolder();
  const path = join(dataDir, 'console.db');
  openConsoleDatabase(path, [...CONSOLE_MIGRATIONS, ['create table more (x)']]).close();
  expect(await open({ dataDir })).toBe('data-folder-unusable');
});
