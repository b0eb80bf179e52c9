import { ok, type Result } from '#shared/result.ts';
import type { FleetRecords, ReplicaRecord } from '../console/fleet-records.ts';
import type { Log } from '../engine/ports.ts';
import { createListeners } from '../peers/create-listeners.ts';
import type { Timers } from '../peers/timers.ts';
import type { AsyncScratchReader } from '../worker/async-replica.ts';
import { createReplicaKeeper, type KeeperEvent, type ReplicaKeeper } from '../worker/replica-keeper.ts';
import type { WorkerEnd } from '../worker/worker-end.ts';
import type { FromWriter, Opening, ToWriter, WorkerFailure, WriterTask } from '../worker/worker-messages.ts';
import { createMemberRecords } from './member-records.ts';
import { createMember, type Member, type SnapshotChange } from './member.ts';

export type HowToOpen = WriterTask['how'];

/** The replicas of this machine, each with its worker. */
export interface LocalMembers {
  readonly all: () => readonly Member[];
  readonly get: (ref: string) => Member | null;
  readonly findByPath: (path: string) => Member | null;
  readonly findBySite: (site: string) => Member | null;
  /** Opens a file and takes it into the fleet. Errors: why it was not opened; the fleet is as it was then. */
  readonly add: (
    record: ReplicaRecord,
    how: HowToOpen,
  ) => Promise<Result<{ readonly member: Member; readonly opening: Opening }, WorkerFailure>>;
  readonly rename: (ref: string, name: string, group: string | null) => void;
  /** Closes it and takes it out of the fleet. */
  readonly remove: (ref: string) => Promise<void>;
  readonly onSnapshot: (listener: (member: Member, change: SnapshotChange) => void) => () => void;
  readonly onEvent: (listener: (member: Member, event: KeeperEvent) => void) => () => void;
  /** Opens all that are remembered, a few at a time. Resolved when each was tried. */
  readonly openAll: () => Promise<void>;
  /** Opens those that another program has written into the console's database. */
  readonly takeUp: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface LocalMembersDeps {
  readonly records: FleetRecords;
  readonly startWriter: (path: string, how: HowToOpen) => WorkerEnd<ToWriter, FromWriter>;
  readonly spareReader: (path: string) => AsyncScratchReader;
  readonly readSignature: (path: string) => Promise<string | null>;
  readonly nowMs: () => number;
  readonly timers: Timers;
  readonly log: Log;
}

const LOOK_EVERY_MS = 2_000;
/** More would only wait for the same disk. */
const OPENED_AT_ONCE_MAX = 4;

/** Takes up what the console's database remembers; opens nothing before `openAll` or a first call. */
export function createLocalMembers(deps: LocalMembersDeps): LocalMembers {
  const { nowMs, timers, log } = deps;
  const records = createMemberRecords(deps.records);
  const snapshots = createListeners<readonly [Member, SnapshotChange]>();
  const events = createListeners<readonly [Member, KeeperEvent]>();
  const memberByRef = new Map(records.all().map((record) => [record.ref, make(record, 'open')]));
  const all = (): readonly Member[] => [...memberByRef.values()];
  let cancelLook = timers.after(LOOK_EVERY_MS, lookAtAll);

  return {
    all,
    get: (ref) => memberByRef.get(ref) ?? null,
    findByPath: (path) => all().find((member) => member.record().path === path) ?? null,
    findBySite: (site) => all().find((member) => (member.site() ?? member.record().site) === site) ?? null,
    add,
    rename: records.rename,
    remove: async (ref) => {
      const member = memberByRef.get(ref);
      memberByRef.delete(ref);
      records.remove(ref);
      await member?.close();
    },
    onSnapshot: (listener) => snapshots.add(([member, change]) => listener(member, change)),
    onEvent: (listener) => events.add(([member, event]) => listener(member, event)),
    openAll: () => refreshInTurn(all()),
    takeUp: () => refreshInTurn(records.takeUp().map((record) => enter(make(record, 'open')))),
    close: async () => {
      cancelLook();
      await Promise.all(all().map((member) => member.close()));
    },
  };

  function make(record: ReplicaRecord, how: HowToOpen): Member {
    const keeper = createFileKeeper(record.path, how, deps);
    const member = createMember({ ...deps, keeper, record: () => records.get(record.ref) ?? record });
    member.onSnapshot((change) => {
      const site = member.site();
      if (site !== null) records.setSite(member.ref, site);
      snapshots.tell([member, change]);
    });
    keeper.onEvent((event) => {
      // What happens before it is taken in, its caller hears as the answer.
      if (memberByRef.get(member.ref) === member) events.tell([member, event]);
    });
    return member;
  }

  function enter(member: Member): Member {
    memberByRef.set(member.ref, member);
    return member;
  }

  async function add(
    record: ReplicaRecord,
    how: HowToOpen,
  ): Promise<Result<{ readonly member: Member; readonly opening: Opening }, WorkerFailure>> {
    const member = make(record, how);
    const opened = await member.keeper.acquire();
    if (!opened.ok) {
      await member.close();
      return opened;
    }
    records.add(record, nowMs());
    enter(member);
    await member.refresh();
    return ok({ member, opening: opened.value });
  }

  function lookAtAll(): void {
    for (const member of all()) void lookAt(member, log);
    cancelLook = timers.after(LOOK_EVERY_MS, lookAtAll);
  }
}

async function lookAt({ ref, keeper }: Member, log: Log): Promise<void> {
  try {
    await keeper.look();
  } catch (cause) {
    log.error('fleet.look-failed', { ref, cause });
  }
}

function createFileKeeper(path: string, how: HowToOpen, deps: LocalMembersDeps): ReplicaKeeper {
  let nextHow = how;
  return createReplicaKeeper({
    start: () => {
      const end = deps.startWriter(path, nextHow);
      // Attached or made new once; from then on it is there.
      nextHow = 'open';
      return end;
    },
    readSignature: () => deps.readSignature(path),
    nowMs: deps.nowMs,
    log: deps.log,
  });
}

async function refreshInTurn(members: readonly Member[]): Promise<void> {
  const queue = [...members];
  const lanes = Array.from({ length: OPENED_AT_ONCE_MAX }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next.refresh();
  });
  await Promise.all(lanes);
}
