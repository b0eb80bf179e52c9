import { test as base, expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { startHeadlessHost } from './headless-host.ts';
import type { HeadlessHost } from './headless-host.ts';

interface ConsoleFixtures {
  readonly host: HeadlessHost;
  /** A page that is signed in and shows the fleet. It fails the test when the page reports a fault. */
  readonly signedIn: Page;
}

/** A bound on what hangs, not a measure: the machines that test are often busy. */
const PATIENCE_MS = 120_000;

/** A test against a host of its own. */
export const test = base.extend<ConsoleFixtures>({
  // Playwright reads the first parameter's names; this fixture needs none.
  host: async ({}, use, testInfo) => {
    testInfo.setTimeout(3 * PATIENCE_MS);
    const host = await startHeadlessHost();
    await use(host);
    await host.end();
  },
  signedIn: async ({ page, host }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(host.signInLink);
    await expect(page.getByRole('navigation', { name: 'Concord' })).toBeVisible();
    await use(page);
    expect(faults, 'faults that the page reported').toEqual([]);
  },
});

/** Makes the example fleet from the first start, and waits until its three stuck replicas are known. */
export async function tryExampleFleet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the example fleet' }).click();
  await expect(verdict(page)).toHaveText(/^3 of 5 replicas need you: /, { timeout: PATIENCE_MS });
}

/** The sentence that the screen opens with. */
export const verdict = (page: Page) => page.getByRole('heading', { level: 1 });

/** Waits as long as a busy machine may need. */
export const patiently = expect.configure({ timeout: PATIENCE_MS });

export { expect } from '@playwright/test';
