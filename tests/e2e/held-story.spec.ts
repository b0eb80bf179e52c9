import AxeBuilder from '@axe-core/playwright';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, patiently, test, verdict } from './support/console-test.ts';
import { runConcord } from './support/run-concord.ts';

test('a held row is edited without a mouse until it has its place, and the journal says why', async ({
  signedIn: page,
  host,
}) => {
  const folder = join(host.dataDir, 'made');
  await mkdir(folder);
  const concord = (...args: readonly string[]) => runConcord(folder, ...args);
  for (const file of ['depot.db', 'kiosk.db']) concord('init', file);
  concord(
    'exec',
    'depot.db',
    'create table article (id integer primary key, sku text not null unique, price real)',
  );
  concord('sync', 'depot.db', 'kiosk.db');
  concord('exec', 'depot.db', `insert into article values (1, 'A-100', 39.9)`);
  concord('exec', 'kiosk.db', `insert into article values (7, 'A-100', 45)`);
  concord('sync', 'depot.db', 'kiosk.db');

  await page.getByRole('link', { name: 'Open a database' }).click();
  await page.getByRole('textbox', { name: /Path of the SQLite file/ }).fill(join(folder, 'depot.db'));
  await page.keyboard.press('Enter');
  await patiently(verdict(page)).toHaveText('depot stands alone: it has no link yet.');

  await page.getByRole('tab', { name: /^Held/ }).click();
  const list = page.getByRole('grid', { name: 'Held changes' });
  await patiently(list.getByRole('row', { name: /article/ })).toContainText('another row has its unique key');
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit article 7' });
  await dialog.getByRole('textbox', { name: /Why\?/ }).fill('typed twice at the kiosk');
  await dialog.getByRole('textbox', { name: 'price' }).fill('46.5');
  await page.keyboard.press('Enter');
  await patiently(dialog.getByRole('alert')).toContainText('UNIQUE constraint failed: article.sku');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await dialog.getByRole('textbox', { name: 'sku' }).fill('A-101');
  await page.keyboard.press('Enter');

  await patiently(page.getByRole('status', { name: 'What was done' })).toContainText('sku = "A-101"');
  await patiently(page.getByText(/^Nothing is held\./)).toBeVisible();
  await page.getByRole('tab', { name: 'Journal' }).click();
  const entry = page.getByRole('table', { name: 'Decision journal' }).getByRole('row').nth(1);
  await patiently(entry).toContainText('Edit a held row');
  await patiently(entry).toContainText('typed twice at the kiosk');
});
