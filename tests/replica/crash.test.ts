import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';

import { expect, test } from 'vitest';

import { openReplica } from '#main/replica/open-replica.ts';
import { checkIntegrity } from '#main/store/plain-connection.ts';
import type { Page } from '#shared/model/change-group.ts';
import type { CrashOrders } from '../support/crash-child.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, valueOf } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const { world, a, b } = freshReplicas(['a', 'b']);

const CHILD = join(import.meta.dirname, '../support/crash-child.ts');

/** Kill points, spread over all writes of the admissions. */
const KILLS = 14;

function runChild(orders: CrashOrders): { readonly signal: string | null; readonly writes: number } {
  const file = join(world.folder, 'orders');
  writeFileSync(file, serialize(orders));
  const { signal, stdout, stderr } = spawnSync(process.execPath, [CHILD, file], { encoding: 'utf8' });
  if (signal === null && stdout === '') throw new Error(stderr);
  return { signal, writes: Number(stdout) };
}

/** What a reopened file must be one of: everything but who had it open, with the place that its watermark stands at. */
function stateOf(replica: Pick<TestReplica, 'path' | 'rows'>): string {
  const place = replica.rows('SELECT site, epoch, era, seq, catalog_seq, inside FROM _concord_peer');
  return `${dumpFile(replica as TestReplica, ['_concord_peer'])}\n${JSON.stringify(place, (_name, value: unknown) => String(value))}`;
}

test('T12 a host that is killed at any step of its admissions leaves the file before or after one, never between', () => {
  a.exec(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')`,
  );
  b.pull(a);
  a.exec(`ALTER TABLE t ADD COLUMN w; UPDATE t SET w = 'x'; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (4, 'd', 7);
    CREATE TABLE u (id TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO u VALUES ('p', 1), ('q', 2);
    BEGIN; UPDATE u SET v = v + 1; INSERT INTO t VALUES (2, 'again', 0); CREATE INDEX t_w ON t (w); COMMIT`);
  const peer = { ...a.core().identity(), nowMs: world.nowMs() };
  const place = valueOf(b.core().planPull(peer));
  const pages: Page[] = [];
  for (let cursor = place.cursor; ; cursor = pages.at(-1)?.cursor) {
    pages.push(
      valueOf(a.core().readPage(b.core().identity().site, { ...place, ...(cursor && { cursor }), facts: 4 })),
    );
    if (pages.at(-1)?.more === false) break;
  }
  b.close();
  const kept = join(world.folder, 'kept.db');
  copyFileSync(b.path, kept);

  // Every state between two admissions, told by a replica that nobody kills.
  b.reopen();
  const states = new Set([stateOf(b)]);
  for (const page of pages) {
    for (const group of page.groups) {
      b.core().admitPage(peer, { ...page, groups: [group], cursor: group.cursor ?? page.cursor });
      states.add(stateOf(b));
    }
    b.core().admitPage(peer, page);
    states.add(stateOf(b));
  }
  const end = b.rows('SELECT * FROM t');
  b.close();

  const orders = { path: b.path, peer, pages, nowMs: world.nowMs() };
  copyFileSync(kept, b.path);
  const { writes } = runChild({ ...orders, dieAtWrite: Number.POSITIVE_INFINITY });
  expect(writes).toBeGreaterThan(KILLS);
  const seen = new Set<string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    copyFileSync(kept, b.path);
    const dieAtWrite = 1 + Math.floor((kill * writes) / KILLS);
    expect(runChild({ ...orders, dieAtWrite }).signal).toBe('SIGKILL');
    const state = stateOf(b);
    expect(states.has(state), `killed before write ${dieAtWrite} of ${writes}`).toBe(true);
    seen.add(state);
    expect(valueOf(checkIntegrity(b.path))).toEqual([]);
    world.wait(60_000);
    const reopened = valueOf(
      openReplica({ path: b.path, ports: b.ports, host: { id: 'next', address: null } }),
    );
    expect(reopened.selfCheck()).toEqual([]);
    reopened.close();
    b.reopen();
    b.pull(a);
    expect(b.rows('SELECT * FROM t')).toEqual(end);
    expect(b.core().status().fingerprint).toBe(a.core().status().fingerprint);
    b.close();
  }
  expect(seen.size).toBeGreaterThan(2);
});
