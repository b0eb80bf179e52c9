import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { HeldAction } from '#shared/model/held-decision.ts';
import type { CatalogView, ColumnView, HeldView } from '#shared/model/views.ts';
import { err, ok } from '#shared/result.ts';

import { createFakeHost } from '../support/fake-host.ts';
import type { FakeHost } from '../support/fake-host.ts';
import { aCatalog, aHeld } from '../support/fake-views.ts';
import { showApp } from '../support/render-app.tsx';

const TAB = '#/replica/harbour/held';

test('held changes show their values', async () => {
  showApp(TAB);
  const table = await screen.findByRole('grid', { name: 'Held changes' });
  expect(within(table).getAllByRole('row')).toHaveLength(39);
  expect(within(table).getAllByText(/code 'GV-9001', amount 25/)).toHaveLength(1);
});

test('held changes are drained with an answer in words', async () => {
  const { host, user } = showApp(TAB);
  host.answer('replica.decideHeld', ({ action }) =>
    ok({
      ...outcomeOf(action),
      left: [{ table: 'gift_vouchers', reason: 'unknownTable', changes: 38, why: 'Its table is not here.' }],
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Drain' }));
  expect(await screen.findByText('38 changes of gift_vouchers: Its table is not here.')).toBeDefined();
});

test('what a deletion loses is counted, and it asks for a reason and the name of the object', async () => {
  const { host, user } = showApp(TAB);
  host.answer('replica.decideHeld', ({ action }) => ok(outcomeOf(action)));
  await user.selectOptions(await screen.findByLabelText('Which held changes'), 'gift_vouchers unknownTable');
  await user.click(screen.getByRole('button', { name: 'Delete…' }));
  const dialog = screen.getByRole('dialog', { name: 'Delete held changes' });
  const button = await within(dialog).findByRole('button', { name: 'Delete 38 changes' });
  expect(dialog.textContent).toContain('38 changes of 38 rows of gift_vouchers, 3.6 KB, written by hq.');
  await user.click(button);
  await user.type(within(dialog).getByRole('textbox', { name: /Why\?/ }), 'a trial');
  await user.click(button);
  expect(within(dialog).getByText('Type gift_vouchers to confirm.')).toBeDefined();
  // Enter in a field deletes nothing.
  await user.type(within(dialog).getByRole('textbox', { name: /Type the name/ }), 'gift_vouchers{Enter}');
  expect(askedFor(host, 'replica.decideHeld')).toEqual([]);
  await user.click(button);
  expect(await screen.findByText(/Deleted: 38 changes of 38 rows/)).toBeDefined();
  expect(askedFor(host, 'replica.decideHeld')).toEqual([
    {
      ref: 'harbour',
      action: 'delete',
      selection: { table: 'gift_vouchers', reason: 'unknownTable' },
      because: 'a trial',
    },
  ]);
});

test('a deletion of all that is held asks for the name of the replica, and waits for the count', async () => {
  const { host, user } = showApp(TAB);
  host.keepWaiting('replica.measureHeld');
  await user.click(await screen.findByRole('button', { name: 'Delete…' }));
  const dialog = screen.getByRole('dialog', { name: 'Delete held changes' });
  await user.type(within(dialog).getByRole('textbox', { name: /Why\?/ }), 'a trial');
  await user.type(within(dialog).getByRole('textbox', { name: /name of the replica, harbour/ }), 'harbour');
  await user.click(within(dialog).getByRole('button', { name: 'Delete them' }));
  expect(within(dialog).getByText('What is lost is counted first.')).toBeDefined();
  expect(askedFor(host, 'replica.decideHeld')).toEqual([]);
});

const column = (name: string, type: string, change: Partial<ColumnView> = {}): ColumnView => ({
  name,
  type,
  notNull: false,
  defaultText: null,
  collation: null,
  primaryKey: 0,
  generated: false,
  ...change,
});

/** A host that holds one row of a table with these columns. */
function holdingOne(change: Partial<HeldView>, table = 'vouchers'): FakeHost {
  const host = createFakeHost();
  const held = aHeld(7, {
    table: 'vouchers',
    key: ['GV-1'],
    reason: 'uniqueCollision',
    values: { code: 'GV-1', Amount: 25, note: null },
    ...change,
  });
  let items = [held];
  host.answer('replica.held', () =>
    ok({ counts: items.map(({ reason }) => ({ table: 'vouchers', reason, rows: 1 })), items }),
  );
  host.answer('replica.editHeld', () => {
    items = [];
    return ok({ detail: 'The row of vouchers that was held was written with amount = 26.' });
  });
  host.answer('replica.catalog', () => ok(catalogWith(table)));
  return host;
}

function catalogWith(name: string): CatalogView {
  const catalog = aCatalog('inSync');
  const [first] = catalog.objects;
  if (first === undefined) throw new Error('the example catalog has objects');
  const columns = [
    column('code', 'TEXT', { primaryKey: 1, notNull: true }),
    column('amount', 'INTEGER', { notNull: true }),
    column('note', 'TEXT'),
    column('doubled', 'INTEGER', { generated: true }),
    column('photo', 'BLOB'),
  ];
  return { ...catalog, objects: [{ ...first, name, table: name, columns }] };
}

test('a held row is edited by keyboard: its columns as fields, and only what was changed is sent', async () => {
  const host = holdingOne({});
  const { user } = showApp(TAB, host);
  await screen.findByRole('grid', { name: 'Held changes' });
  await user.keyboard('{ArrowDown}{Enter}');
  const dialog = await screen.findByRole('dialog', { name: "Edit vouchers 'GV-1'" });
  expect(
    within(dialog)
      .getAllByRole('group')
      .map((group) => group.textContent),
  ).toEqual([
    expect.stringContaining('codeTEXT, part of the key, which stays'),
    expect.stringContaining('amountINTEGER, demands a value'),
    expect.stringContaining('noteTEXT'),
    expect.stringContaining('photoBLOB; the row has no value: the default goes in'),
  ]);
  expect(within(dialog).getByRole('textbox', { name: 'code' }).hasAttribute('readonly')).toBe(true);
  const amount = within(dialog).getByRole('textbox', { name: 'amount' });
  await user.clear(amount);
  await user.type(amount, '26');
  // What is typed into NULL is taken for what the column keeps.
  await user.type(within(dialog).getByRole('textbox', { name: 'photo' }), '00ff');
  await user.type(within(dialog).getByRole('textbox', { name: /Why\?/ }), 'one was typed twice{Enter}');
  expect(await screen.findByText(/The row of vouchers that was held was written/)).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await screen.findByText(/^Nothing is held\./)).toBeDefined();
  expect(askedFor(host, 'replica.editHeld')).toEqual([
    {
      ref: 'harbour',
      id: 7,
      values: { amount: 26, photo: { blob: '00ff' } },
      because: 'one was typed twice',
    },
  ]);
});

test('a value that cannot be written so is told at its field, and nothing is sent', async () => {
  const host = holdingOne({});
  const { user } = showApp(TAB, host);
  await user.click(await screen.findByText('vouchers'));
  await user.click(screen.getByRole('button', { name: 'Edit…' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox', { name: /Why\?/ }), 'x');
  expect(within(dialog).getByText('Change the value for which it is held.')).toBeDefined();
  const amount = within(dialog).getByRole('textbox', { name: 'amount' });
  await user.type(amount, 'o');
  expect(amount.getAttribute('aria-invalid')).toBe('true');
  expect(within(dialog).getByText('A whole number has digits alone, such as 42 or -7.')).toBeDefined();
  await user.selectOptions(within(dialog).getByRole('combobox', { name: 'How amount is stored' }), 'null');
  expect(within(dialog).getByText('amount demands a value.')).toBeDefined();
  await user.click(within(dialog).getByRole('button', { name: 'Write the row' }));
  expect(askedFor(host, 'replica.editHeld')).toEqual([]);
});

test('what the replica refuses is said in the form, which keeps what was typed', async () => {
  const host = holdingOne({});
  host.answer('replica.editHeld', () =>
    err({
      code: 'has-no-place',
      message: 'SQLite refuses the row: UNIQUE constraint failed: vouchers.note.',
    }),
  );
  const { user } = showApp(TAB, host);
  await screen.findByRole('grid', { name: 'Held changes' });
  await user.keyboard('{ArrowDown}{Enter}');
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox', { name: 'note' }), 'taken');
  await user.type(within(dialog).getByRole('textbox', { name: /Why\?/ }), 'x');
  await user.click(within(dialog).getByRole('button', { name: 'Write the row' }));
  expect((await within(dialog).findByRole('alert')).textContent).toBe(
    'The row was not written. SQLite refuses the row: UNIQUE constraint failed: vouchers.note. ',
  );
  expect(within(dialog).getByRole('textbox', { name: 'note' })).toHaveProperty('value', 'taken');
});

test('a row without a table or column here says what has to come first', async () => {
  const { user, unmount } = showApp(TAB, holdingOne({}, 'others'));
  await screen.findByRole('grid', { name: 'Held changes' });
  await user.keyboard('{ArrowDown}{Enter}');
  expect(await screen.findByText(/^There is no table vouchers here: create it first/)).toBeDefined();
  unmount();

  const second = showApp(TAB, holdingOne({ values: { code: 'GV-1', colour: 'red', faded: null } }));
  await screen.findByRole('grid', { name: 'Held changes' });
  await second.user.keyboard('{ArrowDown}{Enter}');
  expect(
    await screen.findByText('vouchers has no column colour, which the row has a value for: add it first.'),
  ).toBeDefined();
});

test('a part of a row cannot be edited, and the button says why', async () => {
  const { user } = showApp(TAB, holdingOne({ op: 'cells' }));
  const button = await screen.findByRole('button', { name: 'Edit…' });
  expect(screen.getByText('To edit, choose a row.').id).toBe(button.getAttribute('aria-describedby'));
  await user.click(await screen.findByText('vouchers'));
  expect(screen.getByText('Only whole rows are edited.')).toBeDefined();
  await user.click(button);
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

const outcomeOf = (action: HeldAction) => ({
  action,
  changes: 38,
  rows: 38,
  drained: 0,
  left: [],
  detail: '38 changes of 38 rows of gift_vouchers',
});

const askedFor = (host: FakeHost, name: string): readonly unknown[] =>
  host.asked.filter(({ method }) => method === name).map(({ input }) => input);
