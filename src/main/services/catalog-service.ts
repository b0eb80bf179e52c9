import type { RehearsedReplica } from '#shared/api/catalog-procedures.ts';
import type { FleetReplica } from '#shared/api/fleet-replica.ts';
import type { Caller, Handlers, Input } from '#shared/api/types.ts';
import { ok } from '#shared/result.ts';
import type { FleetBoard } from './fleet-board.ts';

type ReplicaHandlers = Pick<
  Handlers,
  'replica.definitions' | 'replica.diffCatalog' | 'replica.rehearse' | 'replica.rehearseArrival'
>;

/** Each makes a copy of a replica. */
const AT_ONCE_MAX = 2;
/** A person reads the answers. */
const REPLICAS_MAX = 50;

/**
 * Questions about the catalogs of several replicas. `replicas` answers for each, wherever it is: the work is done where it
 * is held, off the main thread.
 */
export function createCatalogHandlers(
  replicas: ReplicaHandlers,
  board: FleetBoard,
): Pick<Handlers, 'catalog.diff' | 'catalog.rehearse'> {
  return {
    'catalog.diff': async ({ left, right, explain }, caller) => {
      const there = await replicas['replica.definitions']({ ref: right }, caller);
      if (!there.ok) return there;
      return replicas['replica.diffCatalog']({ ref: left, right: [...there.value], explain }, caller);
    },
    'catalog.rehearse': async (wish, caller) => {
      const author = await replicas['replica.rehearse']({ ref: wish.at, sql: wish.sql }, caller);
      if (!author.ok) return author;
      const { rehearsal, carried } = author.value;
      const own: RehearsedReplica = {
        ref: wish.at,
        name: board.replica(wish.at)?.name ?? wish.at,
        role: 'author',
        rehearsal,
        note: null,
      };
      if (rehearsal.outcome === 'refused') return ok([own]);
      const arriving = (replica: FleetReplica) => rehearseArrival(replicas, { replica, carried, caller });
      return ok([own, ...(await inTurn(receivers(board, wish), arriving))]);
    },
  };
}

function receivers(board: FleetBoard, { at, on }: Input<'catalog.rehearse'>): readonly FleetReplica[] {
  return board
    .fleet()
    .replicas.filter(({ ref }) => ref !== at && (on === undefined || on.includes(ref)))
    .slice(0, REPLICAS_MAX);
}

async function rehearseArrival(
  replicas: ReplicaHandlers,
  arrival: { readonly replica: FleetReplica; readonly carried: string; readonly caller: Caller },
): Promise<RehearsedReplica> {
  const { ref, name } = arrival.replica;
  const answer = await replicas['replica.rehearseArrival']({ ref, carried: arrival.carried }, arrival.caller);
  const receiver = { ref, name, role: 'receiver' } as const;
  if (answer.ok) return { ...receiver, rehearsal: answer.value, note: null };
  const { error } = answer;
  const why =
    'message' in error ? error.message : 'reason' in error ? error.reason : 'It is not there any more.';
  return { ...receiver, rehearsal: null, note: why };
}

/** A few at a time; the answers in the order of what was asked. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<T, R>();
  const queue = [...items];
  const lanes = Array.from({ length: AT_ONCE_MAX }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results.set(next, await work(next));
  });
  await Promise.all(lanes);
  return items.flatMap((item) => results.get(item) ?? []);
}
