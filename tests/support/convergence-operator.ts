import type { Decision } from './convergence-steps.ts';
import type { TestReplica } from './replica-world.ts';
import { waysOut } from './ways-out.ts';

export interface OperatorDeps {
  readonly replicas: readonly TestReplica[];
  readonly trace: (line: string) => void;
  readonly decided: () => void;
}

/** Answers the first thing that a replica is blocked on, where this answer is offered. */
export function decide(deps: OperatorDeps, replica: TestReplica, option: Decision): void {
  const blocked = replica
    .core()
    .blocked()
    .find(({ options }) => options.includes(option));
  if (blocked === undefined) return;
  const { conflictId, object } = blocked;
  const result = replica.core().resolve({ conflictId, option, because: 'story', who: 'story' });
  deps.trace(`  ${replica.name} ${option} ${object}: ${result.ok ? 'done' : result.error.message}`);
  if (result.ok) deps.decided();
}

/**
 * What a person does to free a line: decides, where a decision is possible; else takes away what is in the way, here
 * or at its origin. `turn` varies what is tried first, so that nobody does the same thing for ever.
 */
export function freeLine(deps: OperatorDeps, replica: TestReplica, turn: number): void {
  const [blocked] = replica.core().blocked();
  if (blocked === undefined) return;
  const option = turn % 2 === 0 ? 'takeRemote' : 'keepLocal';
  if (blocked.options.includes(option)) {
    decide(deps, replica, option);
    return;
  }
  const origin = deps.replicas.find((candidate) => candidate.core().identity().site === blocked.from);
  const ways = waysOut(blocked);
  const inTurn = ways.map((_way, tried) => ways[(turn + tried) % ways.length]);
  for (const way of inTurn) {
    const at = way?.at === 'origin' ? origin : replica;
    if (way !== undefined && at !== undefined && takesAway(deps, at, way.sql)) return;
  }
}

/** Whether the statement went through and changed something. */
function takesAway(deps: OperatorDeps, at: TestReplica, sql: string): boolean {
  const result = at.core().exec(sql);
  deps.trace(`  ${at.name} frees the line: ${sql}: ${result.ok ? 'done' : result.error.message}`);
  return result.ok && (!sql.startsWith('DELETE') || result.value[0]?.changes !== 0);
}
