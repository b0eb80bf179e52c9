import type { Method } from '#shared/api/contract.ts';
import type { CallResult, Failure, Handler, Handlers, Input, Output } from '#shared/api/types.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { RemoteHost } from './remote-host.ts';
import type { RemoteHosts } from './remote-hosts.ts';

/** Calls about one replica that its own host answers. `replica.get` is not among them: the fleet has the answer. */
export type RoutedMethod =
  Exclude<Extract<Method, `replica.${string}`>, 'replica.get'> | Extract<Method, `blocked.${string}`>;

type Rename<M extends RoutedMethod> = (output: Output<M>, here: (ref: string) => string) => Output<M>;

const same = <T>(output: T): T => output;

/** How refs in an answer become those of this console. */
const RENAMES: { readonly [M in RoutedMethod]: Rename<M> } = {
  'replica.catalog': same,
  'replica.definitions': same,
  'replica.diffCatalog': same,
  'replica.migrations': same,
  'replica.blocked': same,
  'replica.held': same,
  'replica.measureHeld': same,
  'replica.decideHeld': same,
  'replica.editHeld': same,
  'replica.journal': same,
  'replica.findings': same,
  'replica.previewShape': same,
  'replica.rehearse': same,
  'replica.rehearseArrival': same,
  'replica.query': same,
  'replica.exec': same,
  'replica.check': same,
  'replica.prune': same,
  'replica.newSite': same,
  'replica.checklist': ({ peer, items }, here) => ({
    peer: peer === null ? null : renameOwnRef(peer, here),
    items,
  }),
  'blocked.get': (output, here) => ({
    ...output,
    fromRef: output.fromRef === null ? null : here(output.fromRef),
    sides: output.sides.map((side) => renameOwnRef(side, here)),
    alsoStuck: output.alsoStuck.map((stuck) => ({ ...stuck, ref: here(stuck.ref) })),
  }),
  'blocked.preview': (output, here) => ({
    ...output,
    replicas: output.replicas.map((replica) => ({ ...replica, ref: here(replica.ref) })),
  }),
  'blocked.resolve': (output, here) => ({
    ...output,
    replicas: output.replicas.map((replica) => ({ ...replica, ref: here(replica.ref) })),
  }),
};

function renameOwnRef<T extends { readonly ref: string | null }>(named: T, here: (ref: string) => string): T {
  return named.ref === null ? named : { ...named, ref: here(named.ref) };
}

/** Sends a call about a replica to the host that holds it. */
export async function callRemote<M extends RoutedMethod>(
  remote: { readonly host: RemoteHost; readonly ref: string },
  method: M,
  input: Input<M>,
): Promise<Result<Output<M>, Failure<M>>> {
  const { host } = remote;
  const here = (ref: string): string => `${host.id}/${ref}`;
  const client = host.client();
  if (client === null) return unavailable(here(remote.ref), host.trouble() ?? 'Its host is not reached.');

  const there = { ...input, ref: remote.ref, ...renamePeer(input, host.id) };
  const answer: CallResult<M> = await client.call(method, there);
  if (answer.ok) return ok(RENAMES[method](answer.value, here));
  return toOwnFailure<M>(answer.error, here(remote.ref));
}

type ReplicaHandlers = Pick<Handlers, Extract<Method, `replica.${string}`>>;
type ReplicaRoute = Extract<RoutedMethod, `replica.${string}`>;

/** Handlers that send calls about a remote replica to its host, and leave the others to `local`. */
export function routeRemote(local: ReplicaHandlers, hosts: RemoteHosts): ReplicaHandlers {
  const route = <M extends ReplicaRoute>(method: M): readonly [M, Handler<M>] => [
    method,
    (input, caller) => {
      const remote = hosts.resolve((input as { readonly ref: string }).ref);
      const handle = local[method] as Handler<M>;
      return remote === null ? handle(input, caller) : callRemote(remote, method, input);
    },
  ];
  return { ...local, ...Object.fromEntries(REPLICA_ROUTES.map(route)) };
}

const REPLICA_ROUTES = Object.keys(RENAMES).filter((method): method is ReplicaRoute =>
  method.startsWith('replica.'),
);

/** A checklist may name a peer of the same host. */
function renamePeer(input: object, hostId: string): { readonly peer?: string } {
  const peer = 'peer' in input && typeof input.peer === 'string' ? input.peer : undefined;
  return peer?.startsWith(`${hostId}/`) === true ? { peer: peer.slice(hostId.length + 1) } : {};
}

const REASONS: Readonly<Record<string, string>> = {
  'not-allowed': 'The token for its host may read and not change anything.',
  'unknown-method': 'Its host is older than this console.',
  'bad-request': 'Its host is of another version than this console.',
  internal: 'Its host met a case that it does not know; its log says more.',
  'host-unreachable': 'Its host does not answer.',
};

/** Failures of any call become `replica-unavailable`, which every routed method knows. */
function toOwnFailure<M extends RoutedMethod>(
  error: { readonly code: string },
  ref: string,
): Result<never, Failure<M>> {
  const reason = REASONS[error.code];
  if (reason !== undefined) return unavailable(ref, reason);
  return err(('ref' in error ? { ...error, ref } : error) as Failure<M>);
}

function unavailable<M extends RoutedMethod>(ref: string, reason: string): Result<never, Failure<M>> {
  // Every routed method has it among its failures, which the compiler cannot see through M.
  return err({ code: 'replica-unavailable', ref, state: 'unreachable', reason } as Failure<M>);
}
