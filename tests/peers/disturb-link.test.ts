import { expect, test } from 'vitest';

import { createWithholding, disturbLink, type Disturbance } from '#main/peers/disturbed-link.ts';
import type { PeerLink } from '#main/peers/peer-link.ts';
import { pullFromPeer } from '#main/peers/pull-from-peer.ts';
import type { ChangeGroup, Migration, Page } from '#shared/model/change-group.ts';
import { epoch, era, migrationId, siteId, tableId } from '../support/ids.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { aPair } from '../support/sync-pair.ts';

const NOTES = ['1', '2', '3', '4', '5', '6', '7'];

async function pullDisturbed(how: Omit<Disturbance, 'draw'>, seed = 1) {
  const { a, b, fromA } = aPair({ facts: 2 });
  a.write(...NOTES);
  const link = disturbLink(fromA, { draw: createSeededRandom(seed).draw, ...how });
  const report = await pullFromPeer({ endpoint: b, link });
  return { a, b, link, fromA, report };
}

test('T10 each page twice: the same rows, and as many pages again', async () => {
  const { b, report } = await pullDisturbed({ duplicate: true });

  expect(report).toMatchObject({ ended: 'quiet', pages: 8, factsApplied: 7, factsSuperseded: 7 });
  expect(b.notes()).toEqual(NOTES);
});

test.for([1, 2, 3, 4, 5])('T10 groups in another order: the same rows (seed %i)', async (seed) => {
  const { b, report } = await pullDisturbed({ reorder: true, duplicate: true }, seed);

  expect(report.ended).toBe('quiet');
  expect(b.notes()).toEqual(NOTES);
});

test('lost pages are asked for again', async () => {
  const { a, b, report } = await pullDisturbed({ drop: 0.5 });

  expect(report).toMatchObject({ ended: 'quiet', pages: 4 });
  expect(a.calls().length).toBeGreaterThan(4);
  expect(b.notes()).toEqual(NOTES);
});

test('a link that loses everything still ends', async () => {
  const { b } = await pullDisturbed({ drop: 1 });

  expect(b.notes()).toEqual(NOTES);
});

test.for([
  { share: 0, pages: 1 },
  { share: 0.4, pages: 2 },
  { share: 0.6, pages: 3 },
  { share: 1, pages: 4 },
])('breaks once $share of what was there is delivered', async ({ share, pages }) => {
  const { b, fromA, report } = await pullDisturbed({ breakAfterShare: share });
  const rest = await pullFromPeer({ endpoint: b, link: fromA });

  expect(report.pages).toBe(pages);
  expect(report.ended).toBe(share === 1 ? 'quiet' : 'unreachable');
  expect(rest.ended).toBe('quiet');
  expect(b.notes()).toEqual(NOTES);
});

test('migrations of a table are kept back while its rows pass, and come when they are released', async () => {
  const withheld = createWithholding();
  const pages = [
    aPage([aMigration(1, 'pet'), aMigration(2, 'owner'), anIndexOn(1)]),
    aPage([aMigration(1, 'pet')]),
    aPage([]),
    aPage([]),
  ];
  const link = disturbLink(linkOf(pages), { draw: () => 0, withheld });
  const pullIds = async () => {
    const page = await link.pull({ facts: 1, conflicts: [] });
    return page.ok ? page.value.groups.map((group) => group.migrations.map(({ id }) => id)) : [];
  };

  withheld.withhold(['Pet']);
  const kept = [await pullIds(), await pullIds()];
  withheld.release();
  const released = [await pullIds(), await pullIds()];

  expect(kept).toEqual([[[migrationId(2)]], [[]]]);
  expect(released).toEqual([[[migrationId(1), migrationId(9)], []], [[]]]);
});

function linkOf(pages: readonly Page[]): PeerLink {
  const left = [...pages];
  return {
    hello: async () => Promise.reject(new Error('not asked')),
    pull: async () => ({ ok: true, value: left.shift() ?? aPage([]) }),
    onHead: () => () => undefined,
    onClosed: () => () => undefined,
    close: () => undefined,
  };
}

function aPage(migrations: readonly Migration[]): Page {
  const cursor = { epoch: epoch(1), era: era(1), seq: 1, catalogSeq: 0 };
  const group: ChangeGroup = { cursor, sites: [], tables: [], migrations, blocks: [] };
  return { groups: [group], cursor, head: 1, more: false, read: 1 };
}

const aMigration = (number: number, object: string): Migration => ({
  id: migrationId(number),
  type: 'create_table',
  kind: 'table',
  object,
  element: null,
  tableId: tableId(number),
  columns: [],
  stamp: { hlc: 1n, site: siteId(1) },
  version: 1,
  knew: {},
  ddl: '',
  mentions: [],
  redefine: null,
});

const anIndexOn = (table: number): Migration => ({
  ...aMigration(9, 'by_name'),
  type: 'create_index',
  kind: 'index',
  tableId: tableId(table),
});
