// `npm run stories -- [POOL:SEED ...]`: tells random stories of three replicas and says which have faults. Without
// names it tells those of a test run, one of each pool in turn. `--help` tells the rest.
import { parseArgs } from 'node:util';

import { stepText } from './convergence-steps.ts';
import { playStory, shrinkStory } from './convergence-story.ts';
import { ROW_TELLERS, SCHEMA_TELLERS } from './convergence-tellers.ts';
import type { StoryTeller } from './convergence-tellers.ts';

const TELLERS = [...SCHEMA_TELLERS, ...ROW_TELLERS];

const HELP = `npm run stories -- [options] [POOL:SEED ...]

  POOL:SEED        these stories alone
  --pool P         the stories of this pool; may be given again
  --schema         the pools that are about the schema
  --rows           the pools that are about rows
  --seeds N        how many stories of each pool (as many as a test run tells)
  --first S        the first seed (1)
  --until-fault    ends with the first story that has a fault
  --shorten        prints the shortest story that still fails
  --trace          every step as it is played

pools: ${TELLERS.map(({ pool }) => pool).join(', ')}
`;

const { values, positionals } = parseArgs({
  options: {
    pool: { type: 'string', multiple: true },
    schema: { type: 'boolean', default: false },
    rows: { type: 'boolean', default: false },
    seeds: { type: 'string' },
    first: { type: 'string', default: '1' },
    'until-fault': { type: 'boolean', default: false },
    shorten: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

interface Story {
  readonly teller: StoryTeller;
  readonly seed: number;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
if (values.help) say(HELP);
else tellAll(positionals.length > 0 ? positionals.map(storyNamed) : storiesInTurn());

function tellAll(stories: readonly Story[]): void {
  let told = 0;
  let failed = 0;
  for (const story of stories) {
    const faults = faultsOf(story);
    told += 1;
    if (faults.length === 0) continue;
    failed += 1;
    report(story, faults);
    if (values['until-fault']) break;
  }
  say(`${told} stories, ${failed} with faults`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** A story that ends in an exception has it for its fault. */
function faultsOf({ teller, seed }: Story, steps = teller.tell(seed)): readonly string[] {
  try {
    return playStory(seed, steps, { ...teller.how, ...(values.trace ? { trace: say } : {}) }).faults;
  } catch (cause) {
    return [cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)];
  }
}

function report({ teller, seed }: Story, faults: readonly string[]): void {
  say(`${teller.pool}:${seed} ${faults.map((fault) => fault.slice(0, 400)).join(' | ')}`);
  if (!values.shorten) return;
  const shortest = shrinkStory(seed, teller.tell(seed), teller.how);
  for (const step of shortest) say(`  ${stepText(step)}`);
  // It need not fail as the whole one does.
  for (const fault of faultsOf({ teller, seed }, shortest)) say(`  ${fault.slice(0, 400)}`);
}

function storyNamed(name: string): Story {
  const [pool = '', seed = ''] = name.split(':');
  return { teller: tellerOf(pool), seed: Number(seed) };
}

function tellerOf(pool: string): StoryTeller {
  const teller = TELLERS.find((candidate) => candidate.pool === pool);
  if (teller === undefined) throw new Error(`There is no pool ${pool}: ${HELP}`);
  return teller;
}

function tellersAsked(): readonly StoryTeller[] {
  if (values.schema === values.rows) return TELLERS;
  return values.schema ? SCHEMA_TELLERS : ROW_TELLERS;
}

/** The first of each pool, then the second of each. */
function storiesInTurn(): readonly Story[] {
  const tellers = values.pool?.map(tellerOf) ?? tellersAsked();
  const first = Number(values.first);
  const countOf = ({ seeds }: StoryTeller): number => Number(values.seeds ?? seeds);
  const rounds = Math.max(...tellers.map(countOf));
  return Array.from({ length: rounds }, (_none, round) =>
    tellers.filter((teller) => round < countOf(teller)).map((teller) => ({ teller, seed: first + round })),
  ).flat();
}
