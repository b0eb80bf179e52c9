// `npm run planted`: plants each bug of planted-bugs.ts in a copy of the tree and asks the random stories
// whether they find it. `npm run planted -- WORD` takes those alone that have the word in their description; with --sim the
// simulator is asked instead. By hand.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';
import { PLANTED_ROW_BUGS } from './planted-row-bugs.ts';

const root = join(import.meta.dirname, '..');
const asksSimulator = process.argv.includes('--sim');
const word = process.argv.slice(2).find((arg) => !arg.startsWith('--')) ?? '';
/** Stories of the simulator that each bug gets. */
const SIM_ARGS = ['--seeds', '30', '--steps', '30', '--no-shorten'];
const COPIED = [
  'src',
  'tests',
  'package.json',
  ...['', '.base', '.pure', '.node', '.web', '.tests'].map((name) => `tsconfig${name}.json`),
  'vitest.config.ts',
];

const copy = mkdtempSync(join(tmpdir(), 'concord-planted-'));
try {
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const known = asksSimulator ? failingSeeds() : new Set<string>();
  if (!asksSimulator && findsFault() !== null)
    throw new Error('The stories fail without a planted bug: mend that first.');
  const chosen = [...PLANTED_BUGS, ...PLANTED_ROW_BUGS].filter(({ what }) => what.includes(word));
  const missed = chosen.filter((bug) => !isFound(bug, known));
  console.log(`${chosen.length - missed.length} of ${chosen.length} planted bugs found`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function isFound(bug: PlantedBug, known: ReadonlySet<string>): boolean {
  const path = join(copy, 'src/main', bug.file);
  const text = readFileSync(path, 'utf8');
  if (text.split(bug.from).length !== 2) {
    console.log(`cannot be planted  ${bug.what}`);
    return false;
  }
  writeFileSync(
    path,
    text.replace(bug.from, () => bug.to),
  );
  const title = asksSimulator ? newSeed(known) : findsFault();
  writeFileSync(path, text);
  console.log(`${title === null ? 'MISSED' : 'found '}  ${bug.what}${title === null ? '' : `  (${title})`}`);
  return title !== null;
}

/** The first seed that fails with the bug and not without it; null when there is none. */
function newSeed(known: ReadonlySet<string>): string | null {
  const [seed] = [...failingSeeds()].filter((failing) => !known.has(failing));
  return seed === undefined ? null : `seed ${seed}`;
}

function failingSeeds(): ReadonlySet<string> {
  const told = spawnSync(process.execPath, ['tests/simulation/main.ts', ...SIM_ARGS], {
    cwd: copy,
    encoding: 'utf8',
  });
  if (!told.stdout.includes(' seeds, ')) return new Set(['that does not end']);
  return new Set([...told.stdout.matchAll(/^seed (\d+):/gm)].map(([, seed]) => seed ?? ''));
}

/** Title of the first story that fails; null when all are well. */
function findsFault(): string | null {
  const { status, stdout } = spawnSync(
    'vitest',
    ['run', '--project', 'host', '--bail', '1', '--reporter=json', 'tests/replica/convergence'],
    {
      cwd: copy,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      env: { ...process.env, SCHEMA_SHRINK: 'no' },
    },
  );
  if (status === 0) return null;
  return /"fullName":"([^"]*)","status":"failed"/.exec(stdout)?.[1] ?? 'the program does not start';
}
