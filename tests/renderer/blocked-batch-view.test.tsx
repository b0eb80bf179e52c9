import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { err, ok } from '#shared/result.ts';

import { shopsFreed } from '../support/fake-fleet.ts';
import { createFakeHost } from '../support/fake-host.ts';
import { aDetail, aShape } from '../support/fake-views.ts';
import { showApp, verdict } from '../support/render-app.tsx';

const AT = '#/blocked/market/orders-conflictxxxxxxA';

test('the page says what happened in one sentence, and what is safe', async () => {
  showApp(AT);
  expect(await verdict()).toBe(
    'market cannot take hq’s batch: both sides created orders, with different columns.',
  );
  expect(
    screen.getByText(
      'Blocked for 41 min. Tried 44 times, next try in 38 s. Nothing of the batch is in the tables; all before it has landed.',
    ),
  ).toBeDefined();
});

test('both definitions stand beside each other, and what differs by meaning under them', async () => {
  showApp(AT);
  const both = await screen.findByRole('region', { name: 'Both definitions' });
  expect(
    within(both).getByRole('figure', { name: 'Definition of orders here, on market' }).textContent,
  ).toContain('total REAL');
  expect(
    within(both).getByRole('figure', { name: 'Definition of orders coming in from hq' }).textContent,
  ).toContain('total TEXT');
  const table = within(both).getByRole('table', { name: 'What differs between both definitions' });
  expect(
    within(table).getByRole('row', {
      name: 'total type REAL TEXT numbers become text, or text becomes numbers',
    }),
  ).toBeDefined();
  expect(
    within(table).getByRole('row', {
      name: 'note column here absent its values are held under the shape without it',
    }),
  ).toBeDefined();
});

test('only the options that the host offers are cards, each with its consequence and price', async () => {
  showApp(AT);
  const cards = await screen.findByRole('group', { name: /What should orders be/ });
  expect(within(cards).getAllByRole('radio')).toHaveLength(4);
  await within(cards).findByText(
    'market, till-1 and till-2 change orders to hq’s shape. 440 rows converted, 78 values held.',
  );
  expect(
    within(cards).getByText(
      'hq and harbour change orders to market’s shape. 3,680 rows converted, 3,680 values held.',
    ),
  ).toBeDefined();
  expect(within(cards).queryByText('Merge')).toBeNull();
});

test('the preview counts what the rows go through and who comes free', async () => {
  showApp(AT);
  const about = await screen.findByRole('complementary', { name: 'About this batch' });
  expect(await within(about).findByText('Preview of Take remote')).toBeDefined();
  const lines = within(about)
    .getAllByRole('listitem')
    .map((line) => line.textContent);
  expect(lines).toContain('market, till-1 and till-2 convert 440 rows, none loses');
  expect(lines).toContain('hq and harbour keep 3,680 rows as they are');
  expect(lines).toContain('78 values of note go to held');
  expect(lines).toContain('Then 1,804 waiting changes flow');
  expect(lines).toContain('Frees 3 replicas: market, till-1 and till-2');
});

test('keys choose a card; without a reason it is not applied, and the page says what is missing', async () => {
  const { user, host } = showApp(AT);
  await screen.findByRole('group', { name: /What should orders be/ });
  await user.keyboard('2');
  const button = await screen.findByRole('button', { name: /Keep market’s orders/ });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('Say why; it goes into the decision journal.')).toBeDefined();
  await user.click(button);
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(host.asked.some(({ method }) => method === 'blocked.resolve')).toBe(false);
});

test('a decision is sent with its reason and told replica by replica', async () => {
  const { user, host } = showApp(AT);
  await user.type(await screen.findByRole('textbox', { name: /Why/ }), 'hq counts cents as text');
  await screen.findByText('Nothing is lost by this, so no name has to be typed.');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(await screen.findByText('Replica by replica')).toBeDefined();
  expect(await verdict()).toBe('orders is decided: all three replicas are free.');
  expect(host.asked.find(({ method }) => method === 'blocked.resolve')?.input).toMatchObject({
    ref: 'market',
    option: 'takeRemote',
    because: 'hq counts cents as text',
  });
  expect(screen.getByRole('row', { name: 'market in sync decided here; its line goes on' })).toBeDefined();
  expect(screen.getByRole('row', { name: 'till-1 in sync came free by itself' })).toBeDefined();
  expect(screen.getByRole('row', { name: 'hq in sync took the decision over' })).toBeDefined();
});

test('where a cast loses, the name is typed, the button is red and no key triggers it', async () => {
  const host = createFakeHost();
  host.answer('blocked.preview', ({ conflictId, option }) =>
    ok({
      ...aShape({ lossyCasts: 9 }),
      conflictId,
      option,
      object: 'orders',
      changesLocalShape: true,
      changesRemoteShape: false,
      unitFacts: 1,
      behindChanges: 1,
      replicas: [
        {
          ref: 'market',
          name: 'market',
          role: 'here' as const,
          note: null,
          shape: aShape({
            lossyCasts: 9,
            lossyExamples: [{ column: 'total', key: [{ int: '42' }], from: '12.50 €', to: 12.5 }],
          }),
        },
      ],
    }),
  );
  const { user } = showApp(AT, host);
  await user.type(await screen.findByRole('textbox', { name: /Why/ }), 'cents are enough');
  expect(await screen.findByText('Type orders to confirm.')).toBeDefined();
  await user.type(screen.getByRole('textbox', { name: /Type the name of the table/ }), 'orders');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(host.asked.some(({ method }) => method === 'blocked.resolve')).toBe(false);
  expect(screen.getByText("total of 42: '12.50 €' becomes 12.5")).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Take hq’s orders' }));
  expect(host.asked.some(({ method }) => method === 'blocked.resolve')).toBe(true);
});

test('a large table is not counted unasked, only when P is pressed', async () => {
  const host = createFakeHost();
  host.answer('blocked.get', () => {
    const detail = aDetail(host.fleet(), 'market');
    return detail === null
      ? err({ code: 'replica-unknown', ref: 'market' })
      : ok({ ...detail, localRows: 2_000_000 });
  });
  const { user } = showApp(AT, host);
  expect(await screen.findByText(/The table is large/)).toBeDefined();
  expect(screen.getByText('Preview it first.')).toBeDefined();
  expect(host.asked.some(({ method }) => method === 'blocked.preview')).toBe(false);
  await user.keyboard('p');
  await screen.findByText('Nothing was changed.', { exact: false });
  expect(host.asked.filter(({ method }) => method === 'blocked.preview')).toHaveLength(1);
});

test('each retry of the batch is news, and no reason to run the scratch copies again', async () => {
  const { host } = showApp(AT);
  await screen.findByText('Preview of Take remote');
  await screen.findByText(/Nothing was changed/);
  const count = (method: string) => host.asked.filter((each) => each.method === method).length;
  const before = { get: count('blocked.get'), preview: count('blocked.preview') };
  host.push({ topic: 'blocked', ref: 'market' });
  await vi.waitFor(() => {
    expect(count('blocked.get')).toBe(before.get + 1);
  });
  expect(count('blocked.preview')).toBe(before.preview);
});

test('a preview that cannot be made says why and what else to do', async () => {
  const host = createFakeHost();
  host.answer('blocked.preview', () =>
    err({ code: 'option-does-not-fit', message: 'The columns cannot be matched.' }),
  );
  showApp(AT, host);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The columns cannot be matched. Choose another way out.',
  );
});

test('a decision that is refused says that nothing was decided, and keeps the reason typed', async () => {
  const host = createFakeHost();
  host.answer('blocked.resolve', () =>
    err({ code: 'resolution-failed', message: 'Two rows have the key 7.' }),
  );
  const { user } = showApp(AT, host);
  const why = await screen.findByRole('textbox', { name: /Why/ });
  await user.type(why, 'x');
  await screen.findByText('Nothing is lost by this, so no name has to be typed.');
  await user.click(screen.getByRole('button', { name: /Take hq’s orders/ }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Nothing was decided. Two rows have the key 7. Nothing was changed. Choose another way out, or try again.',
  );
  expect((why as HTMLInputElement).value).toBe('x');
});

test('who else is stuck is named with what waits there', async () => {
  showApp(AT);
  const about = await screen.findByRole('complementary', { name: 'About this batch' });
  expect(within(about).getByText('from harbour, 118 changes')).toBeDefined();
  expect(within(about).getByText('from market, 402 changes')).toBeDefined();
});

test('a conflict that was decided meanwhile says so and leads to the journal', async () => {
  const host = createFakeHost();
  host.setFleet(shopsFreed(host.fleet()));
  showApp(AT, host);
  expect(await verdict()).toBe('market is not blocked on this any more.');
  expect(screen.getByRole('link', { name: 'Look at the journal' })).toBeDefined();
});

test('an address that names no conflict is told apart from a failure of the host', async () => {
  showApp('#/blocked/market/nonsense');
  expect(await verdict()).toBe('market is not blocked on this any more.');
});

test('while it is read bars stand there, and a failure stands in its place', async () => {
  const waiting = createFakeHost();
  waiting.keepWaiting('blocked.get');
  const first = showApp(AT, waiting);
  expect(await screen.findByRole('status', { name: 'Reading the blocked batch' })).toBeDefined();
  first.unmount();
  const failing = createFakeHost();
  failing.answer('blocked.get', () =>
    err({
      code: 'replica-unavailable',
      ref: 'market',
      state: 'locked',
      reason: 'Another program holds market.db.',
    }),
  );
  showApp(AT, failing);
  expect((await screen.findByRole('alert')).textContent).toContain(
    'This blocked batch cannot be shown. Another program holds market.db. It is tried again by itself.',
  );
});

test('the list of blocked batches counts decisions rather than batches', async () => {
  const { user, address } = showApp('#/blocked');
  expect(await verdict()).toBe('3 batches wait for you: orders stops 3 replicas.');
  expect(screen.getByText('One decision frees them all. 1,804 changes wait behind them.')).toBeDefined();
  const grid = screen.getByRole('grid', { name: 'Blocked batches' });
  grid.focus();
  await user.keyboard('j{Enter}');
  expect(address()).toBe('#/blocked/till-1/orders-conflictxxxxxxA');
});

test('with nothing blocked the list says what would stand there', async () => {
  const host = createFakeHost();
  host.setFleet(shopsFreed(host.fleet()));
  showApp('#/blocked', host);
  expect(await verdict()).toBe('Nothing is blocked.');
});
