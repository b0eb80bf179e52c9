import type { BlockedBrief, FleetReplica } from '#shared/api/fleet-replica.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';

import { mainBrief } from '../../ui/main-brief.ts';
import { CAUSE_WORDS } from '../../ui/cause-words.ts';
import type { NamePart, Sentence } from '../../ui/sentence-model.ts';
import type { Verdict } from '../../ui/verdict-line.tsx';
import { counted, lengthOfTime, relativeTime } from '../../ui/words-model.ts';

/** What a replica's page opens with. */
export function replicaVerdict(facts: {
  readonly replica: FleetReplica;
  readonly hasLinks: boolean;
  readonly nowMs: number;
}): Verdict {
  const { replica } = facts;
  const brief = mainBrief(replica);
  if (replica.state === 'blocked' && brief !== undefined) return blockedVerdict(replica, brief, facts.nowMs);
  return { state: replica.state, ...SENTENCES[replica.state](facts) };
}

type Facts = Parameters<typeof replicaVerdict>[0];
type Said = Pick<Verdict, 'headline' | 'consequence'>;

function blockedVerdict(replica: FleetReplica, brief: BlockedBrief, nowMs: number): Verdict {
  const object: NamePart = {
    name: brief.object,
    to: { screen: 'blockedBatch', ref: replica.ref, conflictId: brief.conflictId },
  };
  const from: NamePart =
    brief.from === null
      ? { name: brief.fromName }
      : { name: brief.fromName, to: { screen: 'replica', ref: brief.from, tab: 'overview' } };
  const why: Sentence =
    brief.cause === 'divergentDefinition'
      ? [object, ' has another shape here than what comes from ', from]
      : ['a batch of ', from, ' for ', object, ` is refused, ${CAUSE_WORDS[brief.cause]}`];
  return {
    state: 'blocked',
    headline: [{ name: replica.name }, ' is blocked: ', ...why, '.'],
    consequence: [
      `${lengthOfTime(nowMs - brief.sinceMs)}, ${counted(brief.behindChanges, 'change')} behind it. Its own work still goes out, except for that ${brief.kind}.${otherLines(replica, brief)}`,
    ],
  };
}

/** Further lines that are blocked, on the same conflict or on others. */
function otherLines(replica: FleetReplica, main: BlockedBrief): string {
  const others = replica.blocked.filter((brief) => brief !== main);
  const [first] = others;
  if (first === undefined) return '';
  const isSame = others.every(({ conflictId }) => conflictId === main.conflictId);
  if (!isSame)
    return ` ${counted(others.length, 'more line')} ${others.length === 1 ? 'is' : 'are'} blocked.`;
  const whose =
    others.length === 1 ? `The line of ${first.fromName} waits` : `${others.length} more lines wait`;
  return ` ${whose} for the same decision.`;
}

const said = (replica: FleetReplica, state: string, consequence: string): Said => ({
  headline: [{ name: replica.name }, ` ${state}`],
  consequence: [consequence],
});

const SENTENCES: Readonly<Record<ReplicaState, (facts: Facts) => Said>> = {
  inSync: inSyncSaid,
  blocked: ({ replica }) => said(replica, 'is blocked.', 'A batch waits for a person.'),
  behind: ({ replica, nowMs }) =>
    said(
      replica,
      `is behind: ${counted(replica.lag.changes, 'change')} of its peers have not arrived.`,
      `${replica.lag.oldestMs === null ? '' : `The oldest waits for ${lengthOfTime(nowMs - replica.lag.oldestMs)}. `}They come by themselves.`,
    ),
  paused: ({ replica }) =>
    said(replica, 'is paused: a person paused its links.', 'Nothing comes or goes until they are resumed.'),
  unreachable: ({ replica, nowMs }) =>
    said(
      replica,
      replica.lastSyncMs === null
        ? 'has not answered yet.'
        : `has not answered for ${lengthOfTime(nowMs - replica.lastSyncMs)}.`,
      `${replica.reason ?? 'Its host does not answer.'} Nothing is lost; it catches up when it is back.`,
    ),
  locked: ({ replica }) =>
    said(
      replica,
      'is locked by another program.',
      `${replica.reason ?? ''} It is tried again by itself; closing that program helps.`.trim(),
    ),
  tooOld: ({ replica }) =>
    said(
      replica,
      'is too old to catch up.',
      `${replica.reason ?? ''} Re-bootstrap it; its unsent rows are rescued first.`.trim(),
    ),
  damaged: ({ replica }) => said(replica, 'is damaged.', replica.reason ?? 'Its file cannot be read.'),
  incompatible: ({ replica }) =>
    said(
      replica,
      'has another metadata format.',
      replica.reason ?? 'Another Concord wrote it; this one leaves it as it is.',
    ),
};

function inSyncSaid({ replica, hasLinks, nowMs }: Facts): Said {
  if (!hasLinks)
    return said(
      replica,
      'stands alone: it has no link yet.',
      'Nothing is sent anywhere. Link it to another replica to let changes flow.',
    );
  const last =
    replica.lastSyncMs === null
      ? 'No link has synced yet.'
      : `The last sync was ${relativeTime(replica.lastSyncMs, nowMs)}.`;
  const held =
    replica.heldRows > 0 ? ` ${counted(replica.heldRows, 'change')} held until their place is there.` : '';
  return said(replica, 'is in sync.', `All that its peers have is here. ${last}${held}`);
}
