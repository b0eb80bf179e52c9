// `npm run screens`: takes the pictures of every screen anew and keeps them in docs/screens.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const { status } = spawnSync('playwright', ['test', 'screens'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CONCORD_SCREENS: join(root, 'docs', 'screens') },
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
