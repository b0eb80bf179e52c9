import { expect, test } from 'vitest';

import type { FleetBoard } from '#main/services/fleet-board.ts';
import type { LinkPull } from '#main/services/links.ts';
import { createPullNotes } from '#main/services/pull-notes.ts';
import { createSyncTally } from '#main/peers/sync-report.ts';
import { aReplica } from '../support/fake-fleet.ts';

function noting() {
  const noted: unknown[] = [];
  let nowMs = 0;
  const note = createPullNotes({
    activity: { note: (kind, facts, about) => noted.push([kind, about?.name, facts]) },
    board: { replica: (ref: string) => aReplica(ref) } as unknown as FleetBoard,
    nowMs: () => nowMs,
  });
  const pull = (into: string, facts: Partial<LinkPull['report']>): void =>
    note({
      record: {
        id: 'l',
        a: 'till',
        b: 'hq',
        bName: 'hq',
        via: 'inProcess',
        url: null,
        paused: false,
        lastSyncMs: null,
      },
      into,
      report: { ...createSyncTally().end('quiet'), ...facts },
    });
  return { noted, pull, wait: (ms: number) => (nowMs += ms) };
}

test('what moved nothing is no event', () => {
  const { noted, pull } = noting();
  pull('till', { admittedGroups: 1, factsSuperseded: 5 });
  expect(noted).toEqual([]);
});

test('rows of a minute are one event, each direction for itself', () => {
  const { noted, pull, wait } = noting();
  pull('till', { factsApplied: 3, factsHeld: 1 });
  pull('hq', { factsApplied: 9 });
  wait(59_999);
  pull('till', { factsApplied: 10 });
  wait(1);
  pull('till', { factsApplied: 20 });
  expect(noted).toEqual([
    ['synced', 'till', { changes: 4, peer: 'hq' }],
    ['synced', 'hq', { changes: 9, peer: 'till' }],
    ['synced', 'till', { changes: 30, peer: 'hq' }],
  ]);
});

test('schema changes are told by the replica that decides about them, not by the link', () => {
  const { noted, pull } = noting();
  pull('till', { migrations: 2 });
  expect(noted).toEqual([]);
});
