// `npm run check`: every check that needs no running program, two at a time, then one line with their number.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { formatTotals } from './totals.ts';

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

interface Outcome {
  readonly name: string;
  readonly isFine: boolean;
  readonly output: string;
}

const root = join(import.meta.dirname, '..');
const AT_A_TIME = 2;

const types = (world: string): Check => ({
  name: `types of ${world}`,
  command: 'tsc',
  args: ['-p', `tsconfig.${world}.json`],
});

// The longest first, so that the two lanes end together.
const checks: readonly Check[] = [
  { name: 'lint', command: 'eslint', args: ['--max-warnings', '0', '.'] },
  types('tests'),
  types('node'),
  types('web'),
  types('pure'),
  { name: 'format', command: 'prettier', args: ['--check', '--log-level', 'warn', '.'] },
  {
    name: 'dependency rules',
    command: 'depcruise',
    args: ['--config', '.dependency-cruiser.cjs', 'src', 'tests', 'scripts', 'bench*'],
  },
  { name: 'dead code', command: 'knip', args: ['--no-progress'] },
  { name: 'tidiness', command: 'node', args: ['scripts/check-tidy.ts'] },
  { name: 'documents', command: 'node', args: ['scripts/check-docs.ts'] },
];

const waiting = [...checks];
const lanes = Array.from({ length: AT_A_TIME }, () => runLane());
const outcomes = (await Promise.all(lanes)).flat();
const failed = outcomes.filter(({ isFine }) => !isFine).length;
console.log(formatTotals({ passed: outcomes.length - failed, failed, skipped: 0 }));
process.exitCode = failed === 0 ? 0 : 1;

async function runLane(): Promise<readonly Outcome[]> {
  const done: Outcome[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const outcome = await runCheck(next);
    console.log(outcome.isFine ? `ok      ${outcome.name}` : `FAILED  ${outcome.name}\n${outcome.output}`);
    done.push(outcome);
  }
  return done;
}

function runCheck({ name, command, args }: Check): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, shell: process.platform === 'win32' });
    let output = '';
    const keep = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', (cause) => resolve({ name, isFine: false, output: String(cause) }));
    child.on('close', (status) => resolve({ name, isFine: status === 0, output }));
  });
}
