import type { ConflictId } from '#shared/model/ids.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';
import type { ScenarioHost } from './host-calls.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { ResolveWord, StepAction } from './scenario.ts';
import { failed, firstFailure, notSupportedYet, PASSED, type StepOutcome } from './step-outcome.ts';

type ResolveAction = Extract<StepAction, { kind: 'resolve' }>;

const BUILT: readonly ResolutionOption[] = ['keepLocal', 'takeRemote', 'setAside', 'retry'];

/** Decides what blocks an object. Of several conflicts of it, takeRemote takes the first, the others answer all. */
export async function runResolve(world: ScenarioWorld, action: ResolveAction): Promise<StepOutcome> {
  const option = BUILT.find((candidate) => candidate === action.with);
  if (option === undefined) return notSupportedYet(`resolve with ${action.with}`);
  return firstFailure(action.on, async (name) => {
    const host = await world.host(name);
    const conflicts = await conflictsOf(host, action.object);
    if (conflicts.length === 0) return withoutConflict(host, name, action);
    const decided = option === 'takeRemote' ? conflicts.slice(0, 1) : conflicts;
    return firstFailure(decided, (conflictId) => decide(host, name, { ...action, conflictId, with: option }));
  });
}

async function conflictsOf(host: ScenarioHost, object: string): Promise<readonly ConflictId[]> {
  const blocked = await host.blocked();
  const ofObject = blocked.filter((batch) => batch.object.toLowerCase() === object.toLowerCase());
  return [...new Set(ofObject.map((batch) => batch.conflictId))];
}

async function withoutConflict(
  host: ScenarioHost,
  name: string,
  action: ResolveAction,
): Promise<StepOutcome> {
  const counts = await host.heldCounts();
  const isSetAside = counts.some(
    (held) => held.reason === 'setAside' && held.table.toLowerCase() === action.object.toLowerCase(),
  );
  if (isSetAside) return notSupportedYet(`resolve ${action.object}, which is set aside`);
  const blocked = (await host.blocked()).map((batch) => batch.object);
  return failed(
    `on ${name}: a blocked batch of ${action.object}`,
    blocked.length === 0 ? 'nothing is blocked' : `blocked: ${blocked.join(', ')}`,
  );
}

async function decide(
  host: ScenarioHost,
  name: string,
  request: {
    readonly conflictId: ConflictId;
    readonly object: string;
    readonly with: ResolutionOption & ResolveWord;
    readonly because?: string;
  },
): Promise<StepOutcome> {
  const result = await host.resolve({
    conflictId: request.conflictId,
    option: request.with,
    because: request.because ?? 'said by the scenario',
    who: 'scenario',
  });
  if (result.ok) return PASSED;
  const what = `on ${name}: resolve ${request.object} with ${request.with}`;
  return result.error.code === 'not-supported-yet'
    ? notSupportedYet(what)
    : failed(what, result.error.message);
}
