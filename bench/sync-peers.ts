import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { median } from './measure.ts';
import { CANDIDATES } from './peers/candidates.ts';

/** A round of all takes two minutes. */
const ROUNDS_MAX = 3;

/** How many times as fast Concord is to be; of those without a number of their own, as the fastest of them. */
const TARGETS: ReadonlyMap<string, number> = new Map([
  ['sqlite-sync', 8],
  ['cr-sqlite WASM', 25],
]);
const FASTEST_TARGET = 2;

const RUNNER = fileURLToPath(new URL('./peers/run-candidate.ts', import.meta.url));
const INSTALLED = fileURLToPath(new URL('./peers/node_modules', import.meta.url));

/** The story of sync.end-to-end with other products that merge by themselves: rows carried over per second of processor time. */
export const syncPeers: Bench = {
  names: ['sync.peers'],
  run: (options): readonly BenchResult[] => {
    if (!existsSync(INSTALLED)) {
      process.stderr.write(
        ' left out, since nothing is installed to compare with: npm install --prefix bench/peers;',
      );
      return [];
    }
    const rates = measureRates(options);
    const own = rates.get('concord');
    if (own === undefined) return [];
    const others = [...rates].filter(([name]) => name !== 'concord');
    const fastest = Math.max(...others.filter(([name]) => !TARGETS.has(name)).map(([, rate]) => rate));
    return others.map(([name, rate]) => {
      const target = TARGETS.get(name) ?? (rate === fastest ? FASTEST_TARGET : null);
      return lineOf({ name, rate, own, target });
    });
  },
};

/** Changes per second of processor time, by name; without those that are not installed. */
function measureRates({ folder, rows, rounds }: BenchOptions): ReadonlyMap<string, number> {
  const rates = new Map<string, number[]>();
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round += 1) {
    for (const [name, { share }] of CANDIDATES) {
      const rate = runOnce({ name, rows: Math.floor((rows / 10) * share), folder });
      if (rate !== null) rates.set(name, [...(rates.get(name) ?? []), rate]);
    }
  }
  return new Map([...rates].map(([name, all]) => [name, median(all)]));
}

function runOnce(run: {
  readonly name: string;
  readonly rows: number;
  readonly folder: string;
}): number | null {
  const folder = join(run.folder, 'peer');
  mkdirSync(folder);
  const ended = spawnSync(process.execPath, [RUNNER, run.name, String(run.rows), folder], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true, force: true });
  if (ended.status !== 0) {
    const why = ended.stderr.includes('ERR_MODULE_NOT_FOUND') ? 'not installed' : ended.stderr.trim();
    process.stderr.write(` ${run.name} left out: ${why};`);
    return null;
  }
  const { changes, cpuSeconds } = JSON.parse(ended.stdout) as {
    readonly changes: number;
    readonly cpuSeconds: number;
  };
  return changes / cpuSeconds;
}

function lineOf(line: {
  readonly name: string;
  readonly rate: number;
  readonly own: number;
  readonly target: number | null;
}): BenchResult {
  const ratio = line.own / line.rate;
  return {
    ...{ name: 'sync.peers', variant: `against ${line.name}`, unit: 'rows/CPU s' },
    ...{ value: line.own, baseline: line.rate, ratio, wall: null, wallBaseline: null },
    ...{ target: line.target, atLeast: true, met: line.target === null ? null : ratio >= line.target },
  };
}
