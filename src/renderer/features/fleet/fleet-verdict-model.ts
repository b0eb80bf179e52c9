import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';
import { ReplicaState } from '#shared/model/vocabulary.ts';

import { joinedClauses, listed } from '../../ui/sentence-model.ts';
import type { NamePart, Sentence } from '../../ui/sentence-model.ts';
import { STATE_LOOK, needsYou } from '../../ui/state-look.ts';
import type { Verdict } from '../../ui/verdict-line.tsx';
import { counted, numberWord, relativeTime } from '../../ui/words-model.ts';

/** What the fleet screen opens with. `fleet` has at least one replica. */
export function fleetVerdict(fleet: Fleet, nowMs: number): Verdict {
  const needy = fleet.replicas.filter((replica) => needsYou(replica.state));
  if (needy.length > 0) return needyVerdict(fleet, needy);
  if (fleet.links.length === 0) return loneVerdict(fleet);
  const waiting = fleet.replicas.filter((replica) => replica.state !== 'inSync');
  return waiting.length > 0 ? waitingVerdict(fleet, waiting) : inSyncVerdict(fleet, nowMs);
}

/** Replicas that one decision would free. */
export interface ConflictGroup {
  readonly conflictId: string;
  readonly object: string;
  readonly replicas: readonly FleetReplica[];
}

/** The open conflicts of the fleet, those first that free most. */
function conflictGroups(replicas: readonly FleetReplica[]): readonly ConflictGroup[] {
  const groupById = new Map<string, ConflictGroup>();
  for (const replica of replicas) {
    for (const brief of replica.blocked) {
      const group = groupById.get(brief.conflictId);
      if (group?.replicas.includes(replica) === true) continue;
      const { conflictId, object } = brief;
      groupById.set(conflictId, { conflictId, object, replicas: [...(group?.replicas ?? []), replica] });
    }
  }
  return [...groupById.values()].sort((a, b) => b.replicas.length - a.replicas.length);
}

function needyVerdict(fleet: Fleet, needy: readonly FleetReplica[]): Verdict {
  const groups = conflictGroups(needy.filter((replica) => replica.state === 'blocked'));
  const clauses = [
    ...groups.map(blockedClause),
    ...NEEDY_STATES.flatMap((state) => stateClause(needy, state)),
  ];
  const verb = needy.length === 1 ? 'needs' : 'need';
  const first = `${needy.length} of ${counted(fleet.replicas.length, 'replica')} ${verb} you: `;
  return {
    state: groups.length > 0 ? 'blocked' : worstState(needy),
    headline: [first, ...joinedClauses(clauses), '.'],
    consequence: [[decisionWords(groups, needy.length), restWords(fleet, needy)].filter(Boolean).join(' ')],
  };
}

const NEEDY_STATES = ['tooOld', 'damaged', 'incompatible'] as const;

const NEEDY_WORDS: Readonly<Record<(typeof NEEDY_STATES)[number], string>> = {
  tooOld: 'too old to catch up',
  damaged: 'damaged',
  incompatible: 'of another metadata format',
};

function blockedClause(group: ConflictGroup): Sentence {
  const [first] = group.replicas;
  const to = first === undefined ? {} : { to: batchRoute(first, group.conflictId) };
  return [
    ...listed(group.replicas.map(replicaName)),
    ` ${isAre(group.replicas)} blocked on `,
    { name: group.object, ...to },
  ];
}

function stateClause(
  needy: readonly FleetReplica[],
  state: (typeof NEEDY_STATES)[number],
): readonly Sentence[] {
  const there = needy.filter((replica) => replica.state === state);
  if (there.length === 0) return [];
  return [[...listed(there.map(replicaName)), ` ${isAre(there)} ${NEEDY_WORDS[state]}`]];
}

function decisionWords(groups: readonly ConflictGroup[], needyCount: number): string {
  const [first, second] = groups;
  if (first === undefined) return '';
  if (second !== undefined) return `${numberWord(groups.length)} decisions are open.`;
  const freed = first.replicas.length;
  if (freed === 1) return needyCount === 1 ? 'One decision frees it.' : 'One decision frees the first.';
  if (freed === needyCount)
    return freed === 2 ? 'One decision frees both.' : `One decision frees all ${lowerWord(freed)}.`;
  return `One decision frees the first ${lowerWord(freed)}.`;
}

function restWords(fleet: Fleet, needy: readonly FleetReplica[]): string {
  const rest = fleet.replicas.filter((replica) => !needy.includes(replica));
  if (rest.length === 0) return '';
  if (rest.length === 1) return `The other one looks after itself: ${stateCounts(rest)}.`;
  return `The other ${rest.length} look after themselves: ${stateCounts(rest)}.`;
}

/** `5 in sync, 2 behind`: what is well first. */
function stateCounts(replicas: readonly FleetReplica[]): string {
  return ReplicaState.options
    .toReversed()
    .map((state) => ({ state, count: replicas.filter((replica) => replica.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${STATE_LOOK[state].word}`)
    .join(', ');
}

function waitingVerdict(fleet: Fleet, waiting: readonly FleetReplica[]): Verdict {
  const states = ReplicaState.options.filter((state) => waiting.some((replica) => replica.state === state));
  const clauses = states.map((state): Sentence => {
    const there = waiting.filter((replica) => replica.state === state);
    return [...listed(there.map(replicaName)), ` ${isAre(there)} ${STATE_LOOK[state].word}`];
  });
  return {
    state: worstState(waiting),
    headline: ['Nothing needs you: ', ...joinedClauses(clauses), '.'],
    consequence: [
      [WAITING_WORDS[worstState(waiting)] ?? '', restWords(fleet, waiting)].filter(Boolean).join(' '),
    ],
  };
}

const WAITING_WORDS: Partial<Record<ReplicaState, string>> = {
  unreachable: 'Nothing is lost; what does not answer catches up when it is back.',
  paused: 'What is paused stays so until someone resumes it.',
  locked: 'Another program holds the file; it is tried again by itself.',
  behind: 'What is behind catches up by itself.',
};

function inSyncVerdict(fleet: Fleet, nowMs: number): Verdict {
  const count = fleet.replicas.length;
  const headline: Sentence =
    count === 2 ? ['Both replicas are in sync.'] : [`All ${counted(count, 'replica')} are in sync.`];
  const lastMs = Math.max(...fleet.replicas.map((replica) => replica.lastSyncMs ?? 0));
  const held = fleet.replicas.reduce((sum, replica) => sum + replica.heldRows, 0);
  const parts = [
    lastMs > 0 ? `The last sync was ${relativeTime(lastMs, nowMs)}.` : 'No link has synced yet.',
    held > 0
      ? `${counted(held, 'change')} ${held === 1 ? 'is' : 'are'} held until their place is there.`
      : '',
  ];
  return { state: 'inSync', headline, consequence: [parts.filter(Boolean).join(' ')] };
}

function loneVerdict(fleet: Fleet): Verdict {
  const [only] = fleet.replicas;
  const headline: Sentence =
    fleet.replicas.length === 1 && only !== undefined
      ? [replicaName(only), ' stands alone: no link leads to another replica yet.']
      : [`${counted(fleet.replicas.length, 'replica')}, and no link between them yet.`];
  const next =
    fleet.replicas.length === 1
      ? 'Add another replica, then link the two.'
      : 'Link two of them to let changes flow.';
  return { state: worstState(fleet.replicas), headline, consequence: [`Nothing is sent anywhere. ${next}`] };
}

function worstState(replicas: readonly FleetReplica[]): ReplicaState {
  return (
    ReplicaState.options.find((state) => replicas.some((replica) => replica.state === state)) ?? 'inSync'
  );
}

function replicaName(replica: FleetReplica): NamePart {
  return { name: replica.name, to: { screen: 'replica', ref: replica.ref, tab: 'overview' } };
}

function batchRoute(replica: FleetReplica, conflictId: string) {
  return { screen: 'blockedBatch', ref: replica.ref, conflictId } as const;
}

const isAre = (replicas: readonly unknown[]): string => (replicas.length === 1 ? 'is' : 'are');
const lowerWord = (value: number): string => numberWord(value).toLowerCase();
