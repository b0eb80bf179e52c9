import type { BlockedBrief, FleetReplica } from '#shared/api/fleet-replica.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';

import { mainBrief } from '../../ui/main-brief.ts';
import { CAUSE_WORDS } from '../../ui/cause-words.ts';
import type { Sentence } from '../../ui/sentence-model.ts';
import { counted, lengthOfTime } from '../../ui/words-model.ts';

/** Why a replica is in its state, and what comes of it; null where the state says all. */
export interface StateReason {
  readonly why: Sentence;
  /** One quieter line: since when, how often, what next. */
  readonly since: string | null;
}

export function stateReason(replica: FleetReplica, nowMs: number): StateReason | null {
  const brief = mainBrief(replica);
  if (replica.state === 'blocked' && brief !== undefined) {
    return { why: blockedSentence(brief), since: triesLine(brief, nowMs) };
  }
  return REASONS[replica.state](replica, nowMs);
}

/** `41 min. Tried 44 times, next try in 38 s.` */
function triesLine(brief: Pick<BlockedBrief, 'sinceMs' | 'attempts' | 'nextTryMs'>, nowMs: number): string {
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

type Reason = (replica: FleetReplica, nowMs: number) => StateReason | null;

const none: Reason = () => null;

/** The host's own sentence, or ours where it has none, and what comes of it. */
const told =
  (otherwise: string, then: string): Reason =>
  ({ reason }) => ({ why: [`${reason ?? otherwise} ${then}`.trim()], since: null });

const REASONS: Readonly<Record<ReplicaState, Reason>> = {
  inSync: none,
  blocked: none,
  behind: ({ lag }, nowMs) => ({
    why: [`${counted(lag.changes, 'change')} of its peers have not arrived here. They come by themselves.`],
    since: lag.oldestMs === null ? null : `The oldest waits for ${lengthOfTime(nowMs - lag.oldestMs)}.`,
  }),
  paused: told('A person paused its links.', 'Nothing comes or goes until they are resumed.'),
  unreachable: told('Its host does not answer.', 'Nothing is lost; it catches up when it is back.'),
  locked: told('Another program holds the file.', 'It is tried again by itself; closing that program helps.'),
  tooOld: told(
    'It missed more than its peers keep.',
    'It must be re-bootstrapped; its unsent rows are rescued first.',
  ),
  damaged: told('Its file cannot be read.', ''),
  incompatible: told('Another Concord wrote it; this one leaves it as it is.', ''),
};
