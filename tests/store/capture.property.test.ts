import fc from 'fast-check';
import { describe, it } from 'vitest';

import { makeStatement, STATEMENT_FORMS } from '../support/capture-statement.ts';
import { CAPTURE_TABLES, LINKED_TABLES } from '../support/capture-tables.ts';
import { openCaptureWorld } from '../support/capture-world.ts';

// Random programs against the model of what capture must come to. Few tables, few keys, few values: they meet.
// Guards LOG-001.

// The same programs in every run; CAPTURE_SEED=N CAPTURE_RUNS=M tell others.
const SEED = 20_261_201;

const statement = fc.record({
  form: fc.nat(STATEMENT_FORMS - 1),
  table: fc.nat(3).map((number) => Math.max(0, number - 2)),
  key: fc.oneof({ weight: 3, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(48) }),
  other: fc.nat(8),
  value: fc.nat(8),
});

const transaction = fc.record({
  type: fc.constant('transact' as const),
  by: fc.constantFrom('own' as const, 'plain' as const, 'plainRecursive' as const),
  statements: fc.array(statement, { minLength: 1, maxLength: 6, size: 'max' }),
  end: fc.constantFrom('commit' as const, 'commit' as const, 'commit' as const, 'rollback' as const),
});

const step = fc.oneof(
  { weight: 8, arbitrary: transaction },
  { weight: 2, arbitrary: fc.constant({ type: 'notice' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('pull' as const), facts: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'compare' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'vacuum' as const }) },
);

const program = fc.record({
  seed: fc.nat(),
  markSlack: fc.constantFrom(0n, 0n, 2n, 1_000n),
  facts: fc.integer({ min: 1, max: 6 }),
  tables: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.uniqueArray(
        fc.constantFrom(...CAPTURE_TABLES.filter((table) => !LINKED_TABLES.includes(table))),
        { minLength: 2, maxLength: 2, selector: ({ name }) => name },
      ),
    },
    { weight: 1, arbitrary: fc.constant(LINKED_TABLES) },
  ),
  steps: fc.array(step, { minLength: 1, maxLength: 24, size: 'max' }),
});

describe('capture', () => {
  it('records every cell, deletion and return of a row that any program committed, and nothing else (T03, T05, T06, B09)', () => {
    fc.assert(
      fc.property(program, ({ seed, markSlack, facts, tables, steps }) => {
        const world = openCaptureWorld({ seed, markSlack, tables });
        try {
          for (const each of steps) {
            if (each.type === 'transact')
              world.transact(
                each.by,
                each.statements.map((random) => makeStatement(random, tables)),
                each.end,
              );
            else if (each.type === 'pull') world.pull(each.facts);
            else world[each.type]();
          }
          world.compare();
          world.compareReplays(facts);
        } finally {
          world.close();
        }
      }),
      {
        numRuns: Number(process.env['CAPTURE_RUNS'] ?? 150),
        seed: Number(process.env['CAPTURE_SEED'] ?? SEED),
      },
    );
  }, 600_000);
});
