import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { parseDdl } from '#main/sql/parse-ddl.ts';
import { createStoreDatabase } from '#main/store/store-database.ts';
import { keyAffinities, storedKeyPart } from '#main/store/stored-key.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

const VALUES: readonly SqlValue[] = [
  1n,
  -7n,
  9223372036854775807n,
  4,
  4.5,
  1e300,
  -0.5,
  '1',
  '01',
  ' 1 ',
  '1.0',
  '1.5',
  '1e3',
  '12abc',
  'abc',
  '',
  '9223372036854775808',
  Uint8Array.of(0x31),
];
const TYPES = ['TEXT', 'INTEGER', 'INT', 'REAL', 'NUMERIC', 'VARCHAR(9)', 'BLOB', '', 'ANY', 'DATE'];

test.each(TYPES)('a key value is what a column of type "%s" stores', (type) => {
  const raw = new Database(':memory:');
  const db = createStoreDatabase(raw, ':memory:');
  const ddl = `CREATE TABLE t (n INTEGER PRIMARY KEY, k ${type})`;
  raw.exec(ddl);
  const parsed = parseDdl(ddl);
  const definition = parsed.ok && parsed.value.kind === 'createTable' ? parsed.value.table : null;
  const [affinity] = keyAffinities(definition, [{ name: 'K' }]);
  for (const value of VALUES) {
    raw.prepare('insert or replace into t (n, k) values (1, ?)').run(value);
    const stored = raw.prepare('select k from t').safeIntegers().pluck().get();
    expect(storedKeyPart(db, value, affinity ?? 'blob'), `as ${type}`).toEqual(
      stored instanceof Buffer ? new Uint8Array(stored) : stored,
    );
  }
  raw.close();
});

test('ANY of a STRICT table converts nothing, and neither does what cannot be read', () => {
  const parsed = parseDdl('CREATE TABLE t (k ANY PRIMARY KEY) STRICT');
  const definition = parsed.ok && parsed.value.kind === 'createTable' ? parsed.value.table : null;
  expect(keyAffinities(definition, [{ name: 'k' }])).toEqual(['blob']);
  expect(keyAffinities(null, [{ name: 'k' }])).toEqual(['blob']);
});
