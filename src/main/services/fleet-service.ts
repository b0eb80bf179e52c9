import type { Failure, Handlers, Input, Output } from '#shared/api/types.ts';
import { CONTRACT_VERSION } from '#shared/api/contract.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { ConnectHostError } from './connect-host.ts';
import { drawRef } from './draw-ref.ts';
import type { HostInfo } from './host-info.ts';
import { createFileHandlers } from './open-files.ts';
import { createLinkHandlers } from './link-service.ts';
import type { RemoteHost } from './remote-host.ts';
import type { ServicePorts } from './service-ports.ts';

type FleetHandlers = Pick<Handlers, Extract<keyof Handlers, `fleet.${string}`>>;

/** What the console does with the list of replicas, links and hosts. */
export function createFleetHandlers(ports: ServicePorts): FleetHandlers {
  const { members, links, hosts, board, hub, activity } = ports;

  return {
    ...createFileHandlers(ports),
    ...createLinkHandlers(ports),
    'fleet.get': async () => Promise.resolve(ok(board.fleet())),
    'fleet.remove': async ({ ref }) => {
      const member = findOwn(ports, ref);
      if (!member.ok) return member;
      const { name, path } = member.value.record();
      await links.removeWhere(({ a, b }) => a === ref || b === ref);
      ports.endSessions(ref);
      await members.remove(ref);
      activity.note('replicaRemoved', { path }, { ref, name });
      board.invalidate();
      hub.push('fleet');
      return ok(null);
    },
    'fleet.renameReplica': async ({ ref, name, group }) => {
      const member = findOwn(ports, ref);
      if (!member.ok) return Promise.resolve(member);
      members.rename(ref, name, group);
      board.invalidate();
      hub.push('fleet');
      return ok(null);
    },
    'fleet.connectHost': (wish) => connectHost(ports, wish),
    'fleet.disconnectHost': async ({ url }) => {
      const host = hosts.findByUrl(url);
      if (host === null) return err({ code: 'host-unknown', url });
      await links.removeWhere(({ b }) => b?.startsWith(`${host.id}/`) === true);
      hosts.remove(host.id);
      activity.note('hostDisconnected', { url });
      board.invalidate();
      hub.push('fleet');
      return ok(null);
    },
  };
}

function findOwn(ports: ServicePorts, ref: string) {
  const member = ports.members.get(ref);
  if (member !== null) return ok(member);
  const remote = ports.hosts.resolve(ref);
  return remote === null
    ? err({ code: 'replica-unknown', ref })
    : err({ code: 'on-remote-host', url: remote.host.url });
}

async function connectHost(
  ports: ServicePorts,
  wish: Input<'fleet.connectHost'>,
): Promise<Result<Output<'fleet.connectHost'>, Failure<'fleet.connectHost'>>> {
  const url = readHostUrl(wish.url);
  if (url === null) return err({ code: 'bad-url', url: wish.url });
  if (ports.hosts.findByUrl(url) !== null) return err({ code: 'host-exists', url });
  const host = ports.hosts.add({ id: drawRef(ports.random), url }, wish.token);
  const refused = await tryHost(host, ports.info);
  if (refused !== null) {
    ports.hosts.remove(host.id);
    return err(refused);
  }
  ports.activity.note('hostConnected', { url });
  ports.board.invalidate();
  ports.hub.push('fleet');
  return ok({ url, refs: host.fleet().replicas.map(({ ref }) => ref) });
}

async function tryHost(host: RemoteHost, own: HostInfo): Promise<Failure<'fleet.connectHost'> | null> {
  const connected = await host.connect();
  if (!connected.ok) return toFailure(connected.error, host.url);
  const info = await host.client()?.call('host.info', {});
  if (info?.ok !== true)
    return { code: 'host-not-reached', url: host.url, detail: 'it does not say what it is' };
  const { contractVersion, name, dataDir } = info.value;
  // This console under another address: its replicas are shown already.
  if (name === own.name && dataDir === own.dataDir) return { code: 'host-exists', url: host.url };
  return contractVersion === CONTRACT_VERSION
    ? null
    : { code: 'other-contract', theirs: contractVersion, ours: CONTRACT_VERSION };
}

function toFailure(error: ConnectHostError, url: string): Failure<'fleet.connectHost'> {
  return { ...error, url };
}

/** In one form, so that a host is not there twice. */
function readHostUrl(text: string): string | null {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !/^(https?|wss?):$/.test(url.protocol) || url.username !== '') return null;
  return `${url.protocol.replace(/^ws/, 'http')}//${url.host}`;
}
