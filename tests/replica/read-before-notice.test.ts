import { expect, test } from 'vitest';

import { present } from '#shared/assert.ts';

import { freshReplicas } from '../support/fresh-replicas.ts';

const { a, b, c } = freshReplicas(['a', 'b', 'c']);

// What is asked for between another program's DDL and the next notice finds another file than the bookkeeping says.
test.for([
  'DROP TABLE t',
  'ALTER TABLE t RENAME TO u',
  'ALTER TABLE t RENAME COLUMN b TO z',
  'DROP TABLE t; CREATE TABLE t (other)',
  'DROP TABLE t; CREATE VIEW t AS SELECT 1 AS one',
])('C019 whatever is asked before "%s" of another program is noticed is answered', (sql) => {
  a.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT CHECK (b <> a))');
  b.exec('CREATE TABLE t (id TEXT PRIMARY KEY, a, d)');
  c.pull(a);
  expect(c.pull(b).blocked).not.toBeNull();
  const [{ conflictId }] = [present(c.core().blocked()[0], 'a blocked batch')];

  c.plain(sql);
  const core = c.core();
  const asked = {
    status: () => core.status(),
    catalog: () => core.catalog(),
    definitions: () => core.definitions(),
    migrations: () => core.migrations({ limit: 10 }),
    blocked: () => core.blocked(),
    held: () => core.held({ limit: 10 }),
    heldCounts: () => core.heldCounts(),
    findings: () => core.findings(),
    journal: () => core.journal({ limit: 10 }),
    previewTakeRemote: () => core.previewResolution(conflictId, 'takeRemote'),
    previewKeepLocal: () => core.previewResolution(conflictId, 'keepLocal'),
    previewShape: () => core.previewShape('t', 'CREATE TABLE t (id TEXT PRIMARY KEY)'),
  };
  const threw = Object.entries(asked).flatMap(([name, ask]) => {
    try {
      ask();
      return [];
    } catch (cause) {
      return [`${name}: ${String(cause)}`];
    }
  });
  expect(threw).toEqual([]);
});

test('C019 a fingerprint that was read before a rename of another program was noticed is not kept after it', () => {
  a.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)');
  a.exec('CREATE VIEW v AS SELECT count(*) AS n FROM t');
  a.plain('ALTER TABLE t RENAME TO u');
  a.core().status();
  a.core().notice();
  b.pull(a);
  expect(a.core().status().fingerprint).toBe(b.core().status().fingerprint);
});
