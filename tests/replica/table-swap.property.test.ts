import fc from 'fast-check';
import { expect, test } from 'vitest';

import { present } from '#shared/assert.ts';

import { createReplicaWorld, problemsOf, syncAll } from '../support/replica-world.ts';
import type { ReplicaWorld, TestReplica } from '../support/replica-world.ts';

// Another program makes a table anew and leaves rows out, among writes everywhere, on three replicas. Guards ROW-003.

/** Each with a key that its rows are inserted under as `key(n)`, and the definition that a swap gives it. */
interface Kind {
  readonly title: string;
  readonly create: string;
  readonly columns: string;
  readonly key: (n: number) => string;
  readonly where: (n: number) => string;
}

const byNumber = { key: String, where: (n: number) => `id = ${n}`, columns: 'id, v, w' };
const byText = { key: (n: number) => `'k${n}'`, where: (n: number) => `id = 'k${n}'`, columns: 'id, v, w' };
const byTwo = {
  key: (n: number) => `'K${n % 3}', ${n}`,
  where: (n: number) => `a = 'k${n % 3}' AND b = ${n}`,
  columns: 'a, b, v, w',
};

const KINDS: readonly Kind[] = [
  { ...byNumber, title: 'an integer key', create: '(id INTEGER PRIMARY KEY, v INT, w INT)' },
  { ...byText, title: 'a text key', create: '(id TEXT PRIMARY KEY COLLATE NOCASE, v INT, w INT)' },
  { ...byText, title: 'WITHOUT ROWID', create: '(id TEXT PRIMARY KEY, v INT, w INT) WITHOUT ROWID' },
  {
    ...byTwo,
    title: 'a composite key',
    create: '(a TEXT COLLATE NOCASE, b INT, v INT, w INT, PRIMARY KEY (a, b))',
  },
];

const replica = fc.constantFrom(0, 1, 2);
const number = fc.integer({ min: 0, max: 5 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('insert' as const, 'replace' as const, 'update' as const, 'delete' as const),
      on: replica,
      n: number,
      value: number,
      isPlain: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('swap' as const), on: replica, keeps: fc.integer() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pull' as const),
      on: replica,
      from: replica,
      times: fc.constantFrom(1, 2),
      facts: fc.constantFrom(1, 3, 1000),
      pages: fc.constantFrom(1, 3, 5_000),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Swaps as programs do, in one transaction; rows stay whose number has its bit in `keeps`. */
function swap({ create, columns, where }: Kind, keeps: number): string {
  const left = [0, 1, 2, 3, 4, 5].filter((n) => ((keeps >> n) & 1) === 0).map((n) => `(${where(n)})`);
  return `BEGIN; CREATE TABLE t_new ${create}; INSERT INTO t_new SELECT ${columns} FROM t
    WHERE NOT (${left.length === 0 ? 'false' : left.join(' OR ')}); DROP TABLE t; ALTER TABLE t_new RENAME TO t; COMMIT`;
}

function statementOf(kind: Kind, { kind: verb, n, value }: Extract<Step, { readonly n: number }>): string {
  switch (verb) {
    case 'insert':
      return `INSERT OR IGNORE INTO t VALUES (${kind.key(n)}, ${value}, 0)`;
    case 'replace':
      return `REPLACE INTO t VALUES (${kind.key(n)}, ${value}, 1)`;
    case 'update':
      return `UPDATE t SET ${value % 2 === 0 ? 'v' : 'w'} = ${value * 10} WHERE ${kind.where(n)}`;
    case 'delete':
      return `DELETE FROM t WHERE ${kind.where(n)}`;
  }
}

function run(kind: Kind, replicas: readonly TestReplica[], one: Step): void {
  const on = replicas[one.on];
  if (on === undefined) return;
  if (one.kind === 'pull') {
    const from = replicas[one.from];
    if (from !== undefined && from !== on) on.pull(from, one);
  } else if (one.kind === 'swap') {
    on.plain(swap(kind, one.keeps));
  } else if (one.isPlain) {
    on.plain(statementOf(kind, one));
  } else {
    on.exec(statementOf(kind, one));
  }
}

function threeReplicas(world: ReplicaWorld, kind: Kind, isAttached: boolean): readonly TestReplica[] {
  const made = `CREATE TABLE t ${kind.create}; INSERT INTO t VALUES ${[0, 1, 2, 3].map((n) => `(${kind.key(n)}, ${n}, 0)`).join(', ')}`;
  const first = isAttached ? world.attach('a', made) : world.init('a');
  if (!isAttached) first.exec(made);
  const others = ['b', 'c'].map((name, at) => world.init(name, { offsetMs: (at + 1) * 2 }));
  for (const other of others) other.pull(first);
  return [first, ...others];
}

const rowsOf = (on: TestReplica): unknown => on.rows(`SELECT * FROM t ORDER BY 1, 2`);

test.each(KINDS)('C017 $title: swaps among writes everywhere end alike', (kind) => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 4, maxLength: 22 }),
      fc.boolean(),
      fc.nat(),
      (steps, isAttached, seed) => {
        const world = createReplicaWorld(seed);
        try {
          const replicas = threeReplicas(world, kind, isAttached);
          for (const one of steps) run(kind, replicas, one);
          syncAll(replicas);
          const fresh = world.init('fresh');
          syncAll([...replicas, fresh]);
          const all = [...replicas, fresh];
          expect(all.map(rowsOf)).toEqual(all.map(() => rowsOf(fresh)));
          expect(all.flatMap(problemsOf)).toEqual([]);
          expect(all.map((one) => one.core().blocked())).toEqual(all.map(() => []));
        } finally {
          world.close();
        }
      },
    ),
    { numRuns: 20 },
  );
});

const plainStep = fc.record({
  kind: fc.constantFrom(
    'insert' as const,
    'insert' as const,
    'swap' as const,
    'pull' as const,
    'pull' as const,
  ),
  on: replica,
  from: replica,
  third: fc.integer({ min: 0, max: 2 }),
  isBulk: fc.boolean(),
});

/** As other programs do, rows whose number leaves this rest are left out. */
const swapThird = ({ create, columns }: Kind, third: number): string =>
  `BEGIN; CREATE TABLE t_new ${create}; INSERT INTO t_new SELECT ${columns} FROM t WHERE v % 3 <> ${third};
   DROP TABLE t; ALTER TABLE t_new RENAME TO t; COMMIT`;

type PlainStep = typeof plainStep extends fc.Arbitrary<infer T> ? T : never;

const numbers = (on: TestReplica): readonly bigint[] =>
  on.rows('SELECT v FROM t ORDER BY v').map(([v]) => v as bigint);

/** Runs inserts of keys that never come twice, swaps and pulls. Hands back which rows some swap left out, and which none did. */
function runPlainly(
  kind: Kind,
  replicas: readonly TestReplica[],
  steps: readonly PlainStep[],
): { readonly gone: readonly bigint[]; readonly left: readonly bigint[] } {
  const gone = new Set<bigint>();
  let next = 4;
  const moves: Readonly<Record<PlainStep['kind'], (step: PlainStep, on: TestReplica) => void>> = {
    insert: ({ isBulk }, on) => {
      const made = Array.from({ length: isBulk ? 7 : 1 }, () => next++);
      on.exec(`INSERT INTO t VALUES ${made.map((n) => `(${kind.key(n)}, ${n}, 0)`).join(', ')}`);
    },
    swap: ({ third }, on) => {
      for (const n of numbers(on)) if (n % 3n === BigInt(third)) gone.add(n);
      on.plain(swapThird(kind, third));
    },
    pull: ({ from, isBulk }, on) => {
      const source = present(replicas[from], 'one of three');
      if (source !== on) on.pull(source, { facts: isBulk ? 1000 : 1 });
    },
  };
  for (const step of steps) moves[step.kind](step, present(replicas[step.on], 'one of three'));
  const all = Array.from({ length: next }, (_one, n) => BigInt(n));
  return { gone: [...gone], left: all.filter((n) => !gone.has(n)) };
}

test.each(KINDS)('C017 $title: what a swap left out is gone, all else is there', (kind) => {
  fc.assert(
    fc.property(
      fc.array(plainStep, { minLength: 4, maxLength: 20 }),
      fc.boolean(),
      fc.nat(),
      (steps, isOneAlone, seed) => {
        const world = createReplicaWorld(seed);
        try {
          const replicas = threeReplicas(world, kind, true);
          const told = steps.map((one) =>
            one.kind === 'swap' && isOneAlone ? { ...one, on: 1 as const } : one,
          );
          const { gone, left } = runPlainly(kind, replicas, told);
          syncAll(replicas);
          const [ends = []] = replicas.map(numbers);
          expect(replicas.map(numbers)).toEqual(replicas.map(() => ends));
          // What one of two swaps at once puts out again counts as written, so it may stay.
          expect(
            ends
              .filter((n) => !isOneAlone && gone.includes(n))
              .concat(left)
              .toSorted(byValue),
          ).toEqual(ends);
        } finally {
          world.close();
        }
      },
    ),
    { numRuns: 20 },
  );
});

const byValue = (one: bigint, other: bigint): number => Number(one - other);

test.each(KINDS)('C017 $title: a row that comes late by another way is left out too', (kind) => {
  const world = createReplicaWorld(1);
  try {
    const [a, b, c] = threeReplicas(world, kind, false) as [TestReplica, TestReplica, TestReplica];
    b.exec(`INSERT INTO t VALUES (${kind.key(4)}, 4, 0), (${kind.key(5)}, 5, 0)`);
    a.pull(b);
    a.plain(swapThird(kind, 1));
    c.pull(a);
    c.pull(b);
    expect(numbers(c)).toEqual([0n, 2n, 3n, 5n]);
    b.exec(`INSERT OR REPLACE INTO t VALUES (${kind.key(1)}, 10, 0)`);
    syncAll([a, b, c]);
    expect([a, b, c].map(numbers)).toEqual([a, b, c].map(() => [0n, 2n, 3n, 5n, 10n]));
  } finally {
    world.close();
  }
});
