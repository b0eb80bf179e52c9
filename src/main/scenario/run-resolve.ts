import type { ConflictId, SiteId } from '#shared/model/ids.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';
import type { ScenarioHost } from './host-calls.ts';
import { endpointOf } from './run-sync.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { ResolveWord, StepAction } from './scenario.ts';
import { failed, firstFailure, notSupportedYet, PASSED, type StepOutcome } from './step-outcome.ts';

type ResolveAction = Extract<StepAction, { kind: 'resolve' }>;

const BUILT: readonly ResolutionOption[] = ['keepLocal', 'takeRemote', 'setAside', 'retry'];

/** Decides what blocks an object. Of several conflicts of it, takeRemote takes the first, the others answer all. */
export async function runResolve(world: ScenarioWorld, action: ResolveAction): Promise<StepOutcome> {
  if (action.with === 'newSite') return firstFailure(action.on, (name) => takeOn(world, name, action));
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

/** The restored or copied file behind each line that stands for it becomes a new site, then the lines are free. */
async function takeOn(world: ScenarioWorld, name: string, action: ResolveAction): Promise<StepOutcome> {
  const stuck = (await (await world.host(name)).blocked()).filter(({ options }) =>
    options.includes('newSite'),
  );
  if (stuck.length === 0) return failed(`on ${name}: a line that a restored or copied file blocks`, 'none');
  let isRenewed = false;
  return firstFailure(stuck, async ({ conflictId, from }) => {
    // As a new site it has no lines left.
    if (isRenewed) return PASSED;
    const stray = await findStray(world, name, from);
    const freed = { ...action, conflictId, with: 'newSite' } as const;
    // Nobody goes by it any more: what is left is the line.
    if (stray === null) return decide(await world.host(name), name, freed);
    const renewed = await world.host(stray);
    await renewed.newSite({ because: action.because ?? 'said by the scenario', who: 'scenario' });
    // Its links said hello by the name that it had.
    await world.stop(stray);
    isRenewed = stray === name;
    return isRenewed ? PASSED : decide(await world.host(name), name, freed);
  });
}

/** The file that is not what it was: the second of two that go by the name, else the one that does not know the place of who pulls from it. */
async function findStray(world: ScenarioWorld, name: string, site: SiteId): Promise<string | null> {
  const second = world.links.claims.second(name, site);
  if (second !== null && (await endpointOf(world, second).identity()).site === site) return second;
  const others: string[] = [];
  for (const other of world.names().filter((each) => each !== name)) {
    const source = endpointOf(world, other);
    const peer = await source.identity();
    if (peer.site !== site) continue;
    others.push(other);
    const puller = endpointOf(world, name);
    const request = await puller.planPull({ ...peer, nowMs: source.nowMs() });
    const isKnown = request.ok && (await source.readPage((await puller.identity()).site, request.value)).ok;
    if (!isKnown) return other;
  }
  return others.at(-1) ?? null;
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
