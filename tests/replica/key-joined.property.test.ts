import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { present } from '#shared/assert.ts';

import { createReplicaWorld, problemsOf, syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

// Three replicas write the same few rows while one of them makes a column part of the key: what was written to that column before
// finds its row by the key that it had, whoever brings it. Guards ROW-001 beside an altered key.

const who = fc.nat(2);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      who,
      key: fc.integer({ min: 1, max: 3 }),
      set: fc.constantFrom(['a'], ['a'], ['b'], ['a', 'b']),
      by: fc.constantFrom('exec' as const, 'plain' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('pull' as const),
      who,
      from: who,
      facts: fc.constantFrom(1, 2, 100),
      pages: fc.constantFrom(1, 100),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000) }) },
);

const TABLES = [
  ['an INTEGER PRIMARY KEY', 'id integer primary key, a text, b', 'a, id', 'id'],
  ['a text key', 'id text primary key, b, a text', 'id, a', 'id'],
  ['a key without rowids', 'a text not null, id text not null primary key, b', 'id, a', 'id'],
] as const;

const hasJoined = (replica: TestReplica): boolean =>
  replica.rows(`select 1 from pragma_table_info('t') where name = 'a' and pk > 0`).length > 0;

describe('a column that joins the key', () => {
  for (const [what, columns, key, id] of TABLES) {
    const ddl = `create table t (${columns})${what.endsWith('rowids') ? ' without rowid' : ''}`;
    it(`of ${what} loses no write that did not know of it, in whatever order it arrives (B08)`, () => {
      fc.assert(
        fc.property(
          fc.record({
            seed: fc.nat(1_000),
            author: who,
            before: fc.array(step, { maxLength: 10, size: 'max' }),
            after: fc.array(step, { maxLength: 12, size: 'max' }),
          }),
          ({ seed, author, before, after }) => {
            const world = createReplicaWorld(seed);
            try {
              const replicas = ['a', 'b', 'c'].map((name) => world.init(name));
              const [a] = replicas;
              present(a, 'a replica').exec(
                `${ddl}; insert into t (id, a, b) values (1, 'x', 0), (2, 'y', 0), (3, 'z', 0)`,
              );
              const [one = present(a, 'a replica'), two = one, three = one] = replicas;
              syncAll([one, two]);
              syncAll([two, three]);
              let written = 0;
              const take = (each: (typeof before)[number]): void => {
                if (each.type === 'wait') {
                  world.wait(each.ms);
                  return;
                }
                const replica = present(replicas[each.who], 'a replica');
                if (each.type === 'pull') {
                  const { facts, pages } = each;
                  if (each.who !== each.from)
                    replica.pull(present(replicas[each.from], 'a replica'), { facts, pages });
                  return;
                }
                written += 1;
                // A column that is part of the key is written by another rule: the row moves.
                const set = hasJoined(replica) ? ['b'] : each.set;
                const sets = set.map((column) => `${column} = '${column}${String(written)}'`);
                replica[each.by](`update t set ${sets.join(', ')} where ${id} = '${String(each.key)}'`);
              };
              before.forEach(take);
              present(replicas[author], 'a replica').exec(`alter table t alter primary key (${key})`);
              after.forEach(take);
              world.wait(10_000);
              syncAll(replicas);
              const late = world.init('late');
              syncAll([...replicas, late]);
              const [first, ...others] = [...replicas, late].map((replica) =>
                replica.rows(`select id, a, b from t order by id, a`),
              );
              for (const other of others) expect(other).toEqual(first);
              expect([...replicas, late].flatMap(problemsOf)).toEqual([]);
            } finally {
              world.close();
            }
          },
        ),
        { numRuns: Number(process.env['KEY_RUNS'] ?? 12) },
      );
    }, 600_000);
  }
});
