import { copyFile, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, patiently, test, verdict } from './support/console-test.ts';

/** Real databases that are not part of the repository; where they are not, there is nothing to open. */
const CHINOOK = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'Chinook_Sqlite.sqlite');

test('a real database is taken under sync and its tables show at once', async ({
  signedIn: page,
  host,
}, testInfo) => {
  testInfo.skip(!existsSync(CHINOOK), 'the shared data files are not beside the repository');
  const path = join(host.dataDir, 'chinook.db');
  await copyFile(CHINOOK, path);
  await page.getByRole('link', { name: 'Open a database' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open a database' });
  await dialog.getByRole('textbox', { name: /Path of the SQLite file/ }).fill(path);
  await dialog.getByRole('button', { name: 'Open the database' }).click();
  await patiently(page.getByText(/^Took 11 tables under sync\./)).toBeVisible();
  await patiently(verdict(page)).toHaveText('chinook stands alone: it has no link yet.');
  const catalog = page.getByRole('grid', { name: 'Catalog' });
  await patiently(catalog.getByRole('row', { name: 'table Album' })).toContainText('347');
  await catalog.getByRole('row', { name: 'table Track' }).click();
  await patiently(page.getByRole('complementary', { name: 'Track' })).toContainText('CREATE TABLE');
});

test('a file that is no database is refused with why and the next step, and stays as it was', async ({
  signedIn: page,
  host,
}) => {
  const path = join(host.dataDir, 'notes.txt');
  await writeFile(path, 'not a database, but a note that is long enough to be read as one. '.repeat(20));
  const before = await stat(path);
  await page.getByRole('link', { name: 'Open a database' }).click();
  const field = page.getByRole('textbox', { name: /Path of the SQLite file/ });
  await field.fill(path);
  await field.press('Enter');
  const alert = page.getByRole('dialog').getByRole('alert');
  await patiently(alert).toContainText('The file was not opened.');
  await patiently(alert).toContainText('notes.txt');
  await patiently(alert).toContainText('The file is as it was.');
  await patiently(field).toHaveValue(path);
  const after = await stat(path);
  expect([after.size, after.mtimeMs]).toEqual([before.size, before.mtimeMs]);
  await page.keyboard.press('Escape');
  await patiently(page.getByRole('dialog')).toBeHidden();
  await patiently(verdict(page)).toHaveText('This fleet has no replica yet.');
});

test('where there is no file, a new replica is made in its place', async ({ signedIn: page, host }) => {
  const path = join(host.dataDir, 'fresh.db');
  await page.getByRole('link', { name: 'Open a database' }).click();
  await page.getByRole('textbox', { name: /Path of the SQLite file/ }).fill(path);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Make a new replica there' }).click();
  await patiently(verdict(page)).toHaveText('fresh stands alone: it has no link yet.');
  await patiently(page.getByText(/The catalog is empty/)).toBeVisible();
  expect(existsSync(path)).toBe(true);
});
