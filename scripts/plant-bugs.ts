// `npm run planted`: plants each bug of planted-bugs.ts in a copy of the tree and asks the random stories of the schema
// whether they find it. `npm run planted -- WORD` takes those alone that have the word in their description. By hand.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';

const root = join(import.meta.dirname, '..');
const word = process.argv[2] ?? '';
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
  if (findsFault() !== null) throw new Error('The stories fail without a planted bug: mend that first.');
  const chosen = PLANTED_BUGS.filter(({ what }) => what.includes(word));
  const missed = chosen.filter((bug) => !isFound(bug));
  console.log(`${chosen.length - missed.length} of ${chosen.length} planted bugs found`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function isFound(bug: PlantedBug): boolean {
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
  const title = findsFault();
  writeFileSync(path, text);
  console.log(`${title === null ? 'MISSED' : 'found '}  ${bug.what}${title === null ? '' : `  (${title})`}`);
  return title !== null;
}

/** Title of the first story that fails; null when all are well. */
function findsFault(): string | null {
  const { status, stdout } = spawnSync(
    'vitest',
    [
      'run',
      '--project',
      'host',
      '--bail',
      '1',
      '--reporter=json',
      'tests/replica/convergence-schema.test.ts',
    ],
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
