import { existsSync, readFileSync } from 'node:fs';

import { defineConfig } from '@playwright/test';

/** The browser that scripts/bootstrap.mjs found or installed; null stands for Playwright's own. */
const executablePath = readBrowserNote(new URL('node_modules/.cache/browser.json', import.meta.url));

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath !== null && { executablePath }),
      args: [
        // Containers, where tests mostly run, have no user namespaces for Chromium's sandbox.
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});

/** Checks read this file as well, before any browser was looked for. */
function readBrowserNote(note: URL): string | null {
  if (!existsSync(note)) return null;
  const noted = JSON.parse(readFileSync(note, 'utf8')) as { readonly executablePath: string | null };
  return noted.executablePath;
}
