import type { Step } from '#main/scenario/scenario.ts';

import { createDice } from './chance.ts';
import { createPerformance } from './perform.ts';
import { comeToRest } from './rest.ts';
import { openStage, type Stage } from './stage.ts';
import { restoredAfter, type Fault, type Story } from './story.ts';
import { createTeller, drawWeather, JOINER, namesIn, prologue, replicasOf } from './tell.ts';

export interface SimulationOptions {
  readonly steps: number;
  /** How many replicas; drawn where it is not said. */
  readonly replicas: number | null;
  readonly trace?: (line: string) => void;
}

export interface Told {
  readonly story: Story;
  /** What was done to come to rest. */
  readonly rest: readonly Step[];
  /** Empty when all is well. */
  readonly faults: readonly Fault[];
  /** Steps that were played. */
  readonly steps: number;
}

/** Tells a new story of this seed and plays it as it is told. The same seed and options, the same story. */
export async function tellNew(seed: number, options: SimulationOptions): Promise<Told> {
  const dice = createDice(seed);
  const weather = drawWeather(dice, options.replicas);
  const replicas = replicasOf(dice, weather);
  const told: Step[] = [];
  return onStage({ seed, replicas, steps: told }, options, async (stage, act) => {
    const teller = createTeller(dice, weather, stage);
    const play = async (next: Step): Promise<readonly Fault[]> => {
      const numbered = { ...next, line: told.length + 1 };
      told.push(numbered);
      const faults = await act(numbered);
      if (faults.length === 0) await teller.keep(numbered.line);
      return faults;
    };
    for (const next of [...prologue(namesIn(weather)), ...teller.opening]) {
      const faults = await play(next);
      if (faults.length > 0) return faults;
    }
    for (let count = 0; count < options.steps || teller.isMidway(); count += 1) {
      const faults = await play(await teller.next());
      if (faults.length > 0) return faults;
    }
    return [];
  });
}

export interface AgainOptions extends Pick<SimulationOptions, 'trace'> {
  /** Ends where the story ends: what is to be seen is seen on the way. */
  readonly withoutRest?: boolean;
}

/** Plays a story again that was told before, or what is left of it. */
export async function tellAgain(story: Story, options: AgainOptions = {}): Promise<Told> {
  return onStage(story, options, async (stage, act) => {
    for (const next of story.steps) {
      const faults = await act(next);
      if (faults.length > 0) return faults;
      await keepForRestores(stage, story, next.line);
    }
    return [];
  });
}

/** Keeps the files that a later step puts back. */
async function keepForRestores(stage: Stage, { steps }: Story, line: number): Promise<void> {
  for (const later of steps) {
    if (later.kind !== 'restore' || later.line <= line) continue;
    if (restoredAfter(steps, later.fromStep) === line)
      for (const name of later.on) await stage.keep(name, later.fromStep);
  }
}

async function onStage(
  story: Story,
  { trace = () => undefined, withoutRest = false }: AgainOptions,
  play: (stage: Stage, act: (next: Step) => Promise<readonly Fault[]>) => Promise<readonly Fault[]>,
): Promise<Told> {
  const stage = await openStage(story);
  try {
    const performance = createPerformance(stage, trace);
    const onTheWay = await play(stage, performance.act);
    const names = (): readonly string[] => stage.names().filter((name) => name !== JOINER);
    // Rest has chance of its own, so that a story that is cut down does not change what is drawn in it.
    const dice = createDice(story.seed + REST_SEED);
    const aheadMs = Math.max(0, ...offsetsIn(story));
    const rest =
      onTheWay.length > 0 || withoutRest
        ? { steps: [], faults: onTheWay }
        : await comeToRest({ stage, performance, dice, names, joiner: JOINER, aheadMs });
    return { story, rest: rest.steps, faults: rest.faults, steps: performance.steps() };
  } finally {
    await stage.close();
  }
}

const REST_SEED = 1_000_000_007;

const offsetsIn = ({ replicas, steps }: Story): readonly number[] => [
  ...replicas.map(({ clockOffsetMs }) => clockOffsetMs),
  ...steps.flatMap((one) => (one.kind === 'clock' ? [one.offsetMs] : [])),
];
