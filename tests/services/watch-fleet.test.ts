import { expect, test } from 'vitest';

import { createListeners } from '#main/peers/create-listeners.ts';
import type { FleetBoard } from '#main/services/fleet-board.ts';
import type { Links } from '#main/services/links.ts';
import type { LocalMembers } from '#main/services/local-members.ts';
import type { Member, MemberSnapshot, SnapshotChange } from '#main/services/member.ts';
import { watchFleet } from '#main/services/watch-fleet.ts';
import type { BlockedView } from '#shared/model/views.ts';
import { aReplica, aStatus } from '../support/fake-fleet.ts';

function watching() {
  const noted: unknown[] = [];
  const pushed: unknown[] = [];
  const snapshots = createListeners<readonly [Member, SnapshotChange]>();
  const nothing = () => () => undefined;
  const onSnapshot: LocalMembers['onSnapshot'] = (listener) =>
    snapshots.add(([member, change]) => listener(member, change));
  watchFleet({
    members: { onSnapshot, onEvent: nothing } as unknown as LocalMembers,
    links: { onReport: nothing, onChange: nothing } as unknown as Links,
    board: {
      findBySite: (site: string) => aReplica(site),
      invalidate: () => undefined,
    } as unknown as FleetBoard,
    hub: { push: (topic: string) => pushed.push(topic) } as unknown as Parameters<
      typeof watchFleet
    >[0]['hub'],
    activity: { note: (kind, facts, about) => noted.push([kind, about?.name, facts]) },
    nowMs: () => 0,
  });
  const member = { ref: 'hq', record: () => ({ ref: 'hq', name: 'hq' }) } as unknown as Member;
  return { noted, pushed, see: (change: SnapshotChange) => snapshots.tell([member, change]) };
}

const UNSEEN: MemberSnapshot = { status: null, blocked: [], asOfMs: 0, crash: null };

const blockedBy = (conflictId: string, from: string) =>
  ({ conflictId, from, object: 'orders', cause: 'divergentDefinition' }) as unknown as BlockedView;

const withBlocked = (...blocked: readonly BlockedView[]): MemberSnapshot => ({
  ...UNSEEN,
  status: aStatus('hq'),
  blocked,
});

const TWO_LINES = withBlocked(blockedBy('one', 'harbour'), blockedBy('one', 'market'));
const FREE = withBlocked();

test('a conflict that stops several lines is told once, when it comes and when it goes', () => {
  const { noted, see } = watching();
  see({ before: FREE, after: TWO_LINES });
  see({ before: TWO_LINES, after: FREE });
  expect(noted).toEqual([
    ['blocked', 'hq', { object: 'orders', cause: 'divergentDefinition', peer: 'harbour' }],
    ['freed', 'hq', { object: 'orders' }],
  ]);
});

test('a conflict goes when its last line does', () => {
  const { noted, see } = watching();
  const last = withBlocked(blockedBy('one', 'market'));
  see({ before: TWO_LINES, after: last });
  expect(noted).toEqual([]);
  see({ before: last, after: FREE });
  expect(noted).toEqual([['freed', 'hq', { object: 'orders' }]]);
});

test('what a host finds when it starts is shown, and is no event', () => {
  const { noted, pushed, see } = watching();
  see({ before: UNSEEN, after: TWO_LINES });
  expect(noted).toEqual([]);
  expect(pushed).toEqual(['fleet', 'replica', 'blocked', 'held']);
});
