import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { err } from '#shared/result.ts';

import { aFleet, aLink, aReplica, shopsFleet } from '../support/fake-fleet.ts';
import { createFakeHost } from '../support/fake-host.ts';
import { showApp, verdict } from '../support/render-app.tsx';

test('the fleet screen says in words that three need a person, and why', async () => {
  showApp('#/fleet');
  expect(await verdict()).toBe('3 of 5 replicas need you: market, till-1 and till-2 are blocked on orders.');
  expect(screen.getByText(/One decision frees all three\./).textContent).toBe(
    'One decision frees all three. The other 2 look after themselves: 2 in sync.',
  );
});

test('each replica is a row that can be read aloud as a sentence', async () => {
  showApp('#/fleet');
  const grid = await screen.findByRole('grid', { name: 'Replicas' });
  const row = within(grid).getByRole('row', { name: 'market: blocked, 1,284 changes behind' });
  expect(within(row).getByText('blocked')).toBeDefined();
  expect(within(row).getByRole('link', { name: 'Decide on orders, which blocks market' })).toHaveProperty(
    'hash',
    '#/blocked/market/orders-conflictxxxxxxA',
  );
  expect(within(grid).getByRole('row', { name: 'hq: in sync' })).toBeDefined();
});

test('while the fleet is read, nothing pretends to be known', async () => {
  const host = createFakeHost();
  host.keepWaiting('fleet.get');
  showApp('#/fleet', host);
  expect(await screen.findByRole('status', { name: 'Reading the fleet' })).toBeDefined();
  expect(screen.queryByRole('grid')).toBeNull();
});

test('a fleet that cannot be read says what, why and the next step, and can be tried again', async () => {
  const host = createFakeHost();
  host.answer('fleet.get', () => err({ code: 'internal' }));
  const { user } = showApp('#/fleet', host);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(
    'The fleet cannot be shown. The host met a case that it does not know.',
  );
  host.answer('fleet.get', () => ({ ok: true, value: shopsFleet() }));
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('grid', { name: 'Replicas' })).toBeDefined();
});

test('an empty fleet offers three ways to begin', async () => {
  showApp('#/fleet', createFakeHost(aFleet()));
  expect(await verdict()).toBe('This fleet has no replica yet.');
  const offers = screen.getByRole('list', { name: 'Ways to begin' });
  expect(within(offers).getByRole('link', { name: 'Open a database' })).toBeDefined();
  expect(within(offers).getByRole('link', { name: 'Connect to a host' })).toBeDefined();
  expect(within(offers).getByRole('button', { name: 'Try the example fleet' })).toBeDefined();
});

test('trying the example fleet makes it, says where, and shows it', async () => {
  const { user } = showApp('#/fleet', createFakeHost(aFleet()));
  await user.click(await screen.findByRole('button', { name: 'Try the example fleet' }));
  expect(await screen.findByRole('grid', { name: 'Replicas' })).toBeDefined();
  expect(screen.getByText('Made 5 replicas with 5,210 rows in /home/ines/Concord/example.')).toBeDefined();
});

test('the filters count what they show', async () => {
  const { user, address } = showApp('#/fleet');
  await user.click(await screen.findByRole('radio', { name: 'Need you 3' }));
  expect(address()).toBe('#/fleet?show=needYou');
  expect(screen.queryByRole('row', { name: 'hq: in sync' })).toBeNull();
  expect(screen.getByRole('row', { name: /^till-2/ })).toBeDefined();
});

test('the text filter stands in the address, and a filter that fits nothing says so', async () => {
  const { user, address } = showApp('#/fleet');
  await user.type(await screen.findByRole('textbox', { name: /Filter by name/ }), 'zzz');
  expect(address()).toBe('#/fleet?filter=zzz');
  expect(screen.getByText('No replica fits this filter.')).toBeDefined();
});

test('arrow keys walk the grid over the heads of groups, and Enter opens the replica', async () => {
  const { user, address } = showApp('#/fleet?at=harbour');
  const grid = await screen.findByRole('grid', { name: 'Replicas' });
  grid.focus();
  await user.keyboard('{ArrowDown}');
  expect(address()).toBe('#/fleet?at=till-1');
  await user.keyboard('{ArrowDown}');
  expect(address()).toBe('#/fleet?at=hq');
  expect(grid.getAttribute('aria-activedescendant')).toBe(
    screen.getByRole('row', { name: 'hq: in sync' }).id,
  );
  await user.keyboard('{Enter}');
  expect(address()).toBe('#/replica/hq/overview');
});

test('keys pressed on a link inside the grid are the link’s own', async () => {
  const { user, address } = showApp('#/fleet?at=hq');
  const link = await screen.findByRole('link', { name: 'Decide on orders, which blocks market' });
  link.focus();
  await user.keyboard('{Enter}');
  expect(address()).toBe('#/blocked/market/orders-conflictxxxxxxA');
});

test('the inspector says why, since when, and leads to both shapes', async () => {
  showApp('#/fleet?at=market');
  const inspector = await screen.findByRole('complementary', { name: 'market' });
  expect(inspector.textContent).toContain(
    'The table orders was created here and on the side of hq with different columns while they were apart.',
  );
  expect(inspector.textContent).toContain('41 min. Tried 44 times, next try in 38 s.');
  expect(within(inspector).getByRole('link', { name: 'Look at both shapes' })).toHaveProperty(
    'hash',
    '#/blocked/market/orders-conflictxxxxxxA',
  );
});

test('a link is paused from the inspector, said as done, and undone from the notice', async () => {
  const { user, host } = showApp('#/fleet?at=hq');
  await user.click(await screen.findByRole('button', { name: 'Pause the link to harbour' }));
  expect(await screen.findByText('Paused the link to harbour.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Resumed the link to harbour.')).toBeDefined();
  expect(host.asked.filter(({ method }) => method.endsWith('Link')).map(({ method }) => method)).toEqual([
    'fleet.pauseLink',
    'fleet.resumeLink',
  ]);
});

test('the map names every node and link', async () => {
  showApp('#/fleet');
  const map = await screen.findByRole('region', { name: 'Map of replicas and links' });
  expect(
    within(map).getByText('market: blocked, 1,284 changes behind').closest('a')?.getAttribute('href'),
  ).toBe('#/fleet?at=market');
  expect(within(map).getByRole('img', { name: 'Link to harbour: healthy' })).toBeDefined();
  expect(within(map).getByRole('img', { name: 'Link to market: blocked' })).toBeDefined();
});

test('a peer on another host stands on the map by the name of its link', async () => {
  const fleet = shopsFleet();
  const link = { ...aLink('hq', 'x'), id: 'hq-bakery', b: null, bName: 'bakery', via: 'webSocket' as const };
  showApp('#/fleet', createFakeHost({ ...fleet, links: [...fleet.links, link] }));
  const map = await screen.findByRole('region', { name: 'Map of replicas and links' });
  expect(within(map).getByRole('img', { name: 'bakery, a peer on another host' })).toBeDefined();
  expect(within(map).getByRole('img', { name: 'Link to bakery: healthy' })).toBeDefined();
});

test('a thousand replicas are one grid of which only the rows in view are drawn', async () => {
  const replicas = Array.from({ length: 1000 }, (_, index) => aReplica(`till-${index + 1}`));
  showApp('#/fleet', createFakeHost(aFleet({ replicas })));
  const grid = await screen.findByRole('grid', { name: 'Replicas' });
  expect(grid.getAttribute('aria-rowcount')).toBe('1001');
  expect(within(grid).getAllByRole('row').length).toBeLessThan(120);
});

test('a push that the fleet changed is shown without a reload', async () => {
  const { host } = showApp('#/fleet');
  await screen.findByRole('grid', { name: 'Replicas' });
  host.setFleet(aFleet({ replicas: [aReplica('hq')], links: [] }));
  expect(await screen.findByText(/stands alone/)).toBeDefined();
});
