import { HOST_ENDED } from './host-calls.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { PASSED, type StepOutcome } from './step-outcome.ts';

/**
 * Runs what a host does not survive: it dies before its n-th write from here, as by kill -9, or when the work is over.
 * Without a number the host lives on.
 */
export async function runMortal(
  world: ScenarioWorld,
  { name, killAtWrite }: { readonly name: string; readonly killAtWrite?: number },
  work: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  if (killAtWrite === undefined) return work();
  await (await world.host(name)).dieAtWrite(killAtWrite);
  const outcome = await outliving(work);
  await world.kill(name);
  return outcome;
}

/** What was asked of a host when it died has no answer, and none is wanted. */
async function outliving(work: () => Promise<StepOutcome>): Promise<StepOutcome> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Error && cause.message === HOST_ENDED) return PASSED;
    throw cause;
  }
}
