import { present } from '#shared/assert.ts';

import { differences, faultsAtRest, heldFaults, JOINED, tokensIn } from './convergence-faults.ts';
import { createLedger } from './convergence-ledger.ts';
import type { Ledger } from './convergence-ledger.ts';
import { decide, freeLine } from './convergence-operator.ts';
import type { OperatorDeps } from './convergence-operator.ts';
import { shrink } from './convergence-shrink.ts';
import { stepText, writeSql } from './convergence-steps.ts';
import type { Place, StoryDdl, StoryStep, StoryWrite } from './convergence-steps.ts';
import { createReplicaWorld, syncAll } from './replica-world.ts';
import type { ReplicaWorld, TestReplica } from './replica-world.ts';

/** How often the replicas come to rest blocked and somebody decides, until the story counts as endless. */
const DECISIONS_MAX = 40;

export interface StoryEnd {
  /** What is not as it must be at rest, in sentences; empty when all is well. */
  readonly faults: readonly string[];
  /** Decisions that were made. */
  readonly decisions: number;
}

export interface StoryOptions {
  /** Hears what happens. */
  readonly trace?: (line: string) => void;
  /** Whether every value that was written is accounted for; where names change, nobody can. */
  readonly account?: boolean;
  /** Whether it is a fault that somebody is blocked. */
  readonly isCalm?: boolean;
}

interface Stage extends OperatorDeps {
  readonly world: ReplicaWorld;
  readonly ledger: Ledger;
  /** What went wrong on the way. */
  readonly faults: string[];
}

/**
 * Plays a story on real files, lets all come to rest (whoever is blocked decides), and looks at what must hold then:
 * equal schema and rows everywhere and on a replica that joins at the end by way of any one, sound files, nothing lost, quiet links.
 */
export function playStory(seed: number, steps: readonly StoryStep[], how: StoryOptions = {}): StoryEnd {
  const { trace = () => undefined, account = true, isCalm = false } = how;
  const world = createReplicaWorld(seed);
  try {
    const replicas = ['A', 'B', 'C'].map((name) => world.init(name));
    let decisions = 0;
    const decided = (): void => void (decisions += 1);
    const stage: Stage = { world, replicas, ledger: createLedger(), trace, decided, faults: [] };
    steps.forEach((step, index) => {
      trace(`${index} ${stepText(step)}`);
      play(stage, step, index);
    });
    const stuck = comeToRest(stage, seed, isCalm ? 0 : DECISIONS_MAX);
    const atEnd = stuck === null ? lookAtEnd(stage, { seed, account, isCalm }) : [stuck];
    return { faults: [...stage.faults, ...atEnd], decisions };
  } finally {
    world.close();
  }
}

const at = (stage: Stage, place: Place): TestReplica => present(stage.replicas[place], 'three replicas');

function play(stage: Stage, step: StoryStep, index: number): void {
  switch (step.kind) {
    case 'write':
      for (const write of step.writes) playWrite(stage, at(stage, step.at), { write, index });
      return;
    case 'ddl':
      playDdl(stage, at(stage, step.at), step);
      return;
    case 'pull':
      playPull(stage, { to: at(stage, step.to), from: at(stage, step.from) }, step);
      return;
    case 'resolve':
      stage.world.wait(1);
      decide(stage, at(stage, step.at), step.option);
      return;
    case 'reopen':
      at(stage, step.at).reopen();
  }
}

function playWrite(
  stage: Stage,
  replica: TestReplica,
  { write, index }: { readonly write: StoryWrite; readonly index: number },
): void {
  const row = tokensIn(rowsOrNone(replica, `SELECT * FROM ${write.table} WHERE id = ${write.id}`));
  stage.world.wait(1);
  const result = replica.core().exec(writeSql(write));
  stage.trace(`  ${result.ok ? result.value[0]?.changes : result.error.message}`);
  if (!result.ok || result.value[0]?.changes === 0) return;
  stage.ledger.wrote(write, { by: replica.name, step: index, row: [...row] });
}

function playDdl(stage: Stage, replica: TestReplica, step: StoryDdl): void {
  const tokens = step.drops === null ? [] : tokensIn(rowsOrNone(replica, `SELECT * FROM ${step.drops}`));
  stage.world.wait(1);
  if (step.by === 'another program') {
    stage.trace(`  ${plainOutcome(replica, step.sql)}`);
    return;
  }
  const before = rowsInAll(replica);
  const result = replica.core().exec(step.sql);
  stage.trace(`  ${result.ok ? 'done' : result.error.message}`);
  if (result.ok) stage.ledger.dropped(tokens);
  if (step.sql.startsWith('ALTER TABLE') && rowsInAll(replica) < before)
    stage.faults.push(`${replica.name} has fewer rows after ${step.sql}`);
}

function plainOutcome(replica: TestReplica, sql: string): string {
  try {
    replica.plain(sql);
    return 'done';
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/** Rows in all tables and held: an alteration loses none. */
const rowsInAll = (replica: TestReplica): number =>
  replica
    .core()
    .catalog()
    .objects.reduce((sum, { rows }) => sum + (rows ?? 0), replica.core().status().heldRows);

function playPull(
  stage: Stage,
  { to, from }: { readonly to: TestReplica; readonly from: TestReplica },
  how: Extract<StoryStep, { kind: 'pull' }>,
): void {
  const outcome = to.pull(from, how);
  // A deletion that is held is not known yet.
  if (outcome.blocked === null && outcome.held === 0 && outcome.pages.at(-1)?.more === false)
    stage.ledger.pulled(to.name, from.name);
  stage.trace(`  applied ${outcome.applied} held ${outcome.held} ${outcome.blocked?.message ?? ''}`);
}

/** Syncs and decides until nobody is stuck; a sentence when that does not end. */
function comeToRest(stage: Stage, seed: number, decisionsMax: number): string | null {
  for (let turn = 0; ; turn += 1) {
    syncAll(stage.replicas);
    const stuck = stage.replicas.filter((replica) => replica.core().blocked().length > 0);
    if (stuck.length === 0) return null;
    if (turn >= decisionsMax) return `still blocked: ${stuck.map(blockedText).join('; ')}`;
    stage.trace(`at rest ${turn}: ${stuck.map(blockedText).join('; ')}`);
    const replica = present(stuck[(seed + turn) % stuck.length], 'somebody is stuck');
    stage.world.wait(1);
    freeLine(stage, replica, seed + turn);
  }
}

function lookAtEnd(
  stage: Stage,
  { seed, account, isCalm }: Required<Omit<StoryOptions, 'trace'>> & { readonly seed: number },
): readonly string[] {
  const joined = stage.world.init(JOINED);
  const everybody = [...stage.replicas, joined];
  // Whoever is asked tells all that there is, what others wrote and decided included.
  const source = present(stage.replicas[seed % stage.replicas.length], 'three replicas');
  joined.pull(source, { facts: 7 });
  const byOne = differences(source, joined).map((fault) => `joined by ${source.name} alone: ${fault}`);
  syncAll(everybody, { facts: 7 });
  if (joined.core().blocked().length > 0) {
    for (const replica of everybody) stage.trace(historyText(replica));
    return [`joined and blocked: ${blockedText(joined)}`];
  }
  const faults = [
    ...byOne,
    ...faultsAtRest(everybody, account ? stage.ledger.missing : () => []),
    ...(isCalm ? heldFaults(everybody) : []),
    // What waits for its row waits everywhere, or the row is gone and nothing waits.
    ...(account ? heldFaults(everybody, ['notNull']) : []),
  ];
  if (faults.length > 0) for (const replica of everybody) stage.trace(historyText(replica));
  return faults;
}

const blockedText = (replica: TestReplica): string =>
  replica
    .core()
    .blocked()
    .map(({ cause, object, message }) => `${replica.name} ${cause} ${object}: ${message}`)
    .join(', ');

const historyText = (replica: TestReplica): string =>
  [
    `${replica.name}:`,
    ...replica
      .core()
      .migrations({ limit: 1_000 })
      .map(
        ({ seq, type, id, origin, hlc, verdict, reason, object }) =>
          `  ${seq} ${type} ${object} ${id.slice(0, 4)} of ${origin.slice(0, 4)} ${hlc.slice(17, 29)} ${verdict} ${reason}`,
      ),
  ].join('\n');

function rowsOrNone(replica: TestReplica, sql: string): readonly (readonly unknown[])[] {
  const result = replica.core().exec(sql);
  return result.ok ? (result.value[0]?.rows ?? []) : [];
}

/** The shortest story that still fails, found by leaving steps out. */
export function shrinkStory(
  seed: number,
  steps: readonly StoryStep[],
  how: StoryOptions = {},
): readonly StoryStep[] {
  return shrink(steps, (candidate) => {
    try {
      return playStory(seed, candidate, how).faults.length > 0;
    } catch {
      return true;
    }
  });
}
