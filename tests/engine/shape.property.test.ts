import fc from 'fast-check';
import { expect, test } from 'vitest';

import { foldShape } from '#main/engine/shape/fold-shape.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { createShapeReplicas, type ShapeReplicas } from '../support/shape-replicas.ts';

const SITES = 3;
const RUNS = Number(process.env['FOLD_RUNS'] ?? 300);
const CREATE = 'create table t (k integer primary key, a text, b integer, c text)';

const site = fc.nat(SITES - 1);
const column = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const constraint = fc.constantFrom('n', 'm');
const typed = (name: string): string => (name === 'b' || name === 'd' ? 'integer' : 'text');
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
type Event =
  | { readonly kind: 'alter'; readonly site: number; readonly sql: string }
  | { readonly kind: 'pull'; readonly site: number; readonly from: number };
const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('alter' as const), site, sql: alteration }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('pull' as const), site, from: site }) },
  ),
  { minLength: 4, maxLength: 24, size: 'max' },
);

function play(story: readonly Event[]): ShapeReplicas {
  const replicas = createShapeReplicas(SITES, CREATE);
  for (const event of story) {
    if (event.kind === 'alter') replicas.alter(event.site, event.sql);
    else replicas.pull(event.site, event.from);
  }
  return replicas;
}

test('a table is what its record says after every statement and pull, and the same everywhere once all have everything', () => {
  fc.assert(
    fc.property(events, (story) => {
      const replicas = play(story);
      for (let from = 1; from < SITES; from += 1) replicas.pull(0, from);
      for (let one = 1; one < SITES; one += 1) replicas.pull(one, 0);
      expect(new Set(replicas.texts()).size).toBe(1);
    }),
    { numRuns: RUNS },
  );
});

test('records fold to the same table in any order and however often they come', () => {
  const shuffled = events.chain((story) => {
    const replicas = play(story);
    for (let from = 1; from < SITES; from += 1) replicas.pull(0, from);
    const records = replicas.records(0);
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
