import fc from 'fast-check';

import { applyDecision, decideRow, isDeleted } from '#main/engine/merge/merge-row.ts';
import type { Column, RowFact, RowState } from '#main/engine/merge/merge-row.ts';
import type { Stamp } from '#shared/model/change-group.ts';
import { formatStamp } from '#shared/model/hlc.ts';
import { narrowStamp } from './arbitraries.ts';

// One row on one replica, fed with facts. The value of a cell is its stamp: whoever wrote at one stamp wrote one value.

export type DecideRow = typeof decideRow;

/** What a replica has after some facts: the row as it knows it, and what it holds. */
export interface Replayed {
  readonly state: RowState | null;
  readonly held: readonly RowFact[];
}

const nothing: Replayed = { state: null, held: [] };

/** Takes facts in one after the other; what is held is tried again after each change. */
export function replay(
  facts: readonly RowFact[],
  decide: DecideRow = decideRow,
  from: Replayed = nothing,
): Replayed {
  return facts.reduce((replica, fact) => take(replica, fact, decide), from);
}

function take({ state, held }: Replayed, fact: RowFact, decide: DecideRow): Replayed {
  const decision = decide(state, fact);
  if (decision.action === 'hold') return { state, held: [...held, fact] };
  const next = applyDecision(state, fact, decision);
  if (next === state || held.length === 0) return { state: next, held };
  return held.reduce<Replayed>((replica, each) => take(replica, each, decide), { state: next, held: [] });
}

/** A replica as text, the same for the same rows and records; facts that are held count once each. */
export function show({ state, held }: Replayed): string {
  return JSON.stringify([state === null ? null : showState(state), [...new Set(held.map(showFact))].sort()]);
}

const showState = ({ life, stamp, cells }: RowState) => [life, formatStamp(stamp), showCells(cells)];

const showCells = (cells: ReadonlyMap<Column, Stamp>) =>
  [...cells].map(([column, stamp]) => `${column}=${formatStamp(stamp)}`).sort();

function showFact(fact: RowFact): string {
  const parts =
    fact.kind === 'cells' ? fact.columns.toSorted() : fact.kind === 'row' ? showCells(fact.cells) : [];
  return JSON.stringify([fact.kind, fact.life, formatStamp(fact.stamp), parts]);
}

/** The row as it would travel on to another peer, with everything that was merged into it; and what is held. */
export function relay({ state, held }: Replayed): readonly RowFact[] {
  if (state === null) return held;
  const { life, stamp, cells } = state;
  return [isDeleted(life) ? { kind: 'delete', life, stamp } : { kind: 'row', life, stamp, cells }, ...held];
}

// Narrow on purpose: three columns, three lives, three sites and times, so that ties are the rule.
const COLUMNS: readonly Column[] = [0, 1, 2];
const someColumns = fc.subarray([...COLUMNS], { minLength: 1 });

const cells = fc
  .tuple(fc.subarray([...COLUMNS]), fc.array(narrowStamp, { minLength: 3, maxLength: 3 }))
  .map(([columns, stamps]) => new Map(columns.flatMap((column, place) => pairOf(column, stamps[place]))));

const pairOf = (column: Column, stamp: Stamp | undefined): readonly (readonly [Column, Stamp])[] =>
  stamp === undefined ? [] : [[column, stamp]];

const alive = fc.constantFrom(1, 3);
const deleted = fc.constantFrom(2, 4);

/** Any change of the one row. */
export const rowFact: fc.Arbitrary<RowFact> = fc.oneof(
  fc.record({ kind: fc.constant('row' as const), life: alive, stamp: narrowStamp, cells }),
  fc.record({ kind: fc.constant('cells' as const), life: alive, stamp: narrowStamp, columns: someColumns }),
  fc.record({ kind: fc.constant('delete' as const), life: deleted, stamp: narrowStamp }),
);
