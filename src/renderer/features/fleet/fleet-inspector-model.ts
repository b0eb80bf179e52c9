import type { BlockedBrief, FleetReplica } from '#shared/api/fleet-replica.ts';

import { CAUSE_WORDS } from '../../ui/cause-words.ts';
import type { Sentence } from '../../ui/sentence-model.ts';
import { counted, lengthOfTime, number } from '../../ui/words-model.ts';

/** Why a replica is in its state, and what comes of it; null where the state says all. */
export interface StateReason {
  readonly why: Sentence;
  /** One quieter line: since when, how often, what next. */
  readonly since: string | null;
}

export function stateReason(replica: FleetReplica, nowMs: number): StateReason | null {
  const [brief] = replica.blocked;
  if (replica.state === 'blocked' && brief !== undefined) {
    return { why: blockedSentence(brief), since: triesLine(brief, nowMs) };
  }
  return otherReason(replica, nowMs);
}

/** `41 min. Tried 44 times, next try in 38 s.` */
export function triesLine(
  brief: Pick<BlockedBrief, 'sinceMs' | 'attempts' | 'nextTryMs'>,
  nowMs: number,
): string {
  const next = brief.nextTryMs > nowMs ? `in ${lengthOfTime(brief.nextTryMs - nowMs)}` : 'now';
  return `${lengthOfTime(nowMs - brief.sinceMs)}. Tried ${counted(brief.attempts, 'time')}, next try ${next}.`;
}

function blockedSentence(brief: BlockedBrief): Sentence {
  if (brief.cause !== 'divergentDefinition') {
    return [
      'A batch of ',
      { name: brief.fromName },
      ' is refused on ',
      { name: brief.object },
      `: ${CAUSE_WORDS[brief.cause]}.`,
    ];
  }
  return [
    `The ${brief.kind} `,
    { name: brief.object },
    ' was created here and on the side of ',
    { name: brief.fromName },
    ' with different columns while they were apart. A person has to choose one shape.',
  ];
}

function otherReason(replica: FleetReplica, nowMs: number): StateReason | null {
  const { state, reason, lag } = replica;
  switch (state) {
    case 'inSync':
    case 'blocked':
      return null;
    case 'behind':
      return {
        why: [
          `${counted(lag.changes, 'change')} of its peers have not arrived here. They come by themselves.`,
        ],
        since: lag.oldestMs === null ? null : `The oldest waits for ${lengthOfTime(nowMs - lag.oldestMs)}.`,
      };
    case 'paused':
      return {
        why: ['A person paused its links. Nothing comes or goes until they are resumed.'],
        since: null,
      };
    case 'unreachable':
      return {
        why: [reason ?? 'Its host does not answer.', ' Nothing is lost; it catches up when it is back.'],
        since: null,
      };
    case 'locked':
      return {
        why: [
          reason ?? 'Another program holds the file.',
          ' It is tried again by itself; closing that program helps.',
        ],
        since: null,
      };
    case 'tooOld':
      return {
        why: [
          reason ?? 'It missed more than its peers keep.',
          ' It must be re-bootstrapped; its unsent rows are rescued first.',
        ],
        since: null,
      };
    case 'damaged':
    case 'incompatible':
      return { why: [reason ?? 'Its file cannot be read.'], since: null };
  }
}

/** `1,284`, or `none`. */
export function amountOrNone(amount: number): string {
  return amount === 0 ? 'none' : number(amount);
}
