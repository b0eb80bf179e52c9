import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Hash } from '../engine/ports.ts';
import { copyDatabase, makePlainDatabase } from '../store/plain-connection.ts';
import { runStep, type Snapshots } from './run-step.ts';
import {
  createScenarioWorld,
  type HostStarter,
  type LinkKind,
  type ScenarioWorld,
} from './scenario-world.ts';
import type { Scenario, ScenarioReplica } from './scenario.ts';
import { failed, PASSED, type StepOutcome } from './step-outcome.ts';

/** How a scenario ended. Steps count from 1; 0 is the making of the replicas. */
export type ScenarioResult =
  | { readonly title: string; readonly passed: true }
  | {
      readonly title: string;
      readonly passed: false;
      readonly step: number;
      readonly line: number;
      readonly expected: string;
      readonly there: string;
    };

export interface RunOptions {
  readonly scenario: Scenario;
  /** Where the scenario file lies: `attach` is relative to it. */
  readonly besides: string;
  /** Empty and the runner's alone; the replica files are in it afterwards, closed. */
  readonly folder: string;
  /** Empty, for what the runner itself needs; not for keeps. */
  readonly scratch: string;
  readonly link: LinkKind;
  readonly starter: HostStarter;
  readonly hash: Hash;
}

/**
 * Plays a scenario on real files and stops at the first step that is not as it should be.
 *
 * Nothing sleeps: all clocks are simulated. Every host is ended when this is over.
 */
export async function runScenario(options: RunOptions): Promise<ScenarioResult> {
  const { scenario } = options;
  const world = createScenarioWorld(options);
  const snapshots: Snapshots = { path: (step, name) => join(options.scratch, `${step}-${name}.db`) };
  mkdirSync(options.folder, { recursive: true });
  try {
    const made = await guarded(() => makeReplicas(world, options));
    if (!made.passed) return { title: scenario.title, step: 0, line: 1, ...facts(made) };
    for (const [index, step] of scenario.steps.entries()) {
      const outcome = await guarded(() => runStep(world, step, snapshots));
      if (!outcome.passed)
        return { title: scenario.title, step: index + 1, line: step.line, ...facts(outcome) };
      await keepForRestores(world, scenario, { step: index + 1, snapshots });
    }
    return { title: scenario.title, passed: true };
  } finally {
    await world.close();
  }
}

function facts(outcome: Extract<StepOutcome, { passed: false }>) {
  return { passed: false, expected: outcome.expected, there: outcome.there } as const;
}

/** A bug in the engine is the scenario's finding: it is told as what was there, with the step that met it. */
async function guarded(work: () => Promise<StepOutcome>): Promise<StepOutcome> {
  try {
    return await work();
  } catch (cause) {
    return failed('a step that runs to its end', cause instanceof Error ? cause.message : String(cause));
  }
}

async function makeReplicas(world: ScenarioWorld, options: RunOptions): Promise<StepOutcome> {
  const { replicas, settings } = options.scenario;
  for (const replica of replicas) {
    world.add({
      name: replica.name,
      how: replica.origin.kind === 'fresh' ? 'init' : 'attach',
      offsetMs: replica.clockOffsetMs,
      settings: { ...settings, ...replica.settings },
    });
    const made = makeFile(world.path(replica.name), replica, options.besides);
    if (!made.passed) return made;
  }
  // Their order is settled, so that hosts in processes of their own may start at once.
  const started = await Promise.allSettled(replicas.map(({ name }) => world.host(name)));
  const refused = started.find((result) => result.status === 'rejected');
  if (refused !== undefined) throw refused.reason;
  return PASSED;
}

function makeFile(path: string, { name, origin }: ScenarioReplica, besides: string): StepOutcome {
  if (origin.kind === 'fresh') return PASSED;
  if (origin.kind === 'sql') {
    const made = makePlainDatabase(path, origin.sql);
    return made.ok ? PASSED : failed(`replica ${name} made by its attachSql`, made.error.message);
  }
  const source = resolve(besides, origin.path);
  if (!existsSync(source))
    return failed(`replica ${name} made of ${origin.path}`, `there is no file ${source}`);
  copyFileSync(source, path);
  if (existsSync(`${source}-wal`)) copyFileSync(`${source}-wal`, `${path}-wal`);
  return PASSED;
}

async function keepForRestores(
  world: ScenarioWorld,
  scenario: Scenario,
  { step, snapshots }: { readonly step: number; readonly snapshots: Snapshots },
): Promise<void> {
  const names = scenario.steps.flatMap((later) =>
    later.kind === 'restore' && later.fromStep === step ? later.on : [],
  );
  for (const name of new Set(names)) await copyDatabase(world.path(name), snapshots.path(step, name));
}
