import { expect, test } from 'vitest';

import { checkDrift } from '#main/engine/clock/check-drift.ts';
import type { ChangeGroup } from '#shared/model/change-group.ts';
import { packHlc } from '#shared/model/hlc.ts';
import { siteId } from '../support/ids.ts';
import { aBlock, aGroup, aMigration } from '../support/wire-builders.ts';

const nowMs = Date.parse('2026-06-01T00:00:00.000Z');
const bound = { nowMs, driftMaxMs: 60_000 };
const honest = packHlc(nowMs - 1000);
const ahead = packHlc(nowMs + 3_600_000);
const block = aBlock({ hlc: honest });

test('the highest stamp of the group comes back, for the clock to observe', () => {
  const group = aGroup({
    migrations: [aMigration({ stamp: { hlc: honest + 1n, site: siteId(2) } })],
    blocks: [block, aBlock({ hlc: honest, clocks: [[0, 1, honest + 9n, 1]] }), block],
  });
  expect(checkDrift(group, bound)).toEqual({ ok: true, value: { hlc: honest + 9n, site: siteId(2) } });
});

test('of equal times the higher site is the highest stamp', () => {
  const group = aGroup({ blocks: [aBlock({ hlc: honest, site: 1 }), block] });
  expect(checkDrift(group, bound)).toEqual({ ok: true, value: { hlc: honest, site: siteId(2) } });
});

test('a group without a stamp has none', () => {
  expect(checkDrift(aGroup({ blocks: [] }), bound)).toEqual({ ok: true, value: null });
});

// Guards CLOCK-002.
test.for<readonly [string, Partial<ChangeGroup>]>([
  ['row', { blocks: [block, aBlock({ hlc: ahead }), block] }],
  ['cell of a row', { blocks: [block, aBlock({ hlc: honest, clocks: [[0, 1, ahead, 1]] }), block] }],
  ['delete', { blocks: [block, aBlock({ kind: 'deletes', columns: [0], rows: [[1n]], hlc: ahead })] }],
  ['migration', { migrations: [aMigration({ stamp: { hlc: ahead, site: siteId(1) } })], blocks: [block] }],
  [
    'replacement of a table',
    {
      blocks: [block],
      replacements: [{ table: 0, stamp: { hlc: ahead, site: siteId(1) }, knew: {}, waiting: [] }],
    },
  ],
])('H12 one %s an hour ahead among honest ones is found', ([, parts]) => {
  expect(checkDrift(aGroup(parts), bound)).toMatchObject({
    ok: false,
    error: { code: 'clock-ahead', remoteMs: nowMs + 3_600_000, nowMs, driftMaxMs: 60_000 },
  });
});

test('H11 the refusal names both times', () => {
  const refused = checkDrift(aGroup({ blocks: [aBlock({ hlc: packHlc(nowMs + 61_000) })] }), bound);
  expect(refused.ok ? '' : refused.error.message).toBe(
    `A change is stamped 2026-06-01T00:01:01.000Z-0000-${siteId(1)}, 61 s ahead of this replica's clock, ` +
      '2026-06-01T00:00:00.000Z; at most 60 s are taken. ' +
      'Set the clocks right; the change is tried again by itself. Where it would take too long to become true, ' +
      'take its author on as a new site once its clock is right (concord new-site): ' +
      'what it wrote counts as written right after what it knew before.',
  );
});

test('H07 a stamp that is ahead by exactly the bound is taken', () => {
  expect(checkDrift(aGroup({ blocks: [aBlock({ hlc: packHlc(nowMs + 60_000) })] }), bound).ok).toBe(true);
});
