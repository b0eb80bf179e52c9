import type { ResolutionOutcome } from '#shared/api/blocked-procedures.ts';
import type { Failure, Input, Output } from '#shared/api/types.ts';
import { ok, type Result } from '#shared/result.ts';
import type { ResolveReport } from '../replica/replica.ts';
import type { FleetBoard } from './fleet-board.ts';
import { onMember } from './on-member.ts';
import { renewBehind } from './renew-behind.ts';
import { callRemote } from './route-remote.ts';
import type { ServicePorts } from './service-ports.ts';

export type ResolveWish = Input<'blocked.resolve'> & { readonly who: string };

/** More would be no outcome that a person reads. */
const REPLICAS_MAX = 200;

/**
 * Decides a conflict where it is asked, carries the decision on over the links of this console until nothing moves,
 * and says how each replica of the fleet stands then.
 */
export async function resolveEverywhere(
  ports: ServicePorts,
  wish: ResolveWish,
): Promise<Result<Output<'blocked.resolve'>, Failure<'blocked.resolve'>>> {
  const stuckBefore = stuckOn(ports.board, wish.conflictId);
  const object = objectOf(ports.board, wish);
  const decided = await decide(ports, wish);
  if (!decided.ok) return decided;

  const { rounds } = await ports.links.syncNow(null);
  await Promise.all(ports.members.all().map((member) => member.refresh()));
  ports.board.invalidate();
  ports.activity.note(
    'resolved',
    { object, option: wish.option, because: wish.because, who: wish.who },
    { ref: wish.ref, name: ports.board.replica(wish.ref)?.name ?? wish.ref },
  );
  return ok({ ...decided.value, rounds, replicas: outcomeOf(ports.board, wish.conflictId, stuckBefore) });
}

async function decide(
  ports: ServicePorts,
  { who, ...wish }: ResolveWish,
): Promise<Result<Omit<ResolutionOutcome, 'rounds' | 'replicas'>, Failure<'blocked.resolve'>>> {
  const remote = ports.hosts.resolve(wish.ref);
  if (remote !== null) return callRemote(remote, 'blocked.resolve', wish);
  const { ref, conflictId, option, because } = wish;
  if (option === 'newSite') {
    const renewed = await renewBehind(ports, { ref, conflictId, because, who });
    if (!renewed.ok) return renewed;
  }
  return onMember(ports.members, ref, async (member) => {
    const resolved = await member.keeper.replica.resolve({ conflictId, option, because, who });
    return resolved.ok ? ok(toOutcome(resolved.value)) : resolved;
  });
}

function toOutcome({ admission, ...report }: ResolveReport): Omit<ResolutionOutcome, 'rounds' | 'replicas'> {
  const { admittedGroups, factsApplied, factsSuperseded, factsHeld, migrations } = admission;
  return {
    ...report,
    admitted: { groups: admittedGroups, factsApplied, factsSuperseded, factsHeld, migrations },
  };
}

function outcomeOf(
  board: FleetBoard,
  conflictId: string,
  stuckBefore: ReadonlySet<string>,
): ResolutionOutcome['replicas'] {
  const stuckNow = stuckOn(board, conflictId);
  const replicas = board.fleet().replicas.map(({ ref, name, state }) => ({
    ref,
    name,
    state,
    wasStuck: stuckBefore.has(ref),
    stillStuck: stuckNow.has(ref),
  }));
  return replicas.sort((one, other) => Number(other.wasStuck) - Number(one.wasStuck)).slice(0, REPLICAS_MAX);
}

function stuckOn(board: FleetBoard, conflictId: string): ReadonlySet<string> {
  const stuck = board
    .fleet()
    .replicas.filter(({ blocked }) => blocked.some((each) => each.conflictId === conflictId));
  return new Set(stuck.map(({ ref }) => ref));
}

function objectOf(board: FleetBoard, { ref, conflictId }: ResolveWish): string {
  return board.replica(ref)?.blocked.find((each) => each.conflictId === conflictId)?.object ?? '';
}
