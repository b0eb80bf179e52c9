import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, patiently, test, tryExampleFleet } from './support/console-test.ts';

// Every screen in both themes: axe finds nothing on it, and its picture lies with the test's results. `npm run screens`
// keeps those of the main screens in docs/screens.
const KEPT_IN = process.env['CONCORD_SCREENS'];
const KEPT: readonly string[] = ['first-start', 'fleet', 'replica', 'blocked', 'outcome'];

test('axe finds nothing on any screen in either theme, and each has its picture', async ({
  signedIn: page,
}, testInfo) => {
  const folderOf = (name: string): string =>
    KEPT_IN !== undefined && KEPT.includes(name) ? KEPT_IN : testInfo.outputDir;
  for (const folder of [KEPT_IN ?? testInfo.outputDir, testInfo.outputDir])
    await mkdir(folder, { recursive: true });
  const examine = async (name: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      expect.soft(await findings(page), `${name}, ${colorScheme}`).toEqual([]);
      await page.screenshot({
        path: join(folderOf(name), `${name}-${colorScheme}.png`),
        animations: 'disabled',
      });
    }
  };

  await examine('first-start');
  await tryExampleFleet(page);
  await patiently(page.getByText(/^Made 5 replicas/)).toBeHidden();
  await examine('fleet');

  await page.getByRole('row', { name: /^market: blocked/ }).dblclick();
  await patiently(page.getByText('Stops here.')).toBeVisible();
  await examine('replica');
  for (const tab of ['Catalog', 'Migrations', 'Blocked', 'Held', 'Peers', 'Findings', 'Journal']) {
    await page.getByRole('tab', { name: tab }).click();
    await patiently(page.getByRole('status', { name: /^Reading/ })).toBeHidden();
    await examine(`replica-${tab.toLowerCase()}`);
  }

  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await patiently(page.getByRole('grid', { name: 'Blocked batches' })).toBeVisible();
  await examine('blocked-list');
  await page.keyboard.press('Enter');
  await patiently(page.locator('.monaco-diff-editor .char-delete').first()).toBeVisible();
  await patiently(page.getByText(/^On scratch copies/)).toBeVisible();
  await page.getByRole('textbox', { name: /Why\?/ }).fill('The tills are in use; the office follows them');
  await examine('blocked');

  await page.keyboard.press('Control+k');
  await patiently(page.getByRole('combobox')).toBeVisible();
  await examine('palette');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Take .*orders/ }).click();
  await patiently(page.getByRole('heading', { level: 1 })).toHaveText(/is decided/);
  await examine('outcome');

  for (const screen of ['Held changes', 'Activity', 'Settings']) {
    await page.getByRole('link', { name: screen }).first().click();
    await patiently(page.getByRole('status', { name: /^Reading/ })).toBeHidden();
    await examine(screen.toLowerCase().replace(' ', '-'));
  }
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.getByRole('link', { name: 'Add replica' }).click();
  await patiently(page.getByRole('dialog', { name: 'Open a database' })).toBeVisible();
  await examine('open-database');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a link' }).click();
  await examine('add-link');
  await page.getByText('and a peer on another host').click();
  await examine('add-peer');
});

/** What axe objects to, as one line each. */
async function findings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${String(target)}: ${failureSummary ?? ''}`),
  );
}

/** Fonts are there and the pointer rests on nothing. */
async function settle(page: Page): Promise<void> {
  await page.mouse.move(700, 2);
  await page.evaluate(() => document.fonts.ready);
}
