import type { HeldAction } from '#shared/model/held-decision.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { StepAction } from './scenario.ts';
import { failed, PASSED, type StepOutcome } from './step-outcome.ts';

type HeldStep = Extract<StepAction, { readonly kind: 'quarantine' | 'drain' | 'deleteHeld' }>;

const ACTIONS: Readonly<Record<HeldStep['kind'], HeldAction>> = {
  quarantine: 'quarantine',
  drain: 'drain',
  deleteHeld: 'delete',
};

/** Who decides in a scenario, and why where its file does not say. */
const WHO = 'scenario';

/** Whether a step is about held changes. */
export const isHeldStep = (step: StepAction): step is HeldStep => Object.hasOwn(ACTIONS, step.kind);

/** Does what a person does with the held changes of a table. */
export async function runHeld(world: ScenarioWorld, name: string, step: HeldStep): Promise<StepOutcome> {
  const because = step.kind === 'deleteHeld' ? (step.because ?? WHO) : '';
  const host = await world.host(name);
  const decided = await host.decideHeld({
    action: ACTIONS[step.kind],
    selection: { table: step.table },
    because,
    who: WHO,
  });
  return decided.ok ? PASSED : failed(`on ${name}: ${step.kind} of ${step.table}`, decided.error.message);
}
