import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, syncAll } from '../support/replica-world.ts';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);

test('C065 a good file whose WAL was taken away is told as an older copy with the way out; nobody is harmed, and others go on', () => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'in the file')`);
  for (const replica of [b, c]) replica.pull(a);
  a.close();
  const withoutWal = join(world.folder, 'without-wal.db');
  copyFileSync(a.path, withoutWal);
  a.reopen();
  a.exec(`INSERT INTO t VALUES (2, 'in the WAL')`);
  b.pull(a);
  a.close();
  copyFileSync(withoutWal, a.path);
  rmSync(`${a.path}-wal`, { force: true });
  a.reopen();

  expect(() => b.pull(a)).toThrow(/its file was restored from an older copy.*concord new-site/);
  expect([a, b].flatMap(problemsOf)).toEqual([]);
  const both = [
    [1n, 'in the file'],
    [2n, 'in the WAL'],
  ];
  expect(b.rows('SELECT * FROM t ORDER BY id')).toEqual(both);
  c.pull(b);
  expect(c.rows('SELECT * FROM t ORDER BY id')).toEqual(both);

  a.core().newSite({ because: 'its WAL was deleted', who: 'ines' });
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) expect(replica.rows('SELECT * FROM t ORDER BY id')).toEqual(both);
});
