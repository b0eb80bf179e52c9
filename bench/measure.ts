import type { BenchResult } from './bench.ts';

/** One way to do the work. Everything outside of `work` goes unmeasured. */
export interface Contender {
  readonly name: string;
  /** Makes ready for one repetition; gives the work to measure and what to do afterwards. */
  readonly prepare: (repetition: string) => PreparedWork;
}

export interface PreparedWork {
  readonly work: () => void | Promise<void>;
  readonly finish: () => void;
  /** A further figure of this repetition, read after the work: bytes written, for instance. */
  readonly gauge?: () => number;
}

export interface Timing {
  /** Seconds of processor time, user and system. */
  readonly cpu: number;
  readonly wall: number;
  readonly gauge: number;
}

/**
 * Measures contenders in turns, each round in the reverse order of the one before, so that a machine that grows slower
 * or faster meanwhile favours nobody. Gives medians.
 */
export async function measure(
  contenders: readonly Contender[],
  rounds: number,
): Promise<ReadonlyMap<string, Timing>> {
  const timings = new Map<string, Timing[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const contender of order) {
      timings.get(contender.name)?.push(await time(contender, `${contender.name} ${round}`));
    }
  }
  return new Map([...timings].map(([name, all]) => [name, medianTiming(all)]));
}

async function time(contender: Contender, repetition: string): Promise<Timing> {
  const prepared = contender.prepare(repetition.replaceAll(/[^a-z0-9]+/gi, '-'));
  globalThis.gc?.();
  const cpuBefore = process.cpuUsage();
  const wallBefore = performance.now();
  await prepared.work();
  const wall = (performance.now() - wallBefore) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  const gauge = prepared.gauge?.() ?? 0;
  prepared.finish();
  return { cpu: (cpu.user + cpu.system) / 1_000_000, wall, gauge };
}

function medianTiming(timings: readonly Timing[]): Timing {
  return {
    cpu: median(timings.map(({ cpu }) => cpu)),
    wall: median(timings.map(({ wall }) => wall)),
    gauge: median(timings.map(({ gauge }) => gauge)),
  };
}

/** The value in the middle; of an even count the mean of both. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** The CPU of one contender against another as a line of the table. */
export function compareCpu(
  timings: ReadonlyMap<string, Timing>,
  line: {
    readonly name: string;
    readonly variant: string;
    readonly contender: string;
    readonly baseline: string;
    readonly target: number | null;
  },
): BenchResult {
  const mine = timingOf(timings, line.contender);
  const plain = timingOf(timings, line.baseline);
  const ratio = mine.cpu / plain.cpu;
  return {
    name: line.name,
    variant: line.variant,
    value: mine.cpu,
    unit: 'CPU s',
    baseline: plain.cpu,
    ratio,
    wall: mine.wall,
    wallBaseline: plain.wall,
    target: line.target,
    met: line.target === null ? null : ratio <= line.target,
  };
}

/** The CPU of one contender against a limit in seconds. */
export function limitCpu(
  timings: ReadonlyMap<string, Timing>,
  line: {
    readonly name: string;
    readonly variant: string;
    readonly contender: string;
    readonly limitSeconds: number;
  },
): BenchResult {
  const { cpu, wall } = timingOf(timings, line.contender);
  const ratio = cpu / line.limitSeconds;
  const { name, variant, limitSeconds } = line;
  return {
    ...{ name, variant, value: cpu, unit: 'CPU s', baseline: limitSeconds, ratio },
    ...{ wall, wallBaseline: null, target: 1, met: ratio <= 1 },
  };
}

/** The gauge of one contender against another as a line of the table. */
export function compareGauge(
  timings: ReadonlyMap<string, Timing>,
  line: {
    readonly name: string;
    readonly variant: string;
    readonly unit: string;
    readonly contender: string;
    readonly baseline: string;
    readonly target: number | null;
  },
): BenchResult {
  const value = timingOf(timings, line.contender).gauge;
  const baseline = timingOf(timings, line.baseline).gauge;
  const ratio = value / baseline;
  const met = line.target === null ? null : ratio <= line.target;
  const { name, variant, unit, target } = line;
  return { name, variant, value, unit, baseline, ratio, wall: null, wallBaseline: null, target, met };
}

/** The gauge of one contender against a limit in its own unit. */
export function limitGauge(
  timings: ReadonlyMap<string, Timing>,
  line: {
    readonly name: string;
    readonly variant: string;
    readonly unit: string;
    readonly contender: string;
    readonly limit: number;
  },
): BenchResult {
  const value = timingOf(timings, line.contender).gauge;
  const ratio = value / line.limit;
  const { name, variant, unit, limit } = line;
  return {
    ...{ name, variant, value, unit, baseline: limit, ratio },
    ...{ wall: null, wallBaseline: null, target: 1, met: ratio <= 1 },
  };
}

/** A count that must not be above a limit. */
export function limitCount(line: {
  readonly name: string;
  readonly variant: string;
  readonly unit: string;
  readonly value: number;
  readonly limit: number;
}): BenchResult {
  const { name, variant, unit, value, limit } = line;
  const met = value <= limit;
  const ratio = value / Math.max(limit, 1);
  return {
    ...{ name, variant, value, unit, baseline: limit, ratio },
    ...{ wall: null, wallBaseline: null, target: 1, met },
  };
}

/** A figure beside that of a control, which tells what the machine had to do with it. No target. */
export function besideControl(line: {
  readonly name: string;
  readonly variant: string;
  readonly unit: string;
  readonly value: number;
  readonly control: number;
}): BenchResult {
  const { name, variant, unit, value, control } = line;
  return {
    ...{ name, variant, value, unit, baseline: control, ratio: value / control },
    ...{ wall: null, wallBaseline: null, target: null, met: null },
  };
}

function timingOf(timings: ReadonlyMap<string, Timing>, name: string): Timing {
  const timing = timings.get(name);
  if (timing === undefined) throw new Error(`Nothing was measured under the name ${name}.`);
  return timing;
}
