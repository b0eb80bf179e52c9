import type { Step } from '#main/scenario/scenario.ts';

import type { Told } from './simulate.ts';
import { restoredAfter, step } from './story.ts';
import { writeScenario } from './write-scenario.ts';

/** A scenario file that plays a story with a fault again, and expects in its last step what did not hold. */
export function scenarioOf({ story, rest, faults }: Told): string {
  const [fault] = faults;
  const title = `Seed ${story.seed}: ${fault?.kind ?? 'all is well'}`;
  const looks = faults.flatMap(({ expects }) => (expects === null ? [] : [step(expects)]));
  const notes = faults.map(({ kind, text }) => `${kind}: ${text.slice(0, 1_000)}`);
  return writeScenario({
    title,
    notes,
    replicas: story.replicas,
    steps: [...story.steps.map((one) => renumbered(one, story.steps)), ...rest, ...looks.slice(0, 1)],
  });
}

function renumbered(one: Step, steps: readonly Step[]): Step {
  if (one.kind !== 'restore') return one;
  const line = restoredAfter(steps, one.fromStep);
  return { ...one, fromStep: steps.findIndex((other) => other.line === line) + 1 };
}
