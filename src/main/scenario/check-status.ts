import type { ReplicaState } from '#shared/model/vocabulary.ts';
import { ReplicaState as States } from '#shared/model/vocabulary.ts';
import { endpointOf } from './run-sync.ts';
import { directionOf } from './scenario-links.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { Expectation } from './scenario.ts';
import { failed, firstFailure, PASSED, type StepOutcome } from './step-outcome.ts';

/** Whether the state of a replica, the worst that applies, is this one. */
export async function checkStatus(
  world: ScenarioWorld,
  said: Extract<Expectation, { kind: 'status' }>,
): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const state = await readState(world, name);
    return state === said.is ? PASSED : failed(`on ${name}: ${said.is}`, state);
  });
}

async function readState(world: ScenarioWorld, name: string): Promise<ReplicaState> {
  // Asking a dead host would start it again, and then it would be there.
  if (world.isCrashed(name)) return 'unreachable';
  const { state } = await (await world.host(name)).status();
  const others = world.names().filter((other) => other !== name && !world.isCrashed(other));
  const isPaused = others.some((other) => world.links.isPaused(directionOf(other, name)));
  const isBehind = await someAsync(others, (other) => lacksChanges(world, other, name));
  return worst([
    state,
    ...(isPaused ? (['paused'] as const) : []),
    ...(isBehind ? (['behind'] as const) : []),
  ]);
}

/** Whether a peer that it has synced with has something for it. Echoes do not count: a page would be empty. */
async function lacksChanges(world: ScenarioWorld, from: string, to: string): Promise<boolean> {
  if (world.links.sentRows(directionOf(from, to)) === undefined) return false;
  const [source, puller] = [endpointOf(world, from), endpointOf(world, to)];
  const peer = { ...(await source.identity()), nowMs: source.nowMs() };
  const request = await puller.planPull(peer);
  if (!request.ok) return false;
  const page = await source.readPage((await puller.identity()).site, request.value);
  return page.ok && page.value.groups.some((group) => group.blocks.length > 0 || group.migrations.length > 0);
}

function worst(states: readonly ReplicaState[]): ReplicaState {
  return States.options.find((state) => states.includes(state)) ?? 'inSync';
}

async function someAsync<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await test(item)) return true;
  return false;
}
