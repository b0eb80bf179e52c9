import type { FleetRecords, HostRecord } from '../console/fleet-records.ts';
import type { Secrets } from '../console/secrets-file.ts';
import type { Timers } from '../peers/timers.ts';
import type { ConnectHost } from './connect-host.ts';
import type { PushHub } from './push-hub.ts';
import { createRemoteHost, type RemoteHost } from './remote-host.ts';

/** The hosts whose replicas this fleet shows beside its own. */
export interface RemoteHosts {
  readonly all: () => readonly RemoteHost[];
  readonly findByUrl: (url: string) => RemoteHost | null;
  /** Of a ref such as `<host>/<ref there>`; null for a replica of this machine. */
  readonly resolve: (ref: string) => { readonly host: RemoteHost; readonly ref: string } | null;
  /** Remembers it and its token, and keeps connected to it. */
  readonly add: (record: HostRecord, token: string) => RemoteHost;
  readonly remove: (id: string) => void;
  readonly start: () => void;
  readonly close: () => void;
}

const LOOK_EVERY_MS = 1_000;

/** Takes up the remembered hosts; connects to none before `start`. */
export function createRemoteHosts(deps: {
  readonly records: FleetRecords;
  readonly secrets: Secrets;
  readonly connect: ConnectHost;
  readonly hub: PushHub;
  readonly timers: Timers;
  readonly nowMs: () => number;
  /** Something in the fleet of one of them is different. */
  readonly onChange: () => void;
}): RemoteHosts {
  const { records, secrets } = deps;
  let cancelLook: () => void = () => undefined;
  const hosts = new Map(records.hosts().map((record) => [record.id, make(record)]));

  return {
    all: () => [...hosts.values()],
    findByUrl: (url) => [...hosts.values()].find((host) => host.url === url) ?? null,
    resolve: (ref) => {
      const slash = ref.indexOf('/');
      const host = slash < 0 ? undefined : hosts.get(ref.slice(0, slash));
      return host === undefined ? null : { host, ref: ref.slice(slash + 1) };
    },
    add: (record, token) => {
      secrets.set(secretName(record.id), token);
      records.addHost({ ...record, addedMs: deps.nowMs() });
      const host = make(record);
      hosts.set(record.id, host);
      return host;
    },
    remove: (id) => {
      hosts.get(id)?.close();
      hosts.delete(id);
      records.removeHost(id);
      secrets.remove(secretName(id));
    },
    start: () => {
      for (const host of hosts.values()) void host.connect();
      cancelLook = deps.timers.after(LOOK_EVERY_MS, look);
    },
    close: () => {
      cancelLook();
      for (const host of hosts.values()) host.close();
    },
  };

  function look(): void {
    for (const host of hosts.values()) host.look();
    cancelLook = deps.timers.after(LOOK_EVERY_MS, look);
  }

  function make(record: HostRecord): RemoteHost {
    return createRemoteHost({ ...deps, record, token: () => secrets.get(secretName(record.id)) });
  }
}

const secretName = (id: string): string => `host/${id}`;
