import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { Method } from '#shared/api/contract.ts';
import { err, ok } from '#shared/result.ts';

import { aFleet, aReplica } from '../support/fake-fleet.ts';
import { createFakeHost } from '../support/fake-host.ts';
import { showApp, verdict } from '../support/render-app.tsx';

test('a blocked replica says on what, from whom, and what still goes on', async () => {
  showApp('#/replica/market/overview');
  expect(await verdict()).toBe('market is blocked: orders has another shape here than what comes from hq.');
  expect(
    screen.getByText('41 min, 1,284 changes behind it. Its own work still goes out, except for that table.'),
  ).toBeDefined();
});

test('the check-list stops at the first failing check, which holds the way out', async () => {
  showApp('#/replica/market/overview');
  const panel = await screen.findByRole('region', { name: 'Why is nothing arriving from hq?' });
  const lines = within(panel).getAllByRole('listitem');
  expect(lines).toHaveLength(8);
  const stops = within(panel)
    .getByText(/Stops here/)
    .closest('li');
  expect(stops?.textContent).toContain('Schema, stops:Stops here. The batch at 3,538 creates orders');
  expect(within(panel).getAllByRole('link', { name: 'Decide' })).toHaveLength(1);
});

test('R checks again', async () => {
  const { user, host } = showApp('#/replica/market/overview');
  await screen.findByRole('region', { name: /Why is nothing arriving/ });
  const before = host.asked.filter(({ method }) => method === 'replica.checklist').length;
  await user.keyboard('r');
  expect(host.asked.filter(({ method }) => method === 'replica.checklist').length).toBe(before + 1);
});

test('tabs are walked with the arrow keys and stand in the address', async () => {
  const { user, address } = showApp('#/replica/market/overview');
  const tab = await screen.findByRole('tab', { name: 'Overview' });
  tab.focus();
  await user.keyboard('{ArrowRight}');
  expect(address()).toBe('#/replica/market/catalog');
  expect(screen.getByRole('tab', { name: 'Catalog' }).getAttribute('aria-selected')).toBe('true');
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Catalog' }));
});

test('the catalog lists objects by kind and shows the columns and DDL of one', async () => {
  const { user } = showApp('#/replica/market/catalog');
  const grid = await screen.findByRole('grid', { name: 'Catalog' });
  expect(within(grid).getByText('Tables')).toBeDefined();
  await user.click(within(grid).getByRole('row', { name: 'table orders' }));
  const inspector = screen.getByRole('complementary', { name: 'orders' });
  expect(within(inspector).getByRole('row', { name: /total REAL NOT NULL, default 0/ })).toBeDefined();
  expect(within(inspector).getByLabelText('DDL').textContent).toContain('CREATE TABLE orders');
  expect(within(grid).getByRole('row', { name: 'table print_queue' }).textContent).toContain(
    'no, it has no primary key',
  );
});

test('the migration history says what, from whom and with which verdict', async () => {
  showApp('#/replica/market/migrations');
  const grid = await screen.findByRole('grid', { name: 'Migrations, newest first' });
  expect(within(grid).getByRole('row', { name: 'create table orders: executed' })).toBeDefined();
  expect(
    within(grid).getByRole('row', { name: 'add column products.barcode: already applied' }),
  ).toBeDefined();
});

test('the history is filtered by verdict and by the object that is looked at', async () => {
  const { user } = showApp('#/replica/market/migrations');
  await user.click(await screen.findByRole('radio', { name: 'Superseded' }));
  expect(
    await screen.findByText('The history has no migration with the verdict “superseded”.'),
  ).toBeDefined();
  await user.click(screen.getByRole('radio', { name: 'Already applied' }));
  const inspector = await screen.findByRole('complementary', { name: 'add column products.barcode' });
  expect(inspector.textContent).toContain('already applied, overtaken');
  expect(inspector.textContent).toContain(
    'It is one with add column products.barcode, which was here first.',
  );
  await user.click(within(inspector).getByRole('button', { name: 'add column products.barcode' }));
  const grid = await screen.findByRole('grid', { name: 'Migrations, newest first' });
  await waitFor(() => expect(within(grid).getAllByRole('row', { name: /products/ })).toHaveLength(2));
  expect(
    (await screen.findByRole('complementary', { name: 'add column products.barcode' })).textContent,
  ).toContain('products had no such column here, so it was added.');
  await user.click(screen.getByRole('button', { name: 'Show all objects' }));
  expect(await screen.findByRole('row', { name: 'create table orders: executed' })).toBeDefined();
});

test('peers show how far their changes were admitted', async () => {
  showApp('#/replica/market/peers');
  const table = await screen.findByRole('table', { name: 'Peers' });
  expect(within(table).getByRole('row', { name: /blocked hq 3,537 4,821 1,284/ })).toBeDefined();
});

interface ListCase {
  readonly tab: string;
  readonly method: Method;
  readonly reading: string;
  readonly failed: string;
  readonly nothing: unknown;
  readonly empty: RegExp;
}

const lists: readonly ListCase[] = [
  {
    tab: 'catalog',
    method: 'replica.catalog',
    reading: 'Reading the catalog',
    failed: 'The catalog',
    nothing: { fingerprint: 'x', objects: [] },
    empty: /catalog is empty/,
  },
  {
    tab: 'migrations',
    method: 'replica.migrations',
    reading: 'Reading the migrations',
    failed: 'The migrations',
    nothing: [],
    empty: /No migration was recorded/,
  },
  {
    tab: 'blocked',
    method: 'replica.blocked',
    reading: 'Reading the blocked batches',
    failed: 'The blocked batches',
    nothing: [],
    empty: /Nothing is blocked here/,
  },
  {
    tab: 'held',
    method: 'replica.held',
    reading: 'Reading the held changes',
    failed: 'The held changes',
    nothing: { counts: [], items: [] },
    empty: /Nothing is held/,
  },
  {
    tab: 'findings',
    method: 'replica.findings',
    reading: 'Reading the findings',
    failed: 'The findings',
    nothing: [],
    empty: /Nothing was found/,
  },
  {
    tab: 'journal',
    method: 'replica.journal',
    reading: 'Reading the decision journal',
    failed: 'The decision journal',
    nothing: [],
    empty: /No decision was made/,
  },
];

test.for(lists)('tab $tab while it is read, when it fails, and when it is empty', async (list) => {
  const waiting = createFakeHost();
  waiting.keepWaiting(list.method);
  const first = showApp(`#/replica/hq/${list.tab}`, waiting);
  expect(await screen.findByRole('status', { name: list.reading })).toBeDefined();
  first.unmount();

  const failing = createFakeHost();
  failing.answer(list.method, () => err({ code: 'internal' }));
  const second = showApp(`#/replica/hq/${list.tab}`, failing);
  expect((await screen.findByRole('alert')).textContent).toContain(`${list.failed} cannot be shown.`);
  second.unmount();

  const empty = createFakeHost();
  empty.answer(list.method, () => ok(list.nothing) as never);
  showApp(`#/replica/hq/${list.tab}`, empty);
  expect(await screen.findByText(list.empty)).toBeDefined();
});

test('a replica that is not in the fleet says so and leads back', async () => {
  showApp('#/replica/nobody/overview');
  expect(await verdict()).toBe('The fleet has no replica at this address.');
  expect(screen.getByRole('link', { name: 'Go to the fleet' })).toBeDefined();
});

test('a replica without links says that nothing is sent, and offers no pause', async () => {
  showApp('#/replica/hq/overview', createFakeHost(aFleet({ replicas: [aReplica('hq')] })));
  expect(await verdict()).toBe('hq stands alone: it has no link yet.');
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
});

test('Sync now asks for this replica alone and says what came of it', async () => {
  const { user, host } = showApp('#/replica/hq/overview');
  await user.click(await screen.findByRole('button', { name: 'Sync now' }));
  expect(await screen.findByText('Synced 41 changes.')).toBeDefined();
  expect(host.asked.find(({ method }) => method === 'fleet.syncNow')?.input).toEqual({ refs: ['hq'] });
});

test('the inspector of a narrow window is shown and put away by its button and by a key', async () => {
  const { user } = showApp('#/replica/market/overview');
  const inspector = await screen.findByRole('complementary', { name: 'This replica' });
  const toggle = within(inspector).getByRole('button', { name: 'Show: This replica' });
  expect(toggle.getAttribute('aria-expanded')).toBe('false');
  await user.click(toggle);
  expect(inspector.hasAttribute('data-open')).toBe(true);
  expect(toggle.textContent).toBe('Put away: This replica');
  await user.keyboard('i');
  expect(toggle.getAttribute('aria-expanded')).toBe('false');
  expect(inspector.hasAttribute('data-open')).toBe(false);
});
