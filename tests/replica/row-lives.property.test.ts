import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { present } from '#shared/assert.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { readRows } from '../support/capture-model.ts';
import { makeStatement, STATEMENT_FORMS } from '../support/capture-statement.ts';
import type { RandomStatement } from '../support/capture-statement.ts';
import { CAPTURE_TABLES } from '../support/capture-tables.ts';
import type { CaptureTable } from '../support/capture-tables.ts';
import { createReplicaWorld, problemsOf, syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';
import { stableJson } from '../support/stable-json.ts';

// Three replicas write the same few rows of every kind of table, in every way, and hear of each other in any order: what
// they end with is the same on all, and on one who comes late. Guards ROW-001 and ROW-002 on real files.

const statement = fc.record({
  form: fc.nat(STATEMENT_FORMS - 1),
  table: fc.constant(0),
  key: fc.nat(3),
  other: fc.nat(8),
  value: fc.nat(8),
});
const who = fc.nat(2);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      who,
      by: fc.constantFrom('own' as const, 'plain' as const),
      statement,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('pull' as const),
      who,
      from: who,
      facts: fc.constantFrom(1, 2, 100),
      pages: fc.constantFrom(1, 100),
      times: fc.constantFrom(1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('skew' as const), who, ms: fc.constantFrom(-5_000, 0, 5_000) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('vacuum' as const), who }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Unique keys beside the primary one let rows wait; that is another property. */
const isPlain = ({ name }: CaptureTable): boolean =>
  ['by_text', 'by_pair', 'bare_pair', 'by_key', 'by_folded'].includes(name);

function literal(value: SqlValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'number') return Number.isInteger(value) ? value.toFixed(1) : String(value);
  if (typeof value === 'bigint') return value.toString();
  const isText = 'textBytes' in value;
  const hex = Buffer.from(isText ? value.textBytes : value).toString('hex');
  return isText ? `cast(x'${hex}' as text)` : `x'${hex}'`;
}

function textOf(random: RandomStatement, table: CaptureTable): string {
  const { sql, bound } = makeStatement(random, [table]);
  const [first = '', ...rest] = sql.split('?');
  return rest.reduce((text, part, at) => `${text}${literal(bound[at] ?? null)}${part}`, first);
}

/** A statement that a constraint refuses changes nothing. */
function attempt(write: () => void): void {
  try {
    write();
  } catch (cause) {
    if (!(cause instanceof Error && /constraint|rowid/i.test(cause.message))) throw cause;
  }
}

function take(
  replicas: readonly TestReplica[],
  table: CaptureTable,
  each: Exclude<Step, { type: 'wait' }>,
): void {
  const replica = present(replicas[each.who], 'a replica');
  if (each.type === 'write') {
    const sql = textOf(each.statement, table);
    attempt(() => {
      if (each.by === 'own') replica.exec(sql);
      else replica.plain(sql);
    });
  } else if (each.type === 'skew') replica.setOffset(each.ms);
  else if (each.type === 'vacuum') replica.plain('vacuum');
  else if (each.who !== each.from) {
    const { facts, pages, times } = each;
    replica.pull(present(replicas[each.from], 'a replica'), { facts, pages, times });
  }
}

function rowsOf(replica: TestReplica, table: CaptureTable): string {
  const db = new Database(replica.path, { readonly: true });
  try {
    return stableJson(Object.fromEntries([...readRows(db, table)].map(([key, { values }]) => [key, values])));
  } finally {
    db.close();
  }
}

describe('three replicas that write the same rows', () => {
  for (const table of CAPTURE_TABLES.filter(isPlain)) {
    it(`end equal, whatever is written to ${table.name} and in whatever order it arrives (B01 B02 B03 B05 B06 B09 B12)`, () => {
      fc.assert(
        fc.property(
          fc.nat(1_000),
          fc.array(step, { minLength: 4, maxLength: 30, size: 'max' }),
          (seed, steps) => {
            const world = createReplicaWorld(seed);
            try {
              const replicas = ['a', 'b', 'c'].map((name) => world.init(name));
              const [a] = replicas;
              present(a, 'a replica').exec(table.ddl);
              syncAll(replicas);
              for (const each of steps) {
                if (each.type === 'wait') world.wait(each.ms);
                else take(replicas, table, each);
              }
              for (const replica of replicas) replica.setOffset(0);
              world.wait(10_000);
              syncAll(replicas);
              const late = world.init('late');
              syncAll([...replicas, late]);
              const [first, ...others] = [...replicas, late].map((replica) => rowsOf(replica, table));
              for (const other of others) expect(other).toBe(first);
              expect([...replicas, late].flatMap(problemsOf)).toEqual([]);
            } finally {
              world.close();
            }
          },
        ),
        { numRuns: Number(process.env['LIVES_RUNS'] ?? 8) },
      );
    }, 600_000);
  }
});
