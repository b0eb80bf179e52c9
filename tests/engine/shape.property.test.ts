import fc from 'fast-check';
import { expect, test } from 'vitest';

import { foldShape } from '#main/engine/shape/fold-shape.ts';
import { applyAlteration } from '#main/sql/apply-alteration.ts';
import type { TableDefinition } from '#main/sql/ast.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { strictType } from '#main/sql/strict-type.ts';
import { planAlterations } from '#main/engine/shape/plan-alterations.ts';
import type { ShapeRecord } from '#main/engine/shape/shape-record.ts';
import { createShapeReplicas, type ShapeReplicas, type ShapeRules } from '../support/shape-replicas.ts';

// Guards SCHEMA-006.

const SITES = 3;
const RUNS = 300;

const CREATE = 'create table t (k integer primary key, a text, b integer, c text)';

const site = fc.nat(SITES - 1);
const column = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const constraint = fc.constantFrom('n', 'm');
const TYPES: Readonly<Record<string, string>> = { b: 'integer', d: 'integer', e: '' };
const typed = (name: string): string => TYPES[name] ?? 'text';
const body = fc.oneof(
  fc.tuple(column, column).map(([left, right]) => `check (${left} <> ${right})`),
  fc.tuple(column, column).map((columns) => `unique (${[...new Set(columns)].join(', ')})`),
  column.map((name) => `foreign key (${name}) references self (k)`),
);
const alteration = fc.oneof(
  fc
    .tuple(
      column,
      fc.constantFrom('', ' not null', ' default 1', " default 'x' collate nocase", ' check (k > 0)'),
    )
    .map(([name, rest]) => `add column ${name} ${typed(name)}${rest}`),
  column.map((name) => `drop column ${name}`),
  fc.tuple(column, column).map(([from, to]) => `rename column ${from} to ${to}`),
  fc
    .tuple(
      column,
      fc.constantFrom(
        'set not null',
        'drop not null',
        'set default 5',
        'drop default',
        'set collate nocase',
        'set data type real',
        'set data type varchar(9)',
      ),
    )
    .map(([name, rest]) => `alter column ${name} ${rest}`),
  fc
    .tuple(fc.option(constraint), body)
    .map(([name, rest]) => (name === null ? `add ${rest}` : `add constraint ${name} ${rest}`)),
  constraint.map((name) => `drop constraint ${name}`),
  fc.constantFrom('rename constraint n to m', 'rename constraint m to n', 'rename constraint n to o'),
  fc.constantFrom('alter primary key (k)', 'alter primary key (k, a)', 'alter primary key (b desc)'),
  fc.constantFrom('rename to u', 'rename to t'),
);
/** What an operator may make of a definition: without a column, without constraints, with another type, STRICT. */
const decisions: readonly ((table: TableDefinition) => TableDefinition)[] = [
  (table) => orSame(table, applyAlteration(table, { kind: 'dropColumn', column: 'b' })),
  (table) => orSame(table, applyAlteration(table, { kind: 'dropColumn', column: 'd' })),
  (table) => orSame(table, applyAlteration(table, { kind: 'setDataType', column: 'a', type: 'BLOB' })),
  (table) => ({ ...table, constraints: table.constraints.filter(({ kind }) => kind === 'primaryKey') }),
  // Only a table that SQLite takes can be chosen.
  ({ strict, columns, ...table }) => ({
    ...table,
    strict: !strict,
    columns: columns.map((one) => (strict ? one : { ...one, type: strictType(one.type) })),
  }),
];

const orSame = (table: TableDefinition, altered: ReturnType<typeof applyAlteration>): TableDefinition =>
  altered.ok ? altered.value : table;

type Event =
  | { readonly kind: 'decide'; readonly site: number; readonly decision: number }
  | { readonly kind: 'alter'; readonly site: number; readonly sql: string }
  | { readonly kind: 'pull'; readonly site: number; readonly from: number };
const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('alter' as const), site, sql: alteration }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('decide' as const),
        site,
        decision: fc.nat(decisions.length - 1),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('pull' as const), site, from: site }) },
  ),
  { minLength: 4, maxLength: 24, size: 'max' },
);

function play(story: readonly Event[], rules?: ShapeRules): ShapeReplicas {
  const replicas = createShapeReplicas(SITES, CREATE, rules);
  for (const event of story) {
    if (event.kind === 'alter') replicas.alter(event.site, event.sql);
    else if (event.kind === 'pull') replicas.pull(event.site, event.from);
    else replicas.decide(event.site, (table) => decisions[event.decision]?.(table) ?? table);
  }
  for (let from = 1; from < SITES; from += 1) replicas.pull(0, from);
  for (let one = 1; one < SITES; one += 1) replicas.pull(one, 0);
  return replicas;
}

const converges = (rules?: ShapeRules) =>
  fc.property(events, (story) => {
    expect(new Set(play(story, rules).texts()).size).toBe(1);
  });

test('a table is what its record says after every statement and pull, and the same everywhere once all have everything', () => {
  fc.assert(converges(), { numRuns: RUNS });
});

test('records fold to the same table in any order and however often they come', () => {
  const shuffled = events.chain((story) => {
    const records = play(story).records(0);
    return fc.tuple(
      fc.constant(records),
      fc.shuffledSubarray([...records, ...records], { minLength: records.length * 2 }),
    );
  });
  fc.assert(
    fc.property(shuffled, ([records, other]) => {
      const folded = foldShape(other);
      expect(folded).toEqual(foldShape(records));
      expect(folded === null ? '' : canonicalTable(folded.definition)).not.toBe('');
    }),
    { numRuns: RUNS },
  );
});

test('P01 P09 C078 whatever else was done at the same time, a drop ends its column and no other', () => {
  const plain = events.map((story) => story.filter(({ kind }) => kind !== 'decide'));
  fc.assert(
    fc.property(plain, (story) => {
      const records = play(story).records(0);
      const subjects = (type: ShapeRecord['type']): ReadonlySet<string> =>
        new Set(records.filter((record) => record.type === type).flatMap(({ subject }) => subject ?? []));
      const dropped = subjects('drop_column');
      const here = foldShape(records)?.columns.map(({ key }) => key) ?? [];
      expect(here.filter((key) => dropped.has(key))).toEqual([]);
      expect([...subjects('add_column')].filter((key) => !dropped.has(key) && !here.includes(key))).toEqual(
        [],
      );
    }),
    { numRuns: RUNS },
  );
});

// Rules that are wrong in one way each: the property has to find every one of them.
const of = (change: (records: readonly ShapeRecord[]) => readonly ShapeRecord[]): ShapeRules => ({
  fold: (records) => foldShape(change(records)),
  plan: planAlterations,
});
const wrongRules: readonly (readonly [string, ShapeRules])[] = [
  [
    'what comes later counts as later',
    of((records) =>
      records.map((record, at) => ({ ...record, stamp: { ...record.stamp, hlc: BigInt(at + 1) } })),
    ),
  ],
  [
    'an alteration brings a dropped column back',
    of((records) =>
      records.filter(
        ({ type, subject }, at) =>
          type !== 'drop_column' ||
          !records.slice(at + 1).some((later) => later.subject === subject && later.type !== 'drop_column'),
      ),
    ),
  ],
  [
    'a decision speaks of what came before it here',
    of((records) => {
      const at = records.findLastIndex(({ type }) => type === 'redefine_table');
      return at < 0 ? records : records.slice(at);
    }),
  ],
  [
    'constraints are dropped by the name that they have here',
    of((records) => records.map((record) => ({ ...record, knew: records.at(-1)?.knew ?? record.knew }))),
  ],
  [
    'a column that was added twice is altered by one of them alone',
    of((records) =>
      records.map((record) =>
        record.type === 'add_column' && record.subject !== null
          ? {
              ...record,
              subject: `${record.subject} ${record.id}`,
              columnIds: new Map(
                [...record.columnIds].map(([name, key]) => [
                  name,
                  key === record.subject ? `${key} ${record.id}` : key,
                ]),
              ),
            }
          : record,
      ),
    ),
  ],
  [
    'renames are done one after the other, without making room',
    {
      fold: foldShape,
      plan: (input) => {
        const planned = planAlterations(input);
        return { ...planned, actions: planned.actions.filter(({ kind }) => kind !== 'renameColumn') };
      },
    },
  ],
  [
    'what a constraint says is not looked at',
    {
      fold: foldShape,
      plan: (input) => {
        const planned = planAlterations(input);
        return { ...planned, actions: planned.actions.filter(({ kind }) => kind !== 'dropConstraint') };
      },
    },
  ],
];

test.for(wrongRules)('the property finds that %s', ([, rules]) => {
  expect(fc.check(converges(rules), { numRuns: 600, seed: 7, endOnFailure: true }).failed).toBe(true);
});
