import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeExampleFleet, type ExampleFleet } from '#main/example/make-example-fleet.ts';
import { silentLog } from '#main/platform/json-lines-log.ts';
import { sha256 } from '#main/platform/sha256.ts';
import { createSystemPorts } from '#main/platform/system-ports.ts';
import { createSeededRandom } from '#main/scenario/seeded-random.ts';
import { checkIntegrity, queryPlain } from '#main/store/plain-connection.ts';
import { openReader, type ReplicaReader } from '#main/worker/open-reader.ts';
import { present } from '#shared/assert.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
/** The engine plays three weeks; no test is timed. */
const PATIENCE_MS = 120_000;

let home = '';
let fleet: ExampleFleet;

const make = async (folder: string): Promise<ExampleFleet> => {
  const made = await makeExampleFleet({
    folder: join(home, folder),
    nowMs: NOW,
    hash: sha256,
    random: createSeededRandom('a test', sha256),
  });
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
};

const pathOf = (name: string): string =>
  present(
    fleet.replicas.find((replica) => replica.name === name),
    name,
  ).path;

function read<T>(name: string, work: (reader: ReplicaReader) => T): T {
  const opened = openReader(pathOf(name), createSystemPorts(silentLog));
  if (!opened.ok) throw new Error(opened.error.message);
  const value = work(opened.value);
  opened.value.close();
  return value;
}

const rowsOf = (name: string, sql: string): unknown => {
  const rows = queryPlain(pathOf(name), sql);
  return rows.ok ? rows.value : rows.error.message;
};

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'concord-example-'));
  fleet = await make('shops');
}, PATIENCE_MS);
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('five replicas with some thousand rows, in a folder with nothing else in it', () => {
  expect(fleet.replicas.map(({ name }) => name)).toEqual(['hq', 'harbour', 'till-1', 'till-2', 'market']);
  expect(fleet.rows).toBeGreaterThan(20_000);
  expect(readdirSync(fleet.folder).sort()).toEqual([
    'harbour.db',
    'hq.db',
    'market.db',
    'till-1.db',
    'till-2.db',
  ]);
  expect(readdirSync(home)).toEqual(['shops']);
  for (const { path } of fleet.replicas) expect(checkIntegrity(path)).toEqual({ ok: true, value: [] });
});

test('links by name, the tills on their shop', () => {
  expect(fleet.links.map(({ a, b }) => `${a}-${b}`)).toEqual([
    'hq-harbour',
    'hq-market',
    'harbour-market',
    'harbour-till-1',
    'harbour-till-2',
  ]);
});

describe('orders', () => {
  test('exactly three replicas are blocked on it, with one conflict', () => {
    const blocked = fleet.replicas.flatMap(({ name }) =>
      read(name, (reader) => reader.blocked()).map((batch) => ({ name, ...batch })),
    );
    expect(blocked.map(({ name }) => name)).toEqual(['hq', 'harbour', 'harbour', 'market']);
    expect(new Set(blocked.map(({ conflictId }) => conflictId)).size).toBe(1);
    expect(new Set(blocked.map(({ object, cause }) => `${object} ${cause}`))).toEqual(
      new Set(['orders divergentDefinition']),
    );
    for (const batch of blocked) {
      expect(batch.behindChanges).toBeGreaterThan(0);
      expect(batch.sinceMs).toBe(NOW - 41 * 60_000);
      expect(batch.attempts).toBeGreaterThan(1);
    }
  });

  test('has rows in both shapes, some of whose values lose something or are no number', () => {
    expect(rowsOf('hq', 'select distinct typeof(total), typeof(paid) from orders')).toEqual([
      ['real', 'integer'],
    ]);
    expect(rowsOf('market', 'select count(*) from orders')).toEqual([[246n]]);
    expect(rowsOf('till-2', 'select count(*), count(distinct typeof(total)) from orders')).toEqual([
      [132n, 1n],
    ]);
    const notNumbers = rowsOf('harbour', "select count(*) > 10 from orders where total glob '*[^0-9.]*'");
    expect(notNumbers).toEqual([[1n]]);
    const trailingZeros = rowsOf(
      'harbour',
      "select count(*) > 3 from orders where total glob '[0-9]*.[0-9]0'",
    );
    expect(trailingZeros).toEqual([[1n]]);
  });

  test('keeps other work waiting behind it', () => {
    const names = (name: string) =>
      read(name, (reader) => reader.catalog()).objects.map((object) => object.name);
    expect(names('hq')).toContain('order_lines');
    expect(names('harbour')).not.toContain('order_lines');
  });
});

test('before that, the tables were in sync, with changes of the schema from several of them', () => {
  const history = read('till-1', (reader) => reader.migrations({ limit: 1000 }));
  expect(new Set(history.map(({ type }) => type))).toEqual(
    new Set(['create_table', 'add_column', 'create_index', 'drop_table']),
  );
  expect(new Set(history.map(({ origin }) => origin)).size).toBe(5);
  for (const table of ['shops', 'staff', 'stock']) {
    const counts = fleet.replicas.map(({ name }) => rowsOf(name, `select count(*) from ${table}`));
    expect(new Set(counts.map((count) => String(count))).size).toBe(1);
  }
});

test('made again it is the same, row by row and ID by ID', { timeout: PATIENCE_MS }, async () => {
  const again = await make('again');
  expect(again.replicas.map(({ site }) => site)).toEqual(fleet.replicas.map(({ site }) => site));
  const sums = (folder: string) =>
    readdirSync(folder).map((file) =>
      queryPlain(
        join(folder, file),
        `select group_concat(id || total) from (select id, total from orders order by id)`,
      ),
    );
  expect(sums(again.folder)).toEqual(sums(fleet.folder));
  rmSync(again.folder, { recursive: true });
});

test('a folder that is not empty is left alone', async () => {
  const before = readdirSync(fleet.folder);
  const again = await makeExampleFleet({ folder: fleet.folder, nowMs: NOW, hash: sha256 });
  expect(again).toEqual({ ok: false, error: { code: 'example-exists', folder: fleet.folder } });
  expect(readdirSync(fleet.folder)).toEqual(before);
  const inFile = await makeExampleFleet({ folder: pathOf('hq'), nowMs: NOW, hash: sha256 });
  expect(inFile).toMatchObject({ ok: false, error: { code: 'example-exists' } });
  expect(statSync(pathOf('hq')).isFile()).toBe(true);
  expect(existsSync(`${pathOf('hq')}.making`)).toBe(false);
});
