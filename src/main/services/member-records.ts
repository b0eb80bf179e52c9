import type { FleetRecords, ReplicaRecord } from '../console/fleet-records.ts';

/** The remembered replicas of this machine, at hand: what the console's database says, without asking it each time. */
export interface MemberRecords {
  readonly all: () => readonly ReplicaRecord[];
  readonly get: (ref: string) => ReplicaRecord | null;
  readonly add: (record: ReplicaRecord, addedMs: number) => void;
  readonly rename: (ref: string, name: string, group: string | null) => void;
  readonly setSite: (ref: string, site: string) => void;
  readonly remove: (ref: string) => void;
  /** Reads the list again, and gives those that another program has added. */
  readonly takeUp: () => readonly ReplicaRecord[];
}

/** Reads the list once; every change goes to the database first. */
export function createMemberRecords(records: FleetRecords): MemberRecords {
  const byRef = new Map(records.replicas().map((record) => [record.ref, record]));

  return {
    all: () => [...byRef.values()],
    get: (ref) => byRef.get(ref) ?? null,
    add: (record, addedMs) => {
      records.addReplica({ ...record, addedMs });
      byRef.set(record.ref, record);
    },
    rename: (ref, name, group) => {
      records.renameReplica(ref, name, group);
      change(ref, { name, group });
    },
    setSite: (ref, site) => {
      if (byRef.get(ref)?.site === site) return;
      records.setSite(ref, site);
      change(ref, { site });
    },
    remove: (ref) => {
      records.removeReplica(ref);
      byRef.delete(ref);
    },
    takeUp: () => {
      const added = records.replicas().filter(({ ref }) => !byRef.has(ref));
      for (const record of added) byRef.set(record.ref, record);
      return added;
    },
  };

  function change(ref: string, part: Partial<ReplicaRecord>): void {
    const record = byRef.get(ref);
    if (record !== undefined) byRef.set(ref, { ...record, ...part });
  }
}
