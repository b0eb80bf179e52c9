import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { err } from '#shared/result.ts';

import { NOW_MS, aFleet, aReplica, shopsFleet } from '../support/fake-fleet.ts';
import { createFakeHost } from '../support/fake-host.ts';
import { showApp, verdict } from '../support/render-app.tsx';

test('held changes of the fleet stand by object and reason, with the way to their rows', async () => {
  showApp('#/held');
  expect(await verdict()).toBe('38 changes are held on harbour.');
  const table = await screen.findByRole('table', { name: 'Held changes' });
  expect(
    within(table).getByRole('row', {
      name: 'gift_vouchers the table is not here yet harbour 38 Look at what harbour holds for gift_vouchers',
    }),
  ).toBeDefined();
});

test('with nothing held the screen says what would wait there', async () => {
  showApp('#/held', createFakeHost(aFleet({ replicas: [aReplica('hq')] })));
  expect(await verdict()).toBe('Nothing is held.');
});

test('held changes that cannot be read say so in their own place', async () => {
  const host = createFakeHost();
  host.answer('replica.held', () => err({ code: 'internal' }));
  showApp('#/held', host);
  expect((await screen.findByRole('alert')).textContent).toContain(
    'The held changes of a replica cannot be shown.',
  );
  expect(await verdict()).toBe('38 changes are held on harbour.');
});

test('activity tells what happened as sentences, the newest first', async () => {
  showApp('#/activity');
  const table = await screen.findByRole('table', { name: 'Activity' });
  const rows = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
  expect(rows[0]).toContain('till-1 is blocked on orders, in a batch of harbour.');
  expect(rows.at(-1)).toContain('The example fleet was made, with 5,210 rows.');
});

test('activity while it is read, when it fails, and when nothing happened', async () => {
  const waiting = createFakeHost();
  waiting.keepWaiting('activity.list');
  const first = showApp('#/activity', waiting);
  expect(await screen.findByRole('status', { name: 'Reading the activity' })).toBeDefined();
  first.unmount();
  const failing = createFakeHost();
  failing.answer('activity.list', () => err({ code: 'internal' }));
  const second = showApp('#/activity', failing);
  expect((await screen.findByRole('alert')).textContent).toContain('The activity cannot be shown.');
  second.unmount();
  const empty = createFakeHost();
  empty.answer('activity.list', () => ({ ok: true, value: [] }));
  showApp('#/activity', empty);
  expect(await screen.findByText('Nothing has happened yet.')).toBeDefined();
});

test('the theme is chosen in the settings, and the host tells of itself', async () => {
  const { user, theme } = showApp('#/settings');
  expect((await screen.findByText('3.54.1')).textContent).toBe('3.54.1');
  await user.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(theme.read()).toEqual({ theme: 'dark', scheme: 'dark' });
});

test('an address that is none of the console says so', async () => {
  showApp('#/no/such/screen');
  expect(await verdict()).toBe('The console has no screen at this address.');
});

test('opening a database says that its tables were taken under sync, and shows them', async () => {
  const { user, address, host } = showApp('#/fleet?dialog=open-database');
  const dialog = await screen.findByRole('dialog', { name: 'Open a database' });
  await user.type(
    within(dialog).getByRole('textbox', { name: /Path of the SQLite file/ }),
    '/data/chinook.db',
  );
  await user.type(within(dialog).getByRole('textbox', { name: /Name in the fleet/ }), 'chinook');
  await user.click(within(dialog).getByRole('button', { name: 'Open the database' }));
  expect(await screen.findByText('Took 11 tables under sync. The file was turned to WAL.')).toBeDefined();
  expect(address()).toBe('#/replica/hq/catalog');
  expect(host.asked.find(({ method }) => method === 'fleet.openDatabase')?.input).toEqual({
    path: '/data/chinook.db',
    name: 'chinook',
  });
});

test('a file that is refused says what, why and the next step, and leaves the dialog as it was', async () => {
  const { user } = showApp('#/fleet?dialog=open-database');
  const dialog = await screen.findByRole('dialog', { name: 'Open a database' });
  const path = within(dialog).getByRole('textbox', { name: /Path of the SQLite file/ });
  await user.type(path, '/data/notes.txt{Enter}');
  expect((await within(dialog).findByRole('alert')).textContent).toBe(
    'The file was not opened. /data/notes.txt is not a SQLite database. Choose another file. The file is as it was.',
  );
  expect((path as HTMLInputElement).value).toBe('/data/notes.txt');
});

test('where there is no file, a new replica is offered in its place', async () => {
  const host = createFakeHost();
  host.answer('fleet.openDatabase', ({ path }) =>
    err({ code: 'file-not-found', path, message: `There is no file at ${path}.` }),
  );
  host.answer('fleet.createReplica', () => ({ ok: true, value: { ref: 'hq' } }));
  const { user } = showApp('#/fleet?dialog=open-database', host);
  await user.type(
    await screen.findByRole('textbox', { name: /Path of the SQLite file/ }),
    '/data/new.db{Enter}',
  );
  await user.click(await screen.findByRole('button', { name: 'Make a new replica there' }));
  expect(await screen.findByText('Made a new, empty replica.')).toBeDefined();
});

test('a host that refuses the token says where to get one', async () => {
  const { user } = showApp('#/fleet?dialog=connect-host');
  await user.type(
    await screen.findByRole('textbox', { name: 'Address of the host' }),
    'http://10.0.0.7:7421',
  );
  await user.type(screen.getByLabelText('Token'), 'abc{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('http://10.0.0.7:7421 refuses the token.');
});

test('two replicas are linked by name', async () => {
  const { user, host } = showApp('#/fleet?at=hq&dialog=add-link');
  await screen.findByRole('grid', { name: 'Replicas' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Which one' }), 'till-1');
  await user.click(screen.getByRole('button', { name: 'Link hq and till-1' }));
  expect(await screen.findByText('Linked hq and till-1. They sync from now on.')).toBeDefined();
  expect(host.asked.find(({ method }) => method === 'fleet.addLink')?.input).toEqual({
    a: 'hq',
    b: 'till-1',
  });
});

test('a replica is linked to a peer on another host with its address and token', async () => {
  const host = createFakeHost();
  host.answer('fleet.addPeer', () => ({ ok: true, value: { id: 'hq-bakery' } }));
  const { user } = showApp('#/fleet?at=hq&dialog=add-link', host);
  await screen.findByRole('grid', { name: 'Replicas' });
  await user.click(screen.getByRole('radio', { name: 'and a peer on another host' }));
  await user.type(screen.getByRole('textbox', { name: /Address of the peer/ }), 'ws://10.0.0.7:4021/abc');
  await user.type(screen.getByLabelText('Token with the role sync'), 'secret');
  await user.type(screen.getByRole('textbox', { name: /What to call it/ }), 'bakery');
  await user.click(screen.getByRole('button', { name: 'Link hq' }));
  expect(await screen.findByText('Linked hq to bakery. They sync from now on.')).toBeDefined();
  expect(host.asked.find(({ method }) => method === 'fleet.addPeer')?.input).toEqual({
    ref: 'hq',
    url: 'ws://10.0.0.7:4021/abc',
    token: 'secret',
    name: 'bakery',
  });
});

test('a link is removed after a question that says what stays', async () => {
  const host = createFakeHost();
  host.answer('fleet.removeLink', () => ({ ok: true, value: null }));
  const { user } = showApp('#/fleet?at=hq', host);
  await user.click(await screen.findByRole('button', { name: 'Remove the link to harbour' }));
  expect(screen.getByText(/Both keep what they have/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Remove the link' }));
  expect(await screen.findByText('Removed the link to harbour.')).toBeDefined();
});

test('a replica is renamed and taken out of the fleet, and its file stays', async () => {
  const host = createFakeHost();
  host.answer('fleet.renameReplica', () => ({ ok: true, value: null }));
  host.answer('fleet.remove', () => ({ ok: true, value: null }));
  const { user, address } = showApp('#/replica/hq/overview', host);
  await user.click(await screen.findByRole('button', { name: 'Rename' }));
  const name = await screen.findByRole('textbox', { name: 'Name in this fleet' });
  await user.clear(name);
  await user.type(name, 'office{Enter}');
  expect(await screen.findByText('It is called office now.')).toBeDefined();
  expect(host.asked.find(({ method }) => method === 'fleet.renameReplica')?.input).toEqual({
    ref: 'hq',
    name: 'office',
    group: 'Head office',
  });
  await user.click(screen.getByRole('button', { name: 'Take out of the fleet' }));
  await user.click(await screen.findByRole('button', { name: 'Take hq out' }));
  expect(await screen.findByText('Took hq out of the fleet. Its file is as it was.')).toBeDefined();
  expect(address()).toBe('#/fleet');
});

test('a connected host that is silent is said in the rail and in the settings, and can be let go', async () => {
  const fleet = shopsFleet();
  const hosts = [{ url: 'http://10.0.0.7:4021', reachable: false, reason: 'It refuses the connection.' }];
  const host = createFakeHost({ ...fleet, hosts });
  host.answer('fleet.disconnectHost', () => ({ ok: true, value: null }));
  const { user } = showApp('#/settings', host);
  expect(await screen.findByText('This machine and 1 host, 1 silent')).toBeDefined();
  expect(screen.getByText('It refuses the connection.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText(/Disconnected http:\/\/10\.0\.0\.7:4021/)).toBeDefined();
});

test('a dialog that is closed leaves the address without it', async () => {
  const { user, address } = showApp('#/fleet?at=hq&dialog=keys');
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  expect(address()).toBe('#/fleet?at=hq');
});

test('the palette finds a conflict by object and goes there', async () => {
  const { user, address } = showApp('#/fleet');
  await screen.findByRole('grid');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(
    await screen.findByRole('combobox', { name: /A replica, an object or an action/ }),
    'orders till-2',
  );
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Decide orders on till-2divergent definition',
  ]);
  await user.keyboard('{Enter}');
  expect(address()).toBe('#/blocked/till-2/orders-conflictxxxxxxA');
});

test('G and a letter go to a screen, Esc goes back up', async () => {
  const { user, address } = showApp('#/replica/hq/overview');
  await verdict();
  await user.keyboard('gb');
  expect(address()).toBe('#/blocked');
  await user.keyboard('{Escape}');
  expect(address()).toBe('#/fleet');
});

test('the rail names the replicas worst first, with their state as a word', async () => {
  showApp('#/settings');
  const rail = await screen.findByRole('list', { name: 'Replicas, worst first' });
  expect(
    within(rail)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['marketblocked', 'till-1blocked', 'till-2blocked', 'harbourin sync', 'hqin sync']);
});

test('a lost host is said with since when and what next, and what is known stays', async () => {
  const { host } = showApp('#/fleet');
  await screen.findByRole('grid', { name: 'Replicas' });
  host.setLinkState({
    status: 'lost',
    why: 'noAnswer',
    sinceMs: NOW_MS - 9000,
    attempts: 3,
    nextTryMs: NOW_MS + 4000,
  });
  const strip = await screen.findByRole('alert');
  expect(strip.textContent).toMatch(
    /^The host does not answer, since \d\d:39:51\. Tried again in 4 s\. What is shown is as of then; nothing is lost\./,
  );
  expect(screen.getByRole('grid', { name: 'Replicas' })).toBeDefined();
});

test('when the host is back, everything is asked again', async () => {
  const { host } = showApp('#/fleet');
  await screen.findByRole('grid', { name: 'Replicas' });
  host.setLinkState({ status: 'lost', why: 'noAnswer', sinceMs: NOW_MS, attempts: 1, nextTryMs: null });
  host.answer('fleet.get', () => ({ ok: true, value: aFleet({ replicas: [aReplica('back')] }) }));
  host.setLinkState({ status: 'open' });
  expect(await screen.findByRole('row', { name: 'back: in sync' })).toBeDefined();
});

test('a session that the host does not know any more says where the sign-in link is', async () => {
  const { host } = showApp('#/fleet');
  await screen.findByRole('grid', { name: 'Replicas' });
  host.setLinkState({ status: 'lost', why: 'signedOut', sinceMs: NOW_MS, attempts: 1, nextTryMs: null });
  expect((await screen.findByRole('alert')).textContent).toContain('Open the sign-in link that it prints');
});
