import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { playFile, readScenario } from '../support/play-scenario.ts';

const SHARED = join(import.meta.dirname, '../scenarios');
const OWN = join(SHARED, 'own');

/** Each process of a host takes about a second to start on a busy machine, and no test is timed. */
const PATIENCE_MS = 120_000;

const titled = (folder: string, name: string) => {
  const path = join(folder, name);
  return { path, name, title: readScenario(readFileSync(path, 'utf8')).title };
};

const shared = readdirSync(SHARED)
  .filter((name) => /^(01|02|03|04|05|06|08|09|10)-.*\.yaml$/.test(name))
  .map((name) => titled(SHARED, name));
const own = readdirSync(OWN).map((name) => titled(OWN, name));
/** Those that ask most of a link. */
const ownOverSockets = own.filter(({ name }) =>
  /^(b08|b12|c020|c032|restored|c040|c056|d04|p06|t12)-/.test(name),
);

test('all the shared scenarios that are to pass are there', () => {
  expect(shared).toHaveLength(9);
});

for (const { path, title } of [...shared, ...own]) {
  test(`in process: ${title}`, { timeout: PATIENCE_MS }, async () => {
    expect(await playFile(path, 'inProcess')).toEqual({ title, passed: true });
  });
}

for (const { path, title } of [...shared, ...ownOverSockets]) {
  test(`over WebSocket, between hosts apart: ${title}`, { timeout: PATIENCE_MS }, async () => {
    expect(await playFile(path, 'ws')).toEqual({ title, passed: true });
  });
}
