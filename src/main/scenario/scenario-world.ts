import { join } from 'node:path';

import { assert, present } from '#shared/assert.ts';
import type { Hash } from '../engine/ports.ts';
import type { PeerLink } from '../peers/peer-link.ts';
import { createScenarioLinks, type ScenarioLinks } from './scenario-links.ts';
import type { HostSpec, ScenarioHost } from './host-calls.ts';
import type { Direction, ReplicaSettings, Scenario } from './scenario.ts';
import { createSeededRandom } from './seeded-random.ts';

/** The instant at which all replicas are made: 2026-06-01T00:00:00Z. */
const START_MS = Date.UTC(2026, 5, 1);
/** What each step that is no `wait` takes. */
const STEP_MS = 1;

export type LinkKind = 'inProcess' | 'ws';

/** Starts hosts; the runner decides which go into a process of their own. */
export interface HostStarter {
  /** Rejects when the replica cannot be opened, with the sentence as the message. */
  readonly start: (spec: HostSpec, options: HostOptions) => Promise<ScenarioHost>;
}

export interface HostOptions {
  readonly isOwnProcess: boolean;
  /** The replica's wall clock. */
  readonly nowMs: () => number;
}

/**
 * Everything that stands while a scenario runs: replicas with their hosts and clocks, links, and what was counted.
 */
export interface ScenarioWorld {
  readonly link: LinkKind;
  /** Opens the links, where a simulation brings its own network. */
  readonly connect?: (ends: Direction) => Promise<PeerLink>;
  readonly names: () => readonly string[];
  readonly path: (name: string) => string;
  readonly settings: (name: string) => ReplicaSettings;
  readonly offsetMs: (name: string) => number;
  readonly nowMs: (name: string) => number;
  /** Moves all clocks on by what the next step takes. */
  readonly tick: (ms?: number) => void;
  readonly setOffset: (name: string, offsetMs: number) => void;
  /** The host of a replica; started when it is not running. */
  readonly host: (name: string) => Promise<ScenarioHost>;
  readonly isCrashed: (name: string) => boolean;
  readonly kill: (name: string) => Promise<void>;
  /** Ends the host properly; the next step that needs it starts it again. */
  readonly stop: (name: string) => Promise<void>;
  /** Adds a replica whose file is made by `make`, or is there already. */
  readonly add: (replica: NewReplica) => void;
  readonly links: ScenarioLinks;
  readonly draw: () => number;
  readonly close: () => Promise<void>;
}

export interface NewReplica {
  readonly name: string;
  readonly offsetMs: number;
  readonly settings: ReplicaSettings;
  readonly how: HostSpec['how'];
}

interface Seat extends NewReplica {
  readonly place: number;
  readonly openings: number;
  readonly host: ScenarioHost | null;
  readonly isCrashed: boolean;
}

/** Makes the world of a scenario; `folder` is empty and the world's alone. */
export function createScenarioWorld(deps: {
  readonly scenario: Scenario;
  readonly folder: string;
  readonly link: LinkKind;
  readonly starter: HostStarter;
  readonly hash: Hash;
  readonly connect?: ScenarioWorld['connect'];
}): ScenarioWorld {
  const { scenario, folder, link, starter, hash } = deps;
  const random = createSeededRandom('delivery', hash);
  const ownProcess = processNames(scenario, link);
  const seats = new Map<string, Seat>();
  let elapsedMs = 0;

  const world: ScenarioWorld = {
    link,
    ...(deps.connect !== undefined && { connect: deps.connect }),
    names: () => [...seats.keys()],
    path: (name) => join(folder, `${name}.db`),
    settings: (name) => seat(name).settings,
    offsetMs: (name) => seat(name).offsetMs,
    nowMs: (name) => START_MS + elapsedMs + seat(name).offsetMs,
    tick: (ms = STEP_MS) => {
      elapsedMs += ms;
    },
    setOffset: (name, offsetMs) => change(name, { offsetMs }),
    host,
    isCrashed: (name) => seat(name).isCrashed,
    kill: async (name) => {
      const running = seat(name).host ?? (await host(name));
      change(name, { host: null, isCrashed: true });
      await running.kill();
    },
    stop,
    add: (replica) => {
      assert(!seats.has(replica.name), 'the parser lets no replica in twice');
      seats.set(replica.name, { ...replica, place: seats.size, openings: 0, host: null, isCrashed: false });
    },
    links: createScenarioLinks(),
    draw: random.draw,
    close: async () => {
      for (const name of seats.keys()) await stop(name);
    },
  };
  return world;

  function seat(name: string): Seat {
    return present(seats.get(name), `the parser knows every replica, "${name}" too`);
  }

  function change(name: string, changes: Partial<Seat>): void {
    seats.set(name, { ...seat(name), ...changes });
  }

  async function host(name: string): Promise<ScenarioHost> {
    const { host: running, how, settings, place, openings } = seat(name);
    if (running !== null) return running;
    const started = await starter.start(
      { path: world.path(name), how, settings, place, seed: `${place}/${openings}` },
      { isOwnProcess: ownProcess.has(name), nowMs: () => world.nowMs(name) },
    );
    change(name, { host: started, how: 'open', openings: openings + 1, isCrashed: false });
    return started;
  }

  async function stop(name: string): Promise<void> {
    const { host: running } = seat(name);
    change(name, { host: null });
    await running?.close();
  }
}

/** Replicas that need a process of their own: over WebSocket all, else those that a step kills. */
function processNames(scenario: Scenario, link: LinkKind): ReadonlySet<string> {
  if (link === 'ws') {
    const copies = scenario.steps.flatMap((step) => (step.kind === 'copy' ? [step.to] : []));
    return new Set([...scenario.replicas.map((replica) => replica.name), ...copies]);
  }
  return new Set(
    scenario.steps.flatMap((step) => {
      if (step.kind === 'crash') return step.on;
      if (step.kind === 'sql' || step.kind === 'notice') return step.killAtWrite === undefined ? [] : step.on;
      if (step.kind !== 'sync') return [];
      if ((step.delivery.killAfter ?? step.delivery.killAtWrite) === undefined) return [];
      if (step.path.kind === 'all') return scenario.replicas.map((replica) => replica.name);
      return step.path.isBothWays ? [step.path.from, step.path.to] : [step.path.to];
    }),
  );
}
