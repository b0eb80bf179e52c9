import type { BlockedView } from '#shared/model/views.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { Expectation } from './scenario.ts';
import { failed, firstFailure, PASSED, type StepOutcome } from './step-outcome.ts';

type Of<K extends Expectation['kind']> = Extract<Expectation, { kind: K }>;

// What a replica keeps records of: blocked batches, held changes, migrations, findings, decisions, its log.

/** Whether a batch is blocked as described. `mentions` may stand in the message or in either definition. */
export async function checkBlocked(world: ScenarioWorld, said: Of<'blocked'>): Promise<StepOutcome> {
  const fromSite =
    said.from === undefined ? undefined : (await (await world.host(said.from)).identity()).site;
  return firstFailure(said.on, async (name) => {
    const blocked = await (await world.host(name)).blocked();
    const fits = blocked.some(
      (batch) =>
        (fromSite === undefined || batch.from === fromSite) &&
        (said.object === undefined || batch.object === '' || isSameName(batch.object, said.object)) &&
        (said.cause === undefined || batch.cause === said.cause) &&
        (said.mentions ?? []).every((word) => wordsOf(batch).includes(word)),
    );
    if (fits) return PASSED;
    const { kind: _kind, on: _on, ...rest } = said;
    return failed(`on ${name}: blocked ${JSON.stringify(rest)}`, listOf(blocked.map(blockedText)));
  });
}

/** Whether no line of these replicas is blocked. */
export async function checkNotBlocked(world: ScenarioWorld, names: readonly string[]): Promise<StepOutcome> {
  return firstFailure(names, async (name) => {
    const blocked = await (await world.host(name)).blocked();
    return blocked.length === 0
      ? PASSED
      : failed(`on ${name}: nothing blocked`, listOf(blocked.map(blockedText)));
  });
}

/** Whether so many rows are held; without a count, any. */
export async function checkHeld(world: ScenarioWorld, said: Of<'held'>): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const counts = await (await world.host(name)).heldCounts();
    const rows = counts
      .filter(
        (held) =>
          isSameName(held.table, said.table) && (said.reason === undefined || held.reason === said.reason),
      )
      .reduce((sum, held) => sum + held.rows, 0);
    return compareCount({
      what: `on ${name}: held rows of ${said.table}${said.reason === undefined ? '' : ` (${said.reason})`}`,
      expected: said.count,
      there: rows,
      all: counts.map((held) => `${held.rows} of ${held.table} (${held.reason})`),
    });
  });
}

/** Whether the history has so many such migrations; without a count, any. */
export async function checkMigration(world: ScenarioWorld, said: Of<'migration'>): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const migrations = await (await world.host(name)).migrations({ limit: HISTORY_MAX });
    const ofObject = migrations.filter((migration) => isSameName(migration.object, said.object));
    const fitting = ofObject.filter(
      (migration) =>
        (said.type === undefined || migration.type === said.type) &&
        (said.verdict === undefined || migration.verdict === said.verdict),
    );
    return compareCount({
      what: `on ${name}: ${said.type ?? 'migrations'} of ${said.object}${said.verdict === undefined ? '' : ` (${said.verdict})`}`,
      expected: said.count,
      there: fitting.length,
      all: ofObject.map((migration) => `${migration.type} (${migration.verdict})`),
    });
  });
}

/** Whether there are so many such findings; without a count, any. */
export async function checkFinding(world: ScenarioWorld, said: Of<'finding'>): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const findings = await (await world.host(name)).findings();
    const fitting = findings.filter(
      (finding) =>
        isSameName(finding.table, said.table) &&
        (said.findingKind === undefined || finding.kind === said.findingKind),
    );
    return compareCount({
      what: `on ${name}: findings of ${said.table}${said.findingKind === undefined ? '' : ` (${said.findingKind})`}`,
      expected: said.count,
      there: fitting.length,
      all: findings.map((finding) => `${finding.kind} of ${finding.table}`),
    });
  });
}

/** Whether the decision journal has such an entry. */
export async function checkJournal(world: ScenarioWorld, said: Of<'journal'>): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const entries = await (await world.host(name)).journal({ limit: HISTORY_MAX });
    const fits = entries.some(
      (entry) =>
        (entry.option === 'newSite' || isSameName(entry.object, said.object)) &&
        (said.option === undefined || entry.option === said.option) &&
        (said.because === undefined || entry.because === said.because),
    );
    const { kind: _kind, on: _on, ...rest } = said;
    return fits
      ? PASSED
      : failed(
          `on ${name}: a journal entry ${JSON.stringify(rest)}`,
          listOf(
            entries.map(
              (entry) => `${entry.option} of ${entry.object} because ${JSON.stringify(entry.because)}`,
            ),
          ),
        );
  });
}

/** Whether a line of the log contains this. */
export async function checkLog(world: ScenarioWorld, said: Of<'log'>): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const lines = await (await world.host(name)).logLines();
    return lines.some((line) => line.includes(said.contains))
      ? PASSED
      : failed(
          `on ${name}: a log line with ${JSON.stringify(said.contains)}`,
          listOf(lines.slice(-LOG_LINES_SHOWN)),
        );
  });
}

const LOG_LINES_SHOWN = 5;
/** More than any scenario records. */
const HISTORY_MAX = 100_000;

function compareCount(counted: {
  readonly what: string;
  readonly expected: bigint | undefined;
  readonly there: number;
  readonly all: readonly string[];
}): StepOutcome {
  const { what, expected, there, all } = counted;
  if (expected === undefined ? there > 0 : BigInt(there) === expected) return PASSED;
  const wanted = expected === undefined ? 'at least one' : String(expected);
  return failed(`${what}: ${wanted}`, `${there}; in all ${listOf(all)}`);
}

function wordsOf(batch: BlockedView): string {
  const differences = batch.differences.flatMap(({ subject, local, remote }) => [subject, local, remote]);
  return [batch.message, batch.localDdl, batch.remoteDdl, ...differences].join('\n');
}

const blockedText = (batch: BlockedView): string => `${batch.cause} of ${batch.object}: ${batch.message}`;

const listOf = (texts: readonly string[]): string => (texts.length === 0 ? 'none' : texts.join('; '));

function isSameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
