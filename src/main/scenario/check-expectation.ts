import { unreachable } from '#shared/assert.ts';
import { checkIntegrity } from '../store/plain-connection.ts';
import { checkColumn, checkObjects, checkPrimaryKey, checkTable } from './check-catalog.ts';
import { checkConverged, checkDiverged } from './check-converged.ts';
import {
  checkBlocked,
  checkFinding,
  checkHeld,
  checkJournal,
  checkLog,
  checkMigration,
  checkNotBlocked,
} from './check-records.ts';
import { checkRows } from './check-rows.ts';
import { checkStatus } from './check-status.ts';
import { directionOf } from './scenario-links.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { Expectation } from './scenario.ts';
import { failed, firstFailure, PASSED, type StepOutcome } from './step-outcome.ts';

/** Whether what a scenario expects is so. Changes nothing but that a host which is needed is started. */
export async function checkExpectation(world: ScenarioWorld, said: Expectation): Promise<StepOutcome> {
  switch (said.kind) {
    case 'rows':
      return checkRows(world, said);
    case 'converged':
      return checkConverged(world, said.replicas);
    case 'diverged':
      return checkDiverged(world, said.replicas);
    case 'status':
      return checkStatus(world, said);
    case 'sent':
      return checkSent(world, said);
    case 'integrity':
      return checkSound(world, said.replicas);
    default:
      return isOfCatalog(said) ? checkOfCatalog(world, said) : checkOfRecords(world, said);
  }
}

type OfCatalog = Extract<Expectation, { kind: 'table' | 'column' | 'objects' | 'primaryKey' }>;

const CATALOG_KINDS: ReadonlySet<string> = new Set<OfCatalog['kind']>([
  'table',
  'column',
  'objects',
  'primaryKey',
]);

function isOfCatalog<E extends Expectation>(said: E): said is Extract<E, OfCatalog> {
  return CATALOG_KINDS.has(said.kind);
}

async function checkOfCatalog(world: ScenarioWorld, said: OfCatalog): Promise<StepOutcome> {
  switch (said.kind) {
    case 'table':
      return checkTable(world, said);
    case 'column':
      return checkColumn(world, said);
    case 'objects':
      return checkObjects(world, said);
    case 'primaryKey':
      return checkPrimaryKey(world, said);
    default:
      return unreachable(said);
  }
}

async function checkOfRecords(
  world: ScenarioWorld,
  said: Extract<
    Expectation,
    { kind: 'blocked' | 'notBlocked' | 'held' | 'migration' | 'finding' | 'journal' | 'log' }
  >,
): Promise<StepOutcome> {
  switch (said.kind) {
    case 'blocked':
      return checkBlocked(world, said);
    case 'notBlocked':
      return checkNotBlocked(world, said.replicas);
    case 'held':
      return checkHeld(world, said);
    case 'migration':
      return checkMigration(world, said);
    case 'finding':
      return checkFinding(world, said);
    case 'journal':
      return checkJournal(world, said);
    case 'log':
      return checkLog(world, said);
    default:
      return unreachable(said);
  }
}

async function checkSent(
  world: ScenarioWorld,
  { from, to, rows }: Extract<Expectation, { kind: 'sent' }>,
): Promise<StepOutcome> {
  const there = world.links.sentRows(directionOf(from, to));
  if (there !== undefined && BigInt(there) === rows) return PASSED;
  const what = `${String(rows)} rows read for the last sync ${directionOf(from, to)}`;
  return Promise.resolve(failed(what, there === undefined ? 'no sync of that direction' : String(there)));
}

/** SQLite finds the file sound, and the bookkeeping finds itself so. */
async function checkSound(world: ScenarioWorld, names: readonly string[]): Promise<StepOutcome> {
  return firstFailure(names, async (name) => {
    const host = await world.host(name);
    const integrity = checkIntegrity(world.path(name));
    const complaints = [
      ...(integrity.ok ? integrity.value : [integrity.error.message]),
      ...(await host.selfCheck()),
    ];
    return complaints.length === 0 ? PASSED : failed(`on ${name}: a sound file`, complaints.join('; '));
  });
}
