import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { decide, rowsOnly } from '../support/held-of.ts';

const { a, b, c } = freshReplicas(['a', 'b', 'c']);

const site = (of: typeof a): string => of.core().identity().site;

test('what a selection of held changes means is counted: changes, rows and bytes, of which tables, and written by whom', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); CREATE TABLE task (id INTEGER PRIMARY KEY, v)`);
  c.pull(a);
  a.exec(`INSERT INTO note VALUES (1, 'one'), (2, 'two'); INSERT INTO task VALUES (1, 'x')`);
  b.pull(a, rowsOnly);
  a.exec(`UPDATE note SET v = 'eins' WHERE id = 1`);
  b.pull(a, rowsOnly);
  c.exec(`INSERT INTO task VALUES (9, 'from c')`);
  b.pull(c, rowsOnly);
  const held = b.core().held({ limit: 99 });
  const bytes = (table?: string): number =>
    held
      .filter((change) => table === undefined || change.table === table)
      .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

  expect(b.core().measureHeld({})).toEqual({
    changes: 5,
    rows: 4,
    bytes: bytes(),
    tables: ['note', 'task'],
    authors: [site(a), site(c)],
  });
  expect(b.core().measureHeld({ table: 'NOTE' })).toMatchObject({
    changes: 3,
    rows: 2,
    bytes: bytes('note'),
    authors: [site(a)],
  });
  const one = held.find(({ author }) => author === site(c));
  expect(b.core().measureHeld({ ids: [one?.id ?? 0] })).toMatchObject({
    changes: 1,
    tables: ['task'],
    authors: [site(c)],
  });
  expect(b.core().measureHeld({ reason: 'notNull' })).toEqual({
    changes: 0,
    rows: 0,
    bytes: 0,
    tables: [],
    authors: [],
  });
  // It is what the deletion then takes.
  const { changes, rows } = b.core().measureHeld({ table: 'note' });
  expect(decide(b, 'delete', { table: 'note' })).toMatchObject({ changes, rows });
});

test('a schema change that is held is a change of no row', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)`);
  b.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)`);
  b.pull(a);
  const [blocked] = b.core().blocked();
  b.core().resolve({
    conflictId: blocked?.conflictId ?? ('' as never),
    option: 'setAside',
    because: 'x',
    who: 'ines',
  });
  expect(b.core().measureHeld({})).toMatchObject({ changes: 1, rows: 0, tables: ['t'] });
});
