import type { SiteId } from '#shared/model/ids.ts';
import type { SchemaEvent } from '#shared/model/schema-event.ts';
import type { BlockedView } from '#shared/model/views.ts';
import type { KeeperEvent } from '../worker/replica-keeper.ts';
import type { ActivityLog } from './activity-log.ts';
import type { FleetBoard } from './fleet-board.ts';
import { shortSite } from './fleet-view.ts';
import { describeLinkError } from './link-words.ts';
import type { LinkChange, Links } from './links.ts';
import type { LocalMembers } from './local-members.ts';
import type { Member, MemberSnapshot, SnapshotChange } from './member.ts';
import { createPullNotes } from './pull-notes.ts';
import { schemaNotes } from './schema-notes.ts';
import type { PushHub } from './push-hub.ts';

/** Tells pages what changed in the fleet, and writes down what people want to read about later. */
export function watchFleet(deps: {
  readonly members: LocalMembers;
  readonly links: Links;
  readonly board: FleetBoard;
  readonly hub: PushHub;
  readonly activity: ActivityLog;
  readonly nowMs: () => number;
}): void {
  const { members, links, board, hub, activity } = deps;

  members.onSnapshot((member, change) => {
    board.invalidate();
    hub.push('fleet');
    for (const topic of changedTopics(change)) hub.push(topic, member.ref);
    noteSnapshot(member, change);
  });
  members.onEvent(noteEvent);
  links.onReport(createPullNotes(deps));
  links.onChange((change) => {
    board.invalidate();
    hub.push('fleet');
    noteLink(change);
  });

  function noteSnapshot(member: Member, { before, after }: SnapshotChange): void {
    // What a host finds when it starts did not happen now.
    if (before.status === null || after.status === null) return;
    for (const blocked of without(after.blocked, before.blocked)) {
      const from = board.findBySite(blocked.from)?.name ?? shortSite(blocked.from);
      activity.note('blocked', { object: blocked.object, cause: blocked.cause, peer: from }, member.record());
    }
    for (const { object } of without(before.blocked, after.blocked))
      activity.note('freed', { object }, member.record());
  }

  function noteEvent(member: Member, event: KeeperEvent): void {
    if (event.kind === 'failed')
      activity.note('replicaFailed', { reason: event.failure.message }, member.record());
    if (event.kind === 'schema') noteSchema(member, event.events);
    if (event.kind === 'crashed') {
      const reason = event.fault.split('\n', 1)[0] ?? '';
      activity.note('workerCrashed', { reason }, member.record());
    }
  }

  function noteSchema(member: Member, events: readonly SchemaEvent[]): void {
    const nameOf = (site: SiteId): string => board.findBySite(site)?.name ?? shortSite(site);
    for (const { kind, facts } of schemaNotes(events, nameOf)) activity.note(kind, facts, member.record());
  }

  function noteLink({ record, before, after }: LinkChange): void {
    for (const [place, state] of after.entries()) {
      const was = before[place]?.lastError ?? null;
      if (state.lastError === null || was?.code === state.lastError.code) continue;
      const name = board.replica(record.a)?.name ?? record.a;
      const facts = { peer: record.bName, reason: describeLinkError(state.lastError) };
      activity.note('linkFailed', facts, { ref: record.a, name });
    }
  }
}

/** Compared by what a page shows of each. */
const SHOWN: Readonly<Record<'replica' | 'blocked' | 'held', (snapshot: MemberSnapshot) => unknown>> = {
  replica: ({ status }) => [status?.head, status?.fingerprint, status?.findings],
  blocked: ({ blocked }) => blocked,
  held: ({ status }) => status?.heldRows,
};

function changedTopics({ before, after }: SnapshotChange): readonly (keyof typeof SHOWN)[] {
  const topics = ['replica', 'blocked', 'held'] as const;
  return topics.filter(
    (topic) => JSON.stringify(SHOWN[topic](before)) !== JSON.stringify(SHOWN[topic](after)),
  );
}

/** One batch of each conflict that is in `those` alone: a conflict may stop the lines of several peers at once. */
function without(those: readonly BlockedView[], these: readonly BlockedView[]): readonly BlockedView[] {
  const told = new Set(these.map(({ conflictId }) => conflictId));
  return those.filter(({ conflictId }) => {
    const isNew = !told.has(conflictId);
    told.add(conflictId);
    return isNew;
  });
}
