import type { Handlers, Input, Output, Failure } from '#shared/api/types.ts';
import { SiteId } from '#shared/model/ids.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { LinkRecord } from '../console/link-records.ts';
import { drawRef } from './draw-ref.ts';
import { shortSite } from './fleet-view.ts';
import { peerSecretName } from './live-link.ts';
import type { RemoteHost } from './remote-host.ts';
import type { ServicePorts } from './service-ports.ts';

type LinkMethod =
  | 'fleet.addLink'
  | 'fleet.addPeer'
  | 'fleet.removeLink'
  | 'fleet.pauseLink'
  | 'fleet.resumeLink'
  | 'fleet.syncNow';

/** Links: made, taken away, paused, and synced on demand. */
export function createLinkHandlers(ports: ServicePorts): Pick<Handlers, LinkMethod> {
  const { links, board, activity } = ports;

  return {
    'fleet.addLink': (ends) => addLink(ports, ends),
    'fleet.addPeer': async (wish) => Promise.resolve(addPeer(ports, wish)),
    'fleet.removeLink': async ({ id }) => {
      const remote = ports.hosts.resolve(id);
      if (remote !== null) return changeRemoteLink(remote, 'fleet.removeLink');
      const link = links.get(id);
      if (!(await links.remove(id)) || link === null) return err({ code: 'link-unknown' });
      ports.secrets.remove(peerSecretName(id));
      activity.note('linkRemoved', { peer: link.record.bName }, nameA(ports, link.record));
      board.invalidate();
      return ok(null);
    },
    'fleet.pauseLink': ({ id }) => setPaused(ports, { id, paused: true }),
    'fleet.resumeLink': ({ id }) => setPaused(ports, { id, paused: false }),
    'fleet.syncNow': async ({ refs }) => {
      const unknown = refs?.find((ref) => board.replica(ref) === null);
      if (unknown !== undefined) return err({ code: 'replica-unknown', ref: unknown });
      const { rounds, stopped, changes, migrations } = await links.syncNow(
        refs === null ? null : new Set(refs),
      );
      await Promise.all(ports.members.all().map((member) => member.refresh()));
      return ok({ rounds, changes: changes + migrations, stopped: [...stopped] });
    },
  };
}

async function addLink(
  ports: ServicePorts,
  { a, b }: Input<'fleet.addLink'>,
): Promise<Result<Output<'fleet.addLink'>, Failure<'fleet.addLink'>>> {
  const unknown = [a, b].find((ref) => ports.board.replica(ref) === null);
  if (unknown !== undefined) return err({ code: 'replica-unknown', ref: unknown });
  if (a === b) return err({ code: 'same-replica' });
  const known = ports.board.fleet().links.find((link) => isBetween(link, a, b));
  if (known !== undefined) return err({ code: 'link-exists', id: known.id });

  const remoteA = ports.hosts.resolve(a);
  const remoteB = ports.hosts.resolve(b);
  if (remoteA !== null && remoteB !== null) return linkThere(remoteA, remoteB);
  if (remoteA !== null) return linkToRemote(ports, { own: b, ref: a, host: remoteA.host });
  if (remoteB !== null) return linkToRemote(ports, { own: a, ref: b, host: remoteB.host });
  return ok(
    enterLink(ports, { a, b, bName: ports.board.replica(b)?.name ?? b, via: 'inProcess', url: null }),
  );
}

/** Both ends are held by one other host: the link is that host's. */
async function linkThere(
  a: { readonly host: RemoteHost; readonly ref: string },
  b: { readonly host: RemoteHost; readonly ref: string },
): Promise<Result<Output<'fleet.addLink'>, Failure<'fleet.addLink'>>> {
  if (a.host !== b.host) return err({ code: 'both-remote' });
  const answer = await a.host.client()?.call('fleet.addLink', { a: a.ref, b: b.ref });
  if (answer?.ok === true) return ok({ id: `${a.host.id}/${answer.value.id}` });
  const detail = a.host.trouble() ?? answer?.error.code ?? 'it is not reached';
  return err({ code: 'host-not-reached', url: a.host.url, detail });
}

function linkToRemote(
  ports: ServicePorts,
  ends: { readonly own: string; readonly ref: string; readonly host: RemoteHost },
): Result<Output<'fleet.addLink'>, Failure<'fleet.addLink'>> {
  const peer = ports.board.replica(ends.ref);
  const site = peer?.status?.site;
  if (peer === null || site === undefined) {
    return err({
      code: 'host-not-reached',
      url: ends.host.url,
      detail: 'it never told the site of the replica',
    });
  }
  const url = `${toSocketUrl(ends.host.url)}/${site}`;
  return ok(enterLink(ports, { a: ends.own, b: ends.ref, bName: peer.name, via: 'webSocket', url }));
}

function addPeer(
  ports: ServicePorts,
  { ref, url, token, name }: Input<'fleet.addPeer'>,
): Result<Output<'fleet.addPeer'>, Failure<'fleet.addPeer'>> {
  if (ports.board.replica(ref) === null) return err({ code: 'replica-unknown', ref });
  const remote = ports.hosts.resolve(ref);
  if (remote !== null) return err({ code: 'on-remote-host', url: remote.host.url });
  const address = readPeerUrl(url);
  if (address === null) return err({ code: 'bad-url', url });
  const plain = `${address.host}/${address.site}`;
  const known = ports.links.all().find(({ record }) => record.a === ref && record.url === plain);
  if (known !== undefined) return err({ code: 'link-exists', id: known.record.id });
  const bName = name ?? shortSite(address.site);
  return ok(enterLink(ports, { a: ref, b: null, bName, via: 'webSocket', url: plain }, token));
}

function enterLink(
  ports: ServicePorts,
  wish: Pick<LinkRecord, 'a' | 'b' | 'bName' | 'via' | 'url'>,
  token?: string,
): Output<'fleet.addLink'> {
  const record: LinkRecord = { ...wish, id: drawRef(ports.random), paused: false, lastSyncMs: null };
  if (token !== undefined) ports.secrets.set(peerSecretName(record.id), token);
  ports.links.add(record);
  ports.activity.note('linkAdded', { peer: record.bName, via: record.via }, nameA(ports, record));
  ports.board.invalidate();
  ports.hub.push('fleet');
  return { id: record.id };
}

async function setPaused(
  ports: ServicePorts,
  { id, paused }: { readonly id: string; readonly paused: boolean },
): Promise<Result<null, { readonly code: 'link-unknown' }>> {
  const remote = ports.hosts.resolve(id);
  if (remote !== null) return changeRemoteLink(remote, paused ? 'fleet.pauseLink' : 'fleet.resumeLink');
  const link = ports.links.get(id);
  if (!(await ports.links.setPaused(id, paused)) || link === null) return err({ code: 'link-unknown' });
  ports.activity.note(
    paused ? 'linkPaused' : 'linkResumed',
    { peer: link.record.bName },
    nameA(ports, link.record),
  );
  ports.board.invalidate();
  ports.hub.push('fleet');
  return ok(null);
}

async function changeRemoteLink(
  remote: { readonly host: RemoteHost; readonly ref: string },
  method: 'fleet.removeLink' | 'fleet.pauseLink' | 'fleet.resumeLink',
): Promise<Result<null, { readonly code: 'link-unknown' }>> {
  const answer = await remote.host.client()?.call(method, { id: remote.ref });
  return answer?.ok === true ? ok(null) : err({ code: 'link-unknown' });
}

/** The address of a peer: `ws(s)://host[:port]/<site>`, also with `/sync/` before the site. */
export function readPeerUrl(text: string): { readonly host: string; readonly site: SiteId } | null {
  const url = URL.parse(text);
  if (url === null || !/^wss?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  const site = SiteId.safeParse(url.pathname.replace(/^\/(sync\/)?/, '').replace(/\/$/, ''));
  return site.success ? { host: `${url.protocol}//${url.host}`, site: site.data } : null;
}

function toSocketUrl(hostUrl: string): string {
  return hostUrl.replace(/^http/, 'ws').replace(/\/$/, '');
}

function isBetween(
  link: { readonly a: string; readonly b: string | null },
  one: string,
  other: string,
): boolean {
  return (link.a === one && link.b === other) || (link.a === other && link.b === one);
}

function nameA(ports: ServicePorts, { a }: LinkRecord): { readonly ref: string; readonly name: string } {
  return { ref: a, name: ports.board.replica(a)?.name ?? a };
}
