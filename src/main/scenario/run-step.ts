import { copyFileSync, rmSync } from 'node:fs';

import { unreachable } from '#shared/assert.ts';
import { copyDatabase, runPlainSql } from '../store/plain-connection.ts';
import { checkExpectation } from './check-expectation.ts';
import { runMortal } from './run-mortal.ts';
import { isHeldStep, runHeld } from './run-held.ts';
import { runResolve } from './run-resolve.ts';
import { runSync } from './run-sync.ts';
import { directionOf } from './scenario-links.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { Arrow, Step, StepAction } from './scenario.ts';
import { failed, firstFailure, mustFail, notSupportedYet, PASSED, type StepOutcome } from './step-outcome.ts';

/** Where files of earlier steps lie for `restore`. */
export interface Snapshots {
  readonly path: (step: number, name: string) => string;
}

/** Runs one step. Its clock ticks before it. */
export async function runStep(world: ScenarioWorld, step: Step, snapshots: Snapshots): Promise<StepOutcome> {
  world.tick(step.kind === 'wait' ? step.ms : undefined);
  if (step.fails === undefined) return passing(step, await runAction(world, step, snapshots));
  const outcomes: StepOutcome[] = [];
  for (const action of perReplica(step)) outcomes.push(await runAction(world, action, snapshots));
  return mustFail(outcomes, step.fails);
}

/** What the step itself lets pass. A feature that is not there is no outcome. */
function passing({ mayFail }: Step, outcome: StepOutcome): StepOutcome {
  return mayFail === true && !outcome.passed && !outcome.isUnsupported ? PASSED : outcome;
}

/** The same action for each replica alone, so that each must fail. */
function perReplica(step: Step): readonly StepAction[] {
  return 'on' in step ? step.on.map((name) => ({ ...step, on: [name] })) : [step];
}

async function runAction(
  world: ScenarioWorld,
  action: StepAction,
  snapshots: Snapshots,
): Promise<StepOutcome> {
  if (isHostAction(action)) return firstFailure(action.on, (name) => runOnHost(world, name, action));
  switch (action.kind) {
    case 'sync':
      return runSync(world, action.path, action.delivery);
    case 'resolve':
      return runResolve(world, action);
    case 'expect':
      return checkExpectation(world, action.expectation);
    case 'copy':
      return copyReplica(world, action);
    case 'restore':
      return firstFailure(action.on, (name) => restore(world, name, snapshots.path(action.fromStep, name)));
    default:
      return runQuickAction(world, action);
  }
}

/** What is done to each replica by itself. */
type HostAction = Extract<StepAction, { kind: (typeof HOST_KINDS)[number] }>;

const HOST_KINDS = [
  'sql',
  'external',
  'notice',
  'reopen',
  'declare',
  'crash',
  'prune',
  'quarantine',
  'drain',
  'deleteHeld',
] as const;

function isHostAction(action: StepAction): action is HostAction {
  return HOST_KINDS.some((kind) => kind === action.kind);
}

async function runOnHost(world: ScenarioWorld, name: string, action: HostAction): Promise<StepOutcome> {
  if (isHeldStep(action)) return runHeld(world, name, action);
  switch (action.kind) {
    case 'sql':
      return runMortal(world, { ...action, name }, () => runSql(world, name, action.sql));
    case 'external':
      return runExternal(world, name, action.sql);
    case 'notice':
      return runMortal(world, { ...action, name }, () => notice(world, name));
    case 'reopen':
      return reopen(world, name);
    case 'declare':
      return runDeclare(world, name, action);
    case 'crash':
      return crash(world, name);
    case 'prune':
      return prune(world, name, action.olderThanMs);
  }
}

type QuickAction = Exclude<
  StepAction,
  HostAction | { kind: 'sync' | 'resolve' | 'expect' | 'copy' | 'restore' }
>;

function runQuickAction(world: ScenarioWorld, action: QuickAction): StepOutcome {
  switch (action.kind) {
    case 'wait':
      return PASSED;
    case 'clock':
      for (const name of action.on) world.setOffset(name, action.offsetMs);
      return PASSED;
    case 'pause':
      for (const direction of directionsOf(action.path)) world.links.pause(direction);
      return PASSED;
    case 'resume':
      for (const direction of directionsOf(action.path)) world.links.resume(direction);
      return PASSED;
    case 'withhold':
      world.links.withholding(directionOf(action.from, action.to)).withhold(action.tables);
      return PASSED;
    case 'release':
      world.links.withholding(directionOf(action.from, action.to)).release();
      return PASSED;
    default:
      return refuseUnbuilt(action);
  }
}

/** Words of the language whose feature is still to come. */
function refuseUnbuilt(
  action: Exclude<QuickAction, { kind: 'wait' | 'clock' | 'pause' | 'resume' | 'withhold' | 'release' }>,
): StepOutcome {
  switch (action.kind) {
    case 'bootstrap':
    case 'resyncTable':
    case 'undoResolution':
    case 'seed':
      return notSupportedYet(action.kind);
    default:
      return unreachable(action);
  }
}

async function runSql(world: ScenarioWorld, name: string, sql: string): Promise<StepOutcome> {
  const host = await world.host(name);
  const result = await host.exec(sql);
  if (result.ok) return PASSED;
  const { code, message, statement } = result.error;
  if (code === 'not-supported-yet') return notSupportedYet(`on ${name}: ${statement}`);
  return failed(`on ${name}: ${statement}`, message);
}

async function runDeclare(
  world: ScenarioWorld,
  name: string,
  { source, typeChange = 'recreate' }: Extract<StepAction, { readonly kind: 'declare' }>,
): Promise<StepOutcome> {
  if (source.kind !== 'schema') return notSupportedYet('declare: lexicons');
  const host = await world.host(name);
  const declared = await host.declare({ schema: source.sql, typeChange });
  return declared.ok ? PASSED : failed(`on ${name}: the schema is declared`, declared.error.message);
}

async function runExternal(world: ScenarioWorld, name: string, sql: string): Promise<StepOutcome> {
  const result = runPlainSql(world.path(name), sql, world.nowMs(name));
  return Promise.resolve(result.ok ? PASSED : failed(`on ${name}: plain SQL runs`, result.error.message));
}

async function copyReplica(
  world: ScenarioWorld,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<StepOutcome> {
  await copyDatabase(world.path(from), world.path(to));
  world.add({ name: to, how: 'open', offsetMs: world.offsetMs(from), settings: world.settings(from) });
  return PASSED;
}

/** What a person does with a backup: the program is ended, the file put back, the program started. */
async function restore(world: ScenarioWorld, name: string, snapshot: string): Promise<StepOutcome> {
  await world.stop(name);
  const path = world.path(name);
  for (const beside of ['-wal', '-shm']) rmSync(`${path}${beside}`, { force: true });
  copyFileSync(snapshot, path);
  return PASSED;
}

async function notice(world: ScenarioWorld, name: string): Promise<StepOutcome> {
  await (await world.host(name)).notice();
  return PASSED;
}

async function reopen(world: ScenarioWorld, name: string): Promise<StepOutcome> {
  await world.stop(name);
  return PASSED;
}

async function prune(world: ScenarioWorld, name: string, olderThanMs: number): Promise<StepOutcome> {
  await (await world.host(name)).prune({ olderThanMs });
  return PASSED;
}

async function crash(world: ScenarioWorld, name: string): Promise<StepOutcome> {
  await world.kill(name);
  return PASSED;
}

function directionsOf({ from, to, isBothWays }: Arrow): readonly string[] {
  return isBothWays ? [directionOf(from, to), directionOf(to, from)] : [directionOf(from, to)];
}
