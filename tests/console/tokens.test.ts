import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openConsoleRecords, type ConsoleRecords } from '#main/console/open-console-records.ts';
import type { NewToken } from '#main/console/tokens.ts';
import { secureRandom } from '#main/platform/secure-random.ts';
import { aDataFolder } from '../support/rpc-server.ts';

const DAY_MS = 86_400_000;
const ANY: NewToken = { name: 'laptop', role: 'operate', sites: null, expiresMs: null };

function opened(dataDir = aDataFolder()) {
  let nowMs = 1_000;
  const records: ConsoleRecords = openConsoleRecords({
    dataDir,
    clock: { nowMs: () => nowMs, isWallClock: false },
    random: secureRandom,
  });
  onTestFinished(records.close);
  return { ...records, dataDir, wait: (ms: number) => (nowMs += ms) };
}

// Guards HOST-002.
test('a token is known by its secret, and its secret is nowhere in the data folder', () => {
  const { tokens, dataDir } = opened();
  const { token, secret } = tokens.create(ANY);
  expect(tokens.verify(secret)).toEqual({ ok: true, value: token });
  const files = ['console.db', 'console.db-wal'].map((name) => readFileSync(join(dataDir, name), 'latin1'));
  const [, drawn = ''] = secret.split('.');
  expect(files.some((text) => text.includes(drawn))).toBe(false);
  expect(files.some((text) => text.includes(token.id))).toBe(true);
});

test.for([
  { title: 'no secret', of: () => '' },
  { title: 'its id alone', of: (secret: string) => secret.split('.')[0] ?? '' },
  { title: 'one character less', of: (secret: string) => secret.slice(0, -1) },
  { title: 'one character more', of: (secret: string) => `${secret}x` },
  { title: 'another case', of: (secret: string) => secret.toUpperCase() },
  { title: 'another id', of: (secret: string) => `abc.${secret.split('.')[1] ?? ''}` },
  { title: 'a very long text', of: (secret: string) => secret + 'x'.repeat(100_000) },
])('$title is refused', ({ of }) => {
  const { tokens } = opened();
  const { secret } = tokens.create(ANY);
  expect(tokens.verify(of(secret))).toEqual({ ok: false, error: { code: 'token-refused' } });
});

test('a withdrawn token is out of force at once, and in another program that has the data open', () => {
  const { tokens, dataDir } = opened();
  const host = opened(dataDir);
  const { token, secret } = tokens.create(ANY);
  expect(host.tokens.isInForce(token.id)).toBe(true);
  expect(tokens.withdraw(token.id)).toBe(true);
  expect(host.tokens.isInForce(token.id)).toBe(false);
  expect(host.tokens.verify(secret).ok).toBe(false);
  expect(tokens.withdraw(token.id)).toBe(false);
});

test('a name withdraws a token only where one in force has it', () => {
  const { tokens } = opened();
  const first = tokens.create(ANY);
  tokens.create(ANY);
  expect(tokens.withdraw('laptop')).toBe(false);
  tokens.withdraw(first.token.id);
  expect(tokens.withdraw('laptop')).toBe(true);
});

test('a token runs out', () => {
  const { tokens, wait } = opened();
  const { token, secret } = tokens.create({ ...ANY, expiresMs: 1_000 + DAY_MS });
  wait(DAY_MS - 1);
  expect(tokens.verify(secret).ok).toBe(true);
  wait(1);
  expect(tokens.verify(secret).ok).toBe(false);
  expect(tokens.isInForce(token.id)).toBe(false);
});

test('lasting tokens are in the activity list, without their secret', () => {
  const { tokens, events } = opened();
  const { secret } = tokens.create(ANY);
  tokens.create({ ...ANY, name: 'for one command', expiresMs: 2_000 });
  tokens.withdraw('laptop');
  const list = events.list({ limit: 10 });
  expect(list.map(({ kind, facts }) => [kind, facts['token']])).toEqual([
    ['tokenWithdrawn', 'laptop'],
    ['tokenCreated', 'laptop'],
  ]);
  expect(JSON.stringify(list)).not.toContain(secret);
});
