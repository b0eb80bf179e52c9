import { present } from '#shared/assert.ts';

import { faultsAtRest, tokensIn } from './convergence-faults.ts';
import { createLedger } from './convergence-ledger.ts';
import type { Ledger } from './convergence-ledger.ts';
import { stepText, writeSql } from './convergence-steps.ts';
import type { Decision, Place, StoryStep, StoryWrite } from './convergence-steps.ts';
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

interface Stage {
  readonly world: ReplicaWorld;
  readonly replicas: readonly TestReplica[];
  readonly ledger: Ledger;
  readonly trace: (line: string) => void;
  decisions: number;
}

/**
 * Plays a story on real files, lets all come to rest (whoever is blocked decides), and looks at what must hold then:
 * equal schema and rows everywhere and on a replica that joins at the end, sound files, nothing lost, quiet links.
 */
export function playStory(
  seed: number,
  steps: readonly StoryStep[],
  trace: (line: string) => void = () => undefined,
): StoryEnd {
  const world = createReplicaWorld(seed);
  try {
    const replicas = ['A', 'B', 'C'].map((name) => world.init(name));
    const stage: Stage = { world, replicas, ledger: createLedger(), trace, decisions: 0 };
    steps.forEach((step, index) => {
      trace(`${index} ${stepText(step)}`);
      play(stage, step, index);
    });
    const stuck = comeToRest(stage, seed);
    const faults = stuck === null ? lookAtEnd(stage) : [stuck];
    return { faults, decisions: stage.decisions };
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

function playDdl(stage: Stage, replica: TestReplica, step: Extract<StoryStep, { kind: 'ddl' }>): void {
  const tokens = step.drops === null ? [] : tokensIn(rowsOrNone(replica, `SELECT * FROM ${step.drops}`));
  stage.world.wait(1);
  const result = replica.core().exec(step.sql);
  stage.trace(`  ${result.ok ? 'done' : result.error.message}`);
  if (result.ok) stage.ledger.dropped(tokens);
}

function playPull(
  stage: Stage,
  { to, from }: { readonly to: TestReplica; readonly from: TestReplica },
  how: Extract<StoryStep, { kind: 'pull' }>,
): void {
  const outcome = to.pull(from, how);
  if (outcome.blocked === null && outcome.pages.at(-1)?.more === false)
    stage.ledger.pulled(to.name, from.name);
  stage.trace(`  applied ${outcome.applied} held ${outcome.held} ${outcome.blocked?.message ?? ''}`);
}

function decide(stage: Stage, replica: TestReplica, option: Decision): void {
  const blocked = replica
    .core()
    .blocked()
    .find(({ options }) => options.includes(option));
  if (blocked === undefined) return;
  stage.world.wait(1);
  const { conflictId, object } = blocked;
  const result = replica.core().resolve({ conflictId, option, because: 'story', who: 'story' });
  stage.trace(`  ${replica.name} ${option} ${object}: ${result.ok ? 'done' : result.error.message}`);
  if (result.ok) stage.decisions += 1;
}

/** Syncs and decides until nobody is stuck; a sentence when that does not end. */
function comeToRest(stage: Stage, seed: number): string | null {
  for (let turn = 0; ; turn += 1) {
    syncAll(stage.replicas);
    const stuck = stage.replicas.filter((replica) => replica.core().blocked().length > 0);
    if (stuck.length === 0) return null;
    if (turn >= DECISIONS_MAX) return `still blocked: ${stuck.map(blockedText).join('; ')}`;
    stage.trace(`at rest ${turn}: ${stuck.map(blockedText).join('; ')}`);
    const replica = present(stuck[(seed + turn) % stuck.length], 'somebody is stuck');
    freeLine(stage, replica, (seed + turn) % 2 === 0 ? 'takeRemote' : 'keepLocal');
  }
}

/** Decides where a decision is possible; else takes away, at its origin, what the rows here forbid. */
function freeLine(stage: Stage, replica: TestReplica, option: Decision): void {
  const [blocked] = replica.core().blocked();
  if (blocked === undefined) return;
  if (blocked.options.includes(option)) {
    decide(stage, replica, option);
    return;
  }
  const origin = stage.replicas.find((candidate) => candidate.core().identity().site === blocked.from);
  origin?.core().exec(`DROP INDEX IF EXISTS "${blocked.object}"`);
}

function lookAtEnd(stage: Stage): readonly string[] {
  const joined = stage.world.init('D');
  const everybody = [...stage.replicas, joined];
  syncAll(everybody, { facts: 7 });
  if (joined.core().blocked().length > 0) {
    for (const replica of everybody) stage.trace(historyText(replica));
    return [`joined and blocked: ${blockedText(joined)}`];
  }
  const faults = faultsAtRest(everybody, stage.ledger.missing);
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
export function shrinkStory(seed: number, steps: readonly StoryStep[]): readonly StoryStep[] {
  const fails = (candidate: readonly StoryStep[]): boolean => {
    try {
      return playStory(seed, candidate).faults.length > 0;
    } catch {
      return true;
    }
  };
  let left = steps;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < left.length;) {
      const candidate = [...left.slice(0, from), ...left.slice(from + size)];
      if (fails(candidate)) left = candidate;
      else from += size;
    }
  }
  return left;
}
