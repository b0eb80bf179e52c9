// `npm run sim -- --seeds N --steps M [--first S] [--replicas 3..8] [--seed S] [--trace]`: tells stories of many replicas
// and says which seeds have faults, each with a scenario file that plays it again.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { scenarioOf } from './scenario-of.ts';
import { shorten } from './shorten.ts';
import { tellNew } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    steps: { type: 'string', default: '40' },
    first: { type: 'string', default: '1' },
    replicas: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    shorten: { type: 'boolean', default: true },
    out: { type: 'string' },
  },
  allowNegative: true,
});
const first = Number(values.seed ?? values.first);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const trace = values.trace ? { trace: (line: string) => void process.stdout.write(`${line}\n`) } : {};
const replicas = values.replicas === undefined ? null : Number(values.replicas);

let failed = 0;
let steps = 0;
const began = process.cpuUsage();
for (let seed = first; seed < first + count; seed += 1) {
  const told = await tellNew(seed, { steps: Number(values.steps), replicas, ...trace });
  steps += told.steps;
  if (told.faults.length === 0) continue;
  failed += 1;
  process.stdout.write(
    `seed ${seed}: ${told.faults.map(({ kind, text }) => `${kind}: ${text.slice(0, 400)}`).join(' | ')}\n`,
  );
  if (!values.shorten) continue;
  const short = await shorten(told);
  const text = scenarioOf(short);
  if (values.out === undefined) process.stdout.write(`${text}\n`);
  else {
    mkdirSync(values.out, { recursive: true });
    writeFileSync(join(values.out, `seed-${seed}.yaml`), text);
  }
}
const spent = process.cpuUsage(began);
const seconds = (spent.user + spent.system) / 1e6;
process.stdout.write(
  `${count} seeds, ${steps} steps, ${failed} with faults, ${(seconds / count).toFixed(2)} s of CPU a seed\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
