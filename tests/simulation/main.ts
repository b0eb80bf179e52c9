// `npm run sim -- --seeds N --steps M`: tells stories of many replicas and says which seeds have faults, each with a
// scenario file that plays it again. `--help` tells the rest.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { scenarioOf } from './scenario-of.ts';
import { shorten } from './shorten.ts';
import { tellNew, type Told } from './simulate.ts';

const HELP = `npm run sim -- [options]

  --seeds N        how many stories (100)
  --steps M        how many steps each, beside its beginning and its end (40)
  --first S        the first seed (1)
  --replicas R     3 to 8; drawn by the seed otherwise
  --seed S         this seed alone
  --workers W      processes (1)
  --out DIR        scenario files of seeds with faults go there; else they are printed
  --until-fault    ends with the first seed that has faults
  --no-shorten     says which seeds have faults and leaves it at that
  --trace          every step as it is played
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    steps: { type: 'string', default: '40' },
    first: { type: 'string', default: '1' },
    stride: { type: 'string', default: '1' },
    replicas: { type: 'string' },
    seed: { type: 'string' },
    workers: { type: 'string', default: '1' },
    'until-fault': { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    shorten: { type: 'boolean', default: true },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
  allowNegative: true,
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const workers = Number(values.workers);
if (values.help) say(HELP);
else if (workers > 1) await inProcesses(workers);
else await tellAll();

/** Each process takes every so-manieth seed. */
async function inProcesses(count: number): Promise<void> {
  const ends = Array.from({ length: count }, (_none, index) => {
    const seeds = Math.ceil((Number(values.seeds) - index) / count);
    const own = { workers: 1, stride: count, first: Number(values.first) + index, seeds };
    const given = process.argv.slice(2).filter((_arg, at, all) => !isOwn(all[at]) && !isOwn(all[at - 1]));
    const args = [...given, ...Object.entries(own).flatMap(([name, value]) => [`--${name}`, String(value)])];
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit' });
    return new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  });
  process.exitCode = Math.max(...(await Promise.all(ends)));
}

function isOwn(arg: string | undefined): boolean {
  return arg !== undefined && ['--workers', '--first', '--seeds', '--stride'].includes(arg);
}

async function tellAll(): Promise<void> {
  const first = Number(values.seed ?? values.first);
  const count = values.seed === undefined ? Number(values.seeds) : 1;
  const replicas = values.replicas === undefined ? null : Number(values.replicas);
  const trace = values.trace ? { trace: say } : {};
  const began = process.cpuUsage();
  let failed = 0;
  let steps = 0;
  for (let index = 0; index < count; index += 1) {
    const seed = first + index * Number(values.stride);
    const told = await tellNew(seed, { steps: Number(values.steps), replicas, ...trace });
    steps += told.steps;
    if (told.faults.length === 0) continue;
    failed += 1;
    await report(told);
    if (values['until-fault']) break;
  }
  const { user, system } = process.cpuUsage(began);
  const seconds = ((user + system) / 1e6 / count).toFixed(2);
  say(`${count} seeds, ${steps} steps, ${failed} with faults, ${seconds} s of CPU a seed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function report(told: Told): Promise<void> {
  const { seed } = told.story;
  say(`seed ${seed}: ${told.faults.map(({ kind, text }) => `${kind}: ${text.slice(0, 400)}`).join(' | ')}`);
  if (!values.shorten) return;
  const text = scenarioOf(await shorten(told));
  if (values.out === undefined) {
    say(text);
    return;
  }
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, `seed-${seed}.yaml`), text);
}
