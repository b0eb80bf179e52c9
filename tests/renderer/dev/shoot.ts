import { mkdir } from 'node:fs/promises';

import react from '@vitejs/plugin-react';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

// Pictures of every screen on the fake host, for laying beside the look:
//   npm exec -- node tests/renderer/dev/shoot.ts OUT [NAME…]

const [out = 'test-results/looks', ...wanted] = process.argv.slice(2);

const SCREENS: Readonly<Record<string, string>> = {
  fleet: '#/fleet?at=till-1',
  replica: '#/replica/market/overview',
  blocked: '#/blocked/market/orders-conflictxxxxxxA',
  catalog: '#/replica/market/catalog?at=table%3Aorders',
  migrations: '#/replica/market/migrations',
  held: '#/held',
  heldTab: '#/replica/harbour/held',
  peers: '#/replica/hq/peers',
  findings: '#/replica/hq/findings',
  journal: '#/replica/hq/journal',
  blockedList: '#/blocked',
  activity: '#/activity',
  settings: '#/settings',
  open: '#/fleet?dialog=open-database',
  keys: '#/fleet?dialog=keys',
  addLink: '#/fleet?dialog=add-link',
};

await mkdir(out, { recursive: true });
const server = await createServer({
  configFile: false,
  root: 'tests/renderer/dev',
  plugins: [react()],
  logLevel: 'warn',
  server: { host: '127.0.0.1', port: 7499, strictPort: true, fs: { allow: ['../../..'] } },
});
await server.listen();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const scheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: scheme });
    const page = await context.newPage();
    page.on('pageerror', (error) => {
      process.stdout.write(`pageerror ${error.message}\n`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        process.stdout.write(`console ${message.text()}\n`);
    });
    for (const [name, hash] of Object.entries(SCREENS)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      await page.goto(`http://127.0.0.1:7499/${hash}`);
      await page.reload();
      await page.waitForSelector('h1');
      if (name === 'blocked')
        await page.waitForSelector('.monaco-diff .char-insert, .monaco-diff .line-insert', {
          timeout: 30_000,
        });
      await page.waitForTimeout(400);
      await page.screenshot({ path: `${out}/${name}-${scheme}.png` });
    }
    for (const name of ['empty', 'lost']) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      await page.goto(`http://127.0.0.1:7499/?${name}`);
      await page.waitForTimeout(900);
      await page.screenshot({ path: `${out}/${name}-${scheme}.png` });
    }
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
