import { patiently, test, tryExampleFleet, verdict } from './support/console-test.ts';

test('the operator’s story without a mouse', async ({ signedIn: page }) => {
  await page.keyboard.press('Tab');
  await patiently(page.getByRole('link', { name: 'To the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await patiently(page.getByRole('main')).toBeFocused();
  await tryExampleFleet(page);

  await page.keyboard.press('/');
  await patiently(page.getByRole('textbox', { name: /Filter by name/ })).toBeFocused();
  await page.keyboard.type('harbour');
  await patiently(
    page.getByRole('grid', { name: 'Replicas' }).getByRole('row', { name: /^market/ }),
  ).toBeHidden();
  await page.keyboard.press('Escape');

  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await patiently(verdict(page)).toHaveText('4 batches wait for you: orders stops 3 replicas.');
  // Arrow keys work without going to the list first, which then has the focus.
  await page.keyboard.press('j');
  await patiently(page.getByRole('grid', { name: 'Blocked batches' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await patiently(verdict(page)).toHaveText(/^hq cannot take .+’s batch: both sides created orders/);

  await page.keyboard.press('2');
  await patiently(page.getByRole('radio', { name: 'Keep local' })).toBeChecked();
  await page.keyboard.press('1');
  await patiently(page.getByRole('radio', { name: 'Take remote' })).toBeChecked();
  await page.keyboard.press('d');
  await patiently(page.getByRole('button', { name: 'Show side by side' })).toBeVisible();
  await page.keyboard.press('d');
  await page.keyboard.press('p');
  await patiently(page.getByText('Preview of Take remote')).toBeVisible();
  await patiently(page.getByText(/^On scratch copies/)).toBeVisible();

  await page.getByRole('textbox', { name: /Why\?/ }).focus();
  await page.keyboard.type('Decided without a mouse');
  await page.keyboard.press('Control+Enter');
  await patiently(verdict(page)).toHaveText('orders is decided: all three replicas are free.');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('till-2');
  await page.keyboard.press('Enter');
  await patiently(verdict(page)).toHaveText('till-2 is in sync.');
  await page.getByRole('tab', { name: 'Overview' }).focus();
  await page.keyboard.press('End');
  await patiently(page.getByRole('tab', { name: 'Journal' })).toBeFocused();
  await page.keyboard.press('Escape');
  await patiently(verdict(page)).toHaveText('All 5 replicas are in sync.');

  await page.keyboard.press('?');
  await patiently(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
  await patiently(page.getByRole('dialog')).toBeHidden();
});
