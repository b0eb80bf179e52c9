import { openConsoleRecords } from '../console/open-console-records.ts';
import { makeDataFolder } from '../platform/data-folder.ts';
import { drawRef } from '../services/draw-ref.ts';
import type { CommandContext } from './command-context.ts';

export interface NewMember {
  readonly name: string;
  readonly group: string | null;
  readonly path: string;
  readonly site: string | null;
}

/**
 * Takes files into the fleet of this machine's console, with links between them by name. What it has already stays as
 * it is; a host that runs takes them up by itself.
 */
export function registerReplicas(
  context: CommandContext,
  members: readonly NewMember[],
  links: readonly { readonly a: string; readonly b: string }[] = [],
): void {
  const { clock, random } = context.ports;
  makeDataFolder(context.dataDir);
  const records = openConsoleRecords({ dataDir: context.dataDir, clock, random });
  try {
    const known = new Map(records.fleet.replicas().map(({ path, ref }) => [path, ref]));
    const fresh = members
      .filter(({ path }) => !known.has(path))
      .map((member) => ({ ...member, ref: drawRef(random) }));
    const addedMs = clock.nowMs();
    for (const member of fresh) records.fleet.addReplica({ ...member, addedMs });
    const refByName = new Map(fresh.map(({ name, ref }) => [name, ref]));
    for (const link of links) {
      const [a, b] = [refByName.get(link.a), refByName.get(link.b)];
      if (a === undefined || b === undefined) continue;
      const record = { id: drawRef(random), a, b, bName: link.b, via: 'inProcess', url: null } as const;
      records.links.add({ ...record, paused: false, lastSyncMs: null, addedMs });
    }
  } finally {
    records.close();
  }
}
