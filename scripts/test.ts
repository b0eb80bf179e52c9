// `npm test`: every test there is, then one line with their number. `npm test -- vitest` runs one kind only.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import {
  formatTotals,
  playwrightTotals,
  sumTotals,
  vitestFailures,
  vitestTotals,
  withExitStatus,
  type PlaywrightReport,
  type Totals,
  type VitestReport,
} from './totals.ts';

const root = join(import.meta.dirname, '..');
const reports = join(root, 'node_modules/.cache/test-reports');
const NOTHING: Totals = { passed: 0, failed: 0, skipped: 0 };

/** Told once more at the end, where whoever reads the log looks first. */
const failures: string[] = [];

const runners = { vitest: runVitest, playwright: runPlaywright };
const wanted = process.argv.slice(2);
mkdirSync(reports, { recursive: true });
const all = Object.entries(runners)
  .filter(([name]) => wanted.length === 0 || wanted.includes(name))
  .map(([, run]) => run());
const totals = sumTotals(all);
for (const failure of failures) console.log(failure);
console.log(formatTotals(totals));
process.exitCode = totals.failed === 0 && all.length > 0 ? 0 : 1;

function runVitest(): Totals {
  const report = freshReport('vitest.json');
  const status = run('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  return withExitStatus(
    totalsOf(report, (json) => {
      failures.push(...vitestFailures(json as VitestReport));
      return vitestTotals(json as VitestReport);
    }),
    status,
  );
}

function runPlaywright(): Totals {
  const report = freshReport('playwright.json');
  const status = run('playwright', ['test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  return withExitStatus(
    totalsOf(report, (json) => playwrightTotals(json as PlaywrightReport)),
    status,
  );
}

function freshReport(name: string): string {
  const path = join(reports, name);
  rmSync(path, { force: true });
  return path;
}

function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): number | null {
  return spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  }).status;
}

/** A runner that left no report has counted nothing; its exit status tells that it failed. */
function totalsOf(report: string, read: (json: unknown) => Totals): Totals {
  try {
    return read(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    return NOTHING;
  }
}
