import { err, ok, type Result } from '#shared/result.ts';
import { disturbLink, type Disturbance } from '../peers/disturbed-link.ts';
import { hasMoved } from '../peers/has-moved.ts';
import { createInProcessLink } from '../peers/in-process-link.ts';
import type { LinkError, PeerLink } from '../peers/peer-link.ts';
import { pullFromPeer } from '../peers/pull-from-peer.ts';
import type { SyncEndpoint } from '../peers/sync-endpoint.ts';
import { createSyncTally, type SyncReport } from '../peers/sync-report.ts';
import { findTwin } from './find-twin.ts';
import { runMortal } from './run-mortal.ts';
import { SCENARIO_CLIENT } from './open-host-calls.ts';
import { directionOf } from './scenario-links.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { Delivery, Direction, SyncPath } from './scenario.ts';
import { failed, PASSED, type StepOutcome } from './step-outcome.ts';

const ROUNDS_MAX = 20;

/** Runs a sync step: one direction, both ways until quiet, or every pair in rounds until quiet. */
export async function runSync(
  world: ScenarioWorld,
  path: SyncPath,
  delivery: Delivery,
): Promise<StepOutcome> {
  const directions = directionsOf(world, path);
  const counted = new Set<string>();
  const sync = async (direction: Direction): Promise<SyncReport | null> => {
    const name = directionOf(direction.from, direction.to);
    if (!counted.has(name)) world.links.setSentRows(name, 0);
    counted.add(name);
    return world.links.isPaused(name) ? null : pull(world, direction, delivery);
  };
  if (directions.length === 1) {
    for (const direction of directions) return outcomeOf(await sync(direction));
  }
  return runRounds(directions, sync);
}

function directionsOf(world: ScenarioWorld, path: SyncPath): readonly Direction[] {
  if (path.kind === 'pair') {
    const { from, to, isBothWays } = path;
    return isBothWays
      ? [
          { from, to },
          { from: to, to: from },
        ]
      : [{ from, to }];
  }
  const names = world.names();
  return names.flatMap((from, index) =>
    names.slice(index + 1).flatMap((to) => [
      { from, to },
      { from: to, to: from },
    ]),
  );
}

async function runRounds(
  directions: readonly Direction[],
  sync: (direction: Direction) => Promise<SyncReport | null>,
): Promise<StepOutcome> {
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    let isQuiet = true;
    for (const direction of directions) {
      const report = await sync(direction);
      const outcome = outcomeOf(report);
      if (!outcome.passed) return outcome;
      if (report === null) continue;
      if (hasMoved(report)) isQuiet = false;
    }
    if (isQuiet) return PASSED;
  }
  return failed(`quiet within ${ROUNDS_MAX} rounds`, 'changes still travel');
}

function outcomeOf(report: SyncReport | null): StepOutcome {
  if (report === null || (report.ended !== 'failed' && report.ended !== 'unreachable')) return PASSED;
  return failed('a sync that comes to an end', JSON.stringify(report.error));
}

async function pull(
  world: ScenarioWorld,
  { from, to }: Direction,
  delivery: Delivery,
): Promise<SyncReport | null> {
  if (delivery.killAfter === 0) {
    await world.kill(to);
    return null;
  }
  const { killAtWrite } = delivery;
  if (killAtWrite === undefined) return pullOnce(world, { from, to }, delivery);
  const work = async (): Promise<StepOutcome> => outcomeOf(await pullOnce(world, { from, to }, delivery));
  await runMortal(world, { name: to, killAtWrite }, work);
  return null;
}

async function pullOnce(
  world: ScenarioWorld,
  { from, to }: Direction,
  delivery: Delivery,
): Promise<SyncReport | null> {
  const endpoint = askingFor(endpointOf(world, to), delivery);
  const twin = await findTwin(world, { from, to });
  if (twin !== null) {
    return createSyncTally().endBlocked(await endpoint.refusedBy(twin.from, twin.refusal));
  }
  const link = await openLink(world, { from, to });
  try {
    const disturbed = disturbLink(
      countReads(link, world, directionOf(from, to)),
      disturbanceOf(world, delivery, directionOf(from, to)),
    );
    const report = await pullFromPeer({ endpoint, link: disturbed }, { retryBlocked: true });
    if (delivery.pages !== undefined && report.ended === 'unreachable') return { ...report, ended: 'paused' };
    if (delivery.killAfter === undefined) return report;
    await world.kill(to);
    return null;
  } finally {
    link.close();
  }
}

/** Asks for pages of the size that the step says. */
function askingFor(endpoint: SyncEndpoint, { pageFacts }: Delivery): SyncEndpoint {
  if (pageFacts === undefined) return endpoint;
  return {
    ...endpoint,
    planPull: async (peer) => {
      const request = await endpoint.planPull(peer);
      return request.ok ? ok({ ...request.value, facts: pageFacts }) : request;
    },
  };
}

function disturbanceOf(world: ScenarioWorld, delivery: Delivery, direction: string): Disturbance {
  return {
    draw: world.draw,
    duplicate: delivery.duplicate,
    reorder: delivery.reorder,
    drop: delivery.drop,
    withheld: world.links.withholding(direction),
    ...(delivery.killAfter !== undefined && { breakAfterShare: delivery.killAfter }),
    ...(delivery.pages !== undefined && { breakAfterPages: delivery.pages }),
  };
}

/** Counts the rows that the source reads for its pages, those of lost pages included. */
function countReads(link: PeerLink, world: ScenarioWorld, direction: string): PeerLink {
  return {
    ...link,
    pull: async (request) => {
      const page = await link.pull(request);
      if (!page.ok) return page;
      const rows = page.value.groups.flatMap((group) => group.blocks.map((block) => block.rows.length));
      const before = world.links.sentRows(direction) ?? 0;
      world.links.setSentRows(
        direction,
        rows.reduce((sum, count) => sum + count, before),
      );
      return page;
    },
  };
}

async function openLink(world: ScenarioWorld, { from, to }: Direction): Promise<PeerLink> {
  if (world.connect !== undefined) return world.connect({ from, to });
  return world.link === 'ws'
    ? openSocketLink(world, { from, to })
    : createInProcessLink({
        own: endpointOf(world, to),
        peer: endpointOf(world, from),
        client: SCENARIO_CLIENT,
      });
}

/** A WebSocket from the puller's host to the source's host; the runner only tells them what to do. */
async function openSocketLink(world: ScenarioWorld, { from, to }: Direction): Promise<PeerLink> {
  const address = await (await world.host(from)).listen();
  const puller = await world.host(to);
  const connected: Result<number, LinkError> = await puller.connect(address);
  if (!connected.ok) return brokenLink(connected.error);
  const link = connected.value;
  return {
    hello: () => puller.linkHello(link),
    pull: (request) => puller.linkPull(link, request),
    onHead: () => () => undefined,
    onClosed: () => () => undefined,
    close: () => void puller.linkClose(link).catch(() => undefined),
  };
}

function brokenLink(error: LinkError): PeerLink {
  return {
    hello: async () => Promise.resolve(err(error)),
    pull: async () => Promise.resolve(err(error)),
    onHead: () => () => undefined,
    onClosed: () => () => undefined,
    close: () => undefined,
  };
}

/** A replica as links need it; its host is started when a call needs it. */
export function endpointOf(world: ScenarioWorld, name: string): SyncEndpoint {
  return {
    identity: async () => (await world.host(name)).identity(),
    nowMs: () => world.nowMs(name),
    readPage: async (peer, request) => (await world.host(name)).readPage(peer, request),
    planPull: async (peer) => (await world.host(name)).planPull(peer),
    admitPage: async (peer, page) => (await world.host(name)).admitPage(peer, page),
    retryBlocked: async (peer) => (await world.host(name)).retryBlocked(peer),
    refusedBy: async (peer, refusal) => (await world.host(name)).refusedBy(peer, refusal),
    onHead: () => () => undefined,
  };
}
