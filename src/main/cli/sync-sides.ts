import { SiteId } from '#shared/model/ids.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { createReplicaEndpoint, type SyncEndpoint } from '../peers/sync-endpoint.ts';
import { notUnderstood, refuse, type CommandFailure } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { connectToHolder } from './connect-to-holder.ts';
import { findReplica, type FoundReplica } from './find-replica.ts';
import { openReplicaFile } from './open-replica-file.ts';
import { readToken } from './read-token.ts';

/** What PEER means: a file of this machine, or a replica behind an address. */
export type PeerWish = ({ readonly kind: 'file' } & FoundReplica) | RemoteSide;

/** One end of a sync: open here, or behind a host. */
export type SyncSide = LocalSide | RemoteSide;

export interface LocalSide {
  readonly kind: 'local';
  readonly name: string;
  readonly endpoint: SyncEndpoint;
  readonly close: () => void;
}

export interface RemoteSide {
  readonly kind: 'remote';
  readonly name: string;
  /** `ws://` or `wss://` with port, without a path. */
  readonly host: string;
  readonly site: SiteId;
  readonly token: string | null;
  readonly close: () => void;
}

/**
 * Reads PEER: a `ws(s)://host[:port]/<site>`, or a REPLICA. Opens nothing.
 *
 * Errors: those of finding a replica and reading the token; `not-understood` for an address without a site.
 */
export function readPeer(
  context: CommandContext,
  said: string,
  tokenFile: string | undefined,
): Result<PeerWish, CommandFailure> {
  if (!/^wss?:\/\//i.test(said)) {
    const found = findReplica(context, said);
    return found.ok ? ok({ kind: 'file', ...found.value }) : found;
  }
  const url = URL.parse(said);
  const site = SiteId.safeParse(url?.pathname.replace(/^\/(?:sync\/)?/, ''));
  if (url === null || !site.success) {
    return notUnderstood(
      `"${said}" is no address of a replica: it looks like ws://127.0.0.1:4021/<site ID>.`,
    );
  }
  const token = readToken(context, tokenFile);
  if (!token.ok) return token;
  const host = `${url.protocol}//${url.host}`;
  return ok({
    kind: 'remote',
    name: said,
    host,
    site: site.data,
    token: token.value,
    close: () => undefined,
  });
}

/** Opens a file as its host, or reaches the host that holds it. */
export async function openSide(
  context: CommandContext,
  wish: PeerWish,
): Promise<Result<SyncSide, CommandFailure>> {
  if (wish.kind === 'remote') return ok(wish);
  const opened = openReplicaFile(context, wish.path);
  if (opened.ok) {
    const endpoint = createReplicaEndpoint({ replica: opened.value, clock: context.ports.clock });
    return ok({ kind: 'local', name: wish.name, endpoint, close: opened.value.close });
  }
  const address = opened.error.code === 'held-by-host' ? opened.error.address : null;
  return address === null
    ? refuse(opened.error.code, opened.error.message)
    : sideAtHolder(context, wish, address);
}

async function sideAtHolder(
  context: CommandContext,
  { path, name }: FoundReplica,
  address: string,
): Promise<Result<RemoteSide, CommandFailure>> {
  const holder = await connectToHolder(context, address);
  if (!holder.ok) return holder;
  const { client, secret, close } = holder.value;
  const fleet = await client.call('fleet.get', {});
  const site = fleet.ok
    ? fleet.value.replicas.find((replica) => replica.path === path)?.status?.site
    : undefined;
  if (site === undefined) {
    close();
    return err({
      code: 'replica-unknown',
      message: `The host at ${address} does not show ${name} to us.`,
      status: 1,
    });
  }
  context.output.err(`${name} is held by the host at ${address}, which takes part in its place.\n`);
  const host = address.replace(/^http/i, 'ws').replace(/\/+$/, '');
  return ok({ kind: 'remote', name, host, site, token: secret, close });
}
