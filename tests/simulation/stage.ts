import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database, { type Database as Connection } from 'better-sqlite3';

import { createInProcessLink } from '#main/peers/in-process-link.ts';
import type { PeerLink } from '#main/peers/peer-link.ts';
import { sha256 } from '#main/platform/sha256.ts';
import { listHeld } from '#main/store/held-list.ts';
import { copyDatabase, makePlainDatabase } from '#main/store/plain-connection.ts';
import { createSiteRegistry } from '#main/store/site-registry.ts';
import { createStoreDatabase } from '#main/store/store-database.ts';
import { SCENARIO_CLIENT } from '#main/scenario/open-host-calls.ts';
import { runStep } from '#main/scenario/run-step.ts';
import { endpointOf } from '#main/scenario/run-sync.ts';
import { createScenarioWorld, type ScenarioWorld } from '#main/scenario/scenario-world.ts';
import type { Step } from '#main/scenario/scenario.ts';
import type { StepOutcome } from '#main/scenario/step-outcome.ts';

import { createDice } from './chance.ts';
import { readContent } from './content.ts';
import { createMortalHosts } from './mortal-hosts.ts';
import { createNetwork } from './network.ts';
import type { Story } from './story.ts';
import { presenceOf, type Presence } from './presence.ts';

/** Files in memory where there is such a place: every commit waits for the disk otherwise. */
const MEMORY = '/dev/shm';

/** Share of the syncs that go over sockets; the others are handed over as within one host. */
const WIRE_SHARE = 0.4;
const NETWORK_SEED = 2_000_000_011;

/** Replicas with hosts in this process, and the scenario runner that plays steps on them. */
export interface Stage {
  readonly world: ScenarioWorld;
  /** In the order of their making, copies last. */
  readonly names: () => readonly string[];
  readonly play: (step: Step) => Promise<StepOutcome>;
  /** Keeps a file as it is after the step of this number, to be put back later. */
  readonly keep: (name: string, step: number) => Promise<void>;
  /** Reads a file on its host's connection, or on one of its own while no host has it. */
  readonly look: <T>(name: string, read: (db: Connection) => T) => T;
  readonly isUp: (name: string) => boolean;
  readonly presence: (name: string) => Presence;
  readonly close: () => Promise<void>;
}

/** Makes the replicas of a story, in a folder that is gone afterwards. */
export async function openStage({ seed, replicas }: Omit<Story, 'steps'>): Promise<Stage> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'concord-simulation-'));
  const hosts = createMortalHosts();
  const dice = createDice(seed + NETWORK_SEED);
  const connectOver = createNetwork(dice);
  const world: ScenarioWorld = createScenarioWorld({
    scenario: { title: 'simulation', settings: {}, replicas, steps: [] },
    folder,
    link: 'inProcess',
    starter: hosts.starter,
    hash: sha256,
    connect: async ({ from, to }) => {
      const ends = { own: endpointOf(world, to), peer: endpointOf(world, from) };
      return Promise.resolve(
        bounded(
          dice.happens(WIRE_SHARE)
            ? connectOver(ends)
            : createInProcessLink({ ...ends, client: SCENARIO_CLIENT }),
        ),
      );
    },
  });
  const snapshots = { path: (step: number, name: string) => join(folder, `${step}-${name}.snapshot`) };
  for (const { name, origin, clockOffsetMs, settings } of replicas) {
    world.add({ name, how: origin.kind === 'fresh' ? 'init' : 'attach', offsetMs: clockOffsetMs, settings });
    if (origin.kind === 'sql') makePlainDatabase(world.path(name), origin.sql);
    await world.host(name);
  }
  return {
    world,
    names: world.names,
    play: (step) => runStep(world, step, snapshots),
    keep: (name, step) => copyDatabase(world.path(name), snapshots.path(step, name)),
    look,
    isUp: (name) => hosts.connection(world.path(name)) !== null,
    presence,
    close: async () => {
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  function look<T>(name: string, read: (db: Connection) => T): T {
    const path = world.path(name);
    const open = hosts.connection(path);
    if (open !== null) return read(open.raw);
    const db = new Database(path, { fileMustExist: true });
    try {
      return read(db);
    } finally {
      db.close();
    }
  }

  function presence(name: string): Presence {
    return look(name, (db) => {
      const store = createStoreDatabase(db, world.path(name));
      const count = db.prepare<[], number>('select count(*) from _concord_held').pluck().get() ?? 0;
      const held =
        count === 0 ? [] : listHeld({ db: store, sites: createSiteRegistry(store) }, { limit: HELD_MAX });
      return presenceOf(readContent(db), held);
    });
  }
}

const HELD_MAX = 100_000;

/** What makes more of itself at every step would go on until the memory is full: it ends as a fault. */
function bounded(link: PeerLink): PeerLink {
  return {
    ...link,
    pull: async (request) => {
      const page = await link.pull(request);
      if (page.ok && page.value.head > SEQ_MAX) throw new Error('Changes multiply without end.');
      return page;
    },
  };
}

/** More than any story writes. */
const SEQ_MAX = 20_000;
