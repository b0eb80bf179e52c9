import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';

const { world, b } = freshReplicas(['b']);

const TABLES = 300;

const name = (n: number): string => `t${String(n).padStart(4, '0')}`;

/** Tables of twelve columns with two indexes each, and a view for every ten. What it costs at 5,000: npm run bench. */
const largeSchema = (): string =>
  Array.from({ length: TABLES }, (_, n) => {
    const columns = Array.from({ length: 11 }, (_column, at) => `c${String(at)} TEXT`).join(', ');
    const view =
      n % 10 === 0 ? `CREATE VIEW v${name(n)} AS SELECT c0, c1 FROM ${name(n)} WHERE c2 > 'a';` : '';
    return `CREATE TABLE ${name(n)} (id INTEGER PRIMARY KEY, ${columns});
      CREATE INDEX i${name(n)}a ON ${name(n)} (c1); CREATE INDEX i${name(n)}b ON ${name(n)} (c2, c3); ${view}`;
  }).join('\n');

test('C068 in a large schema one ALTER moves one migration, and every object is found', () => {
  const a = world.attach('a', largeSchema());
  b.pull(a);
  const objects = TABLES + TABLES * 2 + TABLES / 10;
  const count = `SELECT count(*) FROM sqlite_schema WHERE name LIKE '%t0%' AND name NOT LIKE '\\_concord%' ESCAPE '\\'`;
  expect(b.rows(count)).toEqual([[BigInt(objects)]]);
  expect(b.core().status().fingerprint).toBe(a.core().status().fingerprint);

  const before = b.core().migrations({ limit: 1 })[0];
  a.exec(
    `ALTER TABLE ${name(1)} ADD COLUMN more TEXT; INSERT INTO ${name(1)} (id, c0, more) VALUES (1, 'a', 'b')`,
  );
  b.pull(a);
  const after = b.core().migrations({ limit: 2 });
  expect(after.map(({ type }) => type)).toEqual(['add_column', before?.type]);
  expect(b.rows(`SELECT c0, more FROM ${name(1)}`)).toEqual([['a', 'b']]);
  const found = b
    .core()
    .catalog()
    .objects.filter((object) => object.name === name(TABLES - 1));
  expect(found).toHaveLength(1);
});
