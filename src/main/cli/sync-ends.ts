import { SiteId } from '#shared/model/ids.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { createReplicaEndpoint, type SyncEndpoint } from '../peers/sync-endpoint.ts';
import type { Replica } from '../replica/replica.ts';
import { notUnderstood, refuse, type CommandFailure } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { connectToHolder } from './connect-to-holder.ts';
import { findReplica } from './find-replica.ts';
import { openReplicaFile } from './open-replica-file.ts';
import { readToken } from './read-token.ts';

/** One end of a sync: open here, or behind a host. */
export type SyncSide = LocalSide | RemoteSide;

export interface LocalSide {
  readonly kind: 'local';
  readonly name: string;
  readonly replica: Replica;
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
 * Opens what PEER means: a `ws(s)://host[:port]/<site>`, or a REPLICA, at its file or at the host that holds it.
 *
 * Errors: those of finding and opening; `not-understood` for an address without a site.
 */
export async function openSyncSide(
  context: CommandContext,
  said: string,
  tokenFile: string | undefined,
): Promise<Result<SyncSide, CommandFailure>> {
  if (/^wss?:\/\//i.test(said)) return remoteSide(context, said, tokenFile);
  const found = findReplica(context, said);
  if (!found.ok) return found;
  const { path, name } = found.value;
  const opened = openReplicaFile(context, path);
  if (opened.ok) {
    const replica = opened.value;
    const endpoint = createReplicaEndpoint({ replica, clock: context.ports.clock });
    return ok({ kind: 'local', name, replica, endpoint, close: replica.close });
  }
  const address = opened.error.code === 'held-by-host' ? opened.error.address : null;
  return address === null
    ? refuse(opened.error.code, opened.error.message)
    : sideAtHolder(context, { path, name, address });
}

function remoteSide(
  context: CommandContext,
  said: string,
  tokenFile: string | undefined,
): Result<RemoteSide, CommandFailure> {
  const url = URL.parse(said);
  const site = SiteId.safeParse(url?.pathname.replace(/^\/(?:sync\/)?/, ''));
  if (url === null || !site.success) {
    return notUnderstood(
      `"${said}" is no address of a replica: it looks like ws://127.0.0.1:7421/<site ID>.`,
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

async function sideAtHolder(
  context: CommandContext,
  { path, name, address }: { readonly path: string; readonly name: string; readonly address: string },
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
  const host = address.replace(/^http/i, 'ws').replace(/\/+$/, '');
  return ok({ kind: 'remote', name, host, site, token: secret, close });
}
