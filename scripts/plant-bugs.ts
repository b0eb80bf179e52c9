// `npm run planted`: plants each bug of planted-bugs.ts and planted-row-bugs.ts in a copy of the tree and asks the random
// stories whether they find it; with --sim the simulator is asked instead. planted-found.json says which story found
// which bug: that one is asked first, and all that a test run tells where it finds the bug no more; with --hinted only that
// one. `npm run planted -- WORD ...` takes those alone that have one of the words in their description; with --keep the
// file is written anew.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';
import { PLANTED_ROW_BUGS } from './planted-row-bugs.ts';

/** The stories that found a bug, by its description: one of the random stories, and one of the simulator. */
type Found = Readonly<Record<string, Readonly<Partial<Record<Teller, string>>>>>;
type Teller = 'stories' | 'simulator';

const root = join(import.meta.dirname, '..');
const FOUND = join(import.meta.dirname, 'planted-found.json');
/** Stories of the simulator that each bug gets. */
const SIM_SEEDS = 40;
const SIM_ARGS = ['--replicas', '3', '--steps', '60', '--no-shorten', '--until-fault'];
/** A bug may keep a story from ending. */
const MINUTES_MAX = 30;
const COPIED = ['src', 'tests', 'package.json'];
const STORY = /^(seed \d+|[a-zA-Z]+:\d+):? /m;
const ENDLESS = 'one that does not end';

const { values, positionals } = parseArgs({
  options: {
    sim: { type: 'boolean', default: false },
    hinted: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const teller: Teller = values.sim ? 'simulator' : 'stories';

const copy = mkdtempSync(join(tmpdir(), 'concord-planted-'));
try {
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const chosen = [...PLANTED_BUGS, ...PLANTED_ROW_BUGS].filter(({ what }) =>
    positionals.length === 0 ? true : positionals.some((word) => what.includes(word)),
  );
  const missed = chosen.filter((bug) => !isFound(bug));
  console.log(`${chosen.length - missed.length} of ${chosen.length} planted bugs found`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function isFound(bug: PlantedBug): boolean {
  const { what, file, from, to } = bug;
  const path = join(copy, 'src/main', file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) {
    console.log(`cannot be planted  ${what}`);
    return false;
  }
  const planted = text.replace(from, () => to);
  for (const asked of toAsk(bug)) {
    writeFileSync(path, planted);
    const story = faultyStory(asked);
    writeFileSync(path, text);
    // What fails without the bug, too, says nothing of it.
    if (story === null || (story !== ENDLESS && faultyStory(story) !== null)) continue;
    console.log(`found   ${what}  (${story})`);
    if (values.keep) keep(what, story);
    return true;
  }
  console.log(`MISSED  ${what}`);
  return false;
}

/** The story that found it last, then all. */
function toAsk(bug: PlantedBug): readonly string[] {
  const last = readFound()[bug.what]?.[teller];
  const all = values.sim ? [''] : PLANTED_BUGS.includes(bug) ? ['--schema'] : ['--rows', '--schema'];
  return [...(last === undefined ? [] : [last]), ...(values.hinted ? [] : all)];
}

function readFound(): Found {
  return JSON.parse(readFileSync(FOUND, 'utf8')) as Found;
}

function keep(what: string, story: string): void {
  if (story === ENDLESS) return;
  const found = readFound();
  const all = { ...found, [what]: { ...found[what], [teller]: story } };
  const inOrder = [...PLANTED_BUGS, ...PLANTED_ROW_BUGS].flatMap((bug) => {
    const stories = all[bug.what];
    return stories === undefined ? [] : [[bug.what, stories] as const];
  });
  writeFileSync(FOUND, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
}

/** The first story with a fault, of those that are asked for: one by its name, or many; null when all is well. */
function faultyStory(asked: string): string | null {
  const { stdout } = spawnSync(process.execPath, values.sim ? simulatorArgs(asked) : storiesArgs(asked), {
    cwd: copy,
    encoding: 'utf8',
    timeout: MINUTES_MAX * 60_000,
  });
  if (/^\d+ (stories|seeds), /m.test(stdout)) return STORY.exec(stdout)?.[1] ?? null;
  return ENDLESS;
}

function storiesArgs(asked: string): string[] {
  return ['tests/support/tell-stories.ts', '--until-fault', ...(asked === '' ? [] : [asked])];
}

function simulatorArgs(asked: string): string[] {
  const [, seed] = /^seed (\d+)$/.exec(asked) ?? [];
  const which = seed === undefined ? ['--seeds', String(SIM_SEEDS)] : ['--seed', seed];
  return ['tests/simulation/main.ts', ...SIM_ARGS, ...which];
}
