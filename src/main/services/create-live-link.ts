import type { LinkRecord } from '../console/link-records.ts';
import type { Secrets } from '../console/secrets-file.ts';
import { openWebSocketLink } from '../peers/web-socket-link.ts';
import { readPeerUrl } from './link-service.ts';
import {
  createLocalLink,
  createRemoteLink,
  peerSecretName,
  type LinkPorts,
  type LiveLink,
} from './live-link.ts';
import type { LocalMembers } from './local-members.ts';
import type { RemoteHosts } from './remote-hosts.ts';

/** Sets a remembered link to work. Null when an end of it is not in the fleet, or its address leads nowhere. */
export function createLiveLink(
  record: LinkRecord,
  deps: {
    readonly members: LocalMembers;
    readonly hosts: RemoteHosts;
    readonly secrets: Secrets;
    readonly ports: LinkPorts;
  },
): LiveLink | null {
  const { members, ports } = deps;
  const a = members.get(record.a);
  if (a === null) return null;
  if (record.via === 'inProcess') {
    const b = record.b === null ? null : members.get(record.b);
    return b === null ? null : createLocalLink({ a, b }, ports);
  }
  const address = record.url === null ? null : readPeerUrl(record.url);
  if (address === null) return null;
  const token = (): string | null =>
    record.b === null
      ? deps.secrets.get(peerSecretName(record.id))
      : (deps.hosts.resolve(record.b)?.host.token() ?? null);
  return createRemoteLink(
    a,
    (endpoint) => openWebSocketLink({ ...ports, ...address, endpoint, token: token() }),
    ports,
  );
}
