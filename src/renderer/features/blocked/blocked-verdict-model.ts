import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { BlockCause } from '#shared/model/vocabulary.ts';

import type { NamePart, Sentence } from '../../ui/sentence-model.ts';
import type { Verdict } from '../../ui/verdict-line.tsx';
import { counted, lengthOfTime } from '../../ui/words-model.ts';

/** What the page of a blocked batch opens with. `replica` is where it is blocked. */
export function blockedVerdict(facts: {
  readonly detail: BlockedDetail;
  readonly replica: { readonly ref: string; readonly name: string };
  readonly nowMs: number;
}): Verdict {
  const { detail, replica, nowMs } = facts;
  const here: NamePart = { name: replica.name, to: { screen: 'replica', ref: replica.ref, tab: 'overview' } };
  return {
    state: 'blocked',
    headline: [
      here,
      ' cannot take ',
      fromName(detail),
      '’s batch: ',
      ...CAUSE_CLAUSES[detail.cause](detail),
      '.',
    ],
    consequence: [consequence(detail, nowMs)],
  };
}

function fromName(detail: BlockedDetail): NamePart {
  if (detail.fromRef === null) return { name: detail.fromName };
  return { name: detail.fromName, to: { screen: 'replica', ref: detail.fromRef, tab: 'overview' } };
}

type Clause = (detail: BlockedDetail) => Sentence;

const CAUSE_CLAUSES: Readonly<Record<BlockCause, Clause>> = {
  divergentDefinition: ({ object, kind }) => [
    'both sides created ',
    { name: object },
    kind === 'table' ? ', with different columns' : ', with different definitions',
  ],
  columnType: ({ object, column }) => [
    { name: column ?? '?' },
    ' of ',
    { name: object },
    ' has another type here',
  ],
  nameCollision: ({ object }) => ['another object is named ', { name: object }, ' here'],
  rowsBreakConstraint: ({ object }) => ['rows here break a constraint that it brings for ', { name: object }],
  clockAhead: () => ['its clock is further ahead than is allowed'],
  refusedStatement: ({ object }) => [
    'it brings a statement for ',
    { name: object },
    ' that Concord does not take',
  ],
  heldLimit: () => ['no more changes can be held here'],
  storage: () => ['the file could not be written'],
  tooOld: () => ['it no longer keeps what is missing here'],
  epochChanged: () => ['it was replaced since the last sync'],
  duplicateSite: () => ['its site ID is in use twice'],
};

function consequence(detail: BlockedDetail, nowMs: number): string {
  const next = detail.nextTryMs > nowMs ? `in ${lengthOfTime(detail.nextTryMs - nowMs)}` : 'now';
  const tries = `Tried ${counted(detail.attempts, 'time')}, next try ${next}.`;
  return `Blocked for ${lengthOfTime(nowMs - detail.sinceMs)}. ${tries} Nothing of the batch is in the tables; all before it has landed.`;
}
