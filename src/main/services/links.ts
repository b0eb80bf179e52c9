import type { LinkRecord, LinkRecords } from '../console/link-records.ts';
import { createListeners } from '../peers/create-listeners.ts';
import { LINK_AT_REST, type LinkState } from '../peers/link-state.ts';
import type { SyncReport } from '../peers/sync-report.ts';
import type { LiveLink } from './live-link.ts';
import { runSyncRounds, type RoundsReport } from './sync-rounds.ts';

/** The links of this console: what is remembered of each, and how it goes. */
export interface Links {
  readonly all: () => readonly LinkNow[];
  readonly get: (id: string) => LinkNow | null;
  readonly add: (record: LinkRecord) => void;
  readonly remove: (id: string) => Promise<boolean>;
  readonly removeWhere: (test: (record: LinkRecord) => boolean) => Promise<void>;
  readonly setPaused: (id: string, paused: boolean) => Promise<boolean>;
  /** Sets those to work that another program has written into the console's database. */
  readonly takeUp: () => void;
  /** Starts all that are not paused. */
  readonly start: () => void;
  /** Rounds over the links that touch these replicas, or over all; paused ones stay paused. */
  readonly syncNow: (refs: ReadonlySet<string> | null) => Promise<RoundsReport>;
  /** Hears of every change of a link's state; `before` is the state before of the same direction. */
  readonly onChange: (listener: (change: LinkChange) => void) => () => void;
  /** Hears what each pull admitted. `into` is the ref of the replica that pulled. */
  readonly onReport: (listener: (pulled: LinkPull) => void) => () => void;
  readonly close: () => Promise<void>;
}

export interface LinkNow {
  readonly record: LinkRecord;
  readonly states: readonly LinkState[];
}

export interface LinkChange {
  readonly record: LinkRecord;
  readonly before: readonly LinkState[];
  readonly after: readonly LinkState[];
}

export interface LinkPull {
  readonly record: LinkRecord;
  readonly into: string;
  readonly report: SyncReport;
}

interface Entry {
  record: LinkRecord;
  states: readonly LinkState[];
  /** Null when its end is not in the fleet (any more). */
  readonly live: LiveLink | null;
}

/** How often the time of the last sync is written down. */
const REMEMBER_MS = 10_000;

/** Takes up the remembered links; none moves before `start`. */
export function createLinks(deps: {
  readonly records: LinkRecords;
  readonly createLive: (record: LinkRecord) => LiveLink | null;
  readonly nowMs: () => number;
}): Links {
  const { records } = deps;
  const changes = createListeners<LinkChange>();
  const pulls = createListeners<LinkPull>();
  const entries = new Map<string, Entry>();
  for (const record of records.all()) enter(record);

  return {
    all: () => [...entries.values()],
    get: (id) => entries.get(id) ?? null,
    add: (record) => {
      records.add({ ...record, addedMs: deps.nowMs() });
      startUnlessPaused(enter(record));
    },
    remove,
    removeWhere: async (test) => {
      for (const { record } of [...entries.values()]) if (test(record)) await remove(record.id);
    },
    setPaused: async (id, paused) => {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      records.setPaused(id, paused);
      entry.record = { ...entry.record, paused };
      if (paused) await entry.live?.pause();
      else entry.live?.start();
      return true;
    },
    takeUp: () => {
      for (const record of records.all()) if (!entries.has(record.id)) startUnlessPaused(enter(record));
    },
    start: () => [...entries.values()].forEach(startUnlessPaused),
    syncNow: (refs) =>
      runSyncRounds([...entries.values()].filter(({ record }) => touches(record, refs)).flatMap(toSyncable)),
    onChange: changes.add,
    onReport: pulls.add,
    close: async () => {
      await Promise.all([...entries.values()].map(async ({ live }) => live?.close()));
    },
  };

  function enter(record: LinkRecord): Entry {
    const live = deps.createLive(record);
    const entry: Entry = { record, states: live?.states() ?? [LINK_AT_REST], live };
    entries.set(record.id, entry);
    live?.onChange(() => {
      const before = entry.states;
      entry.states = live.states();
      rememberSync(entry, records);
      changes.tell({ record: entry.record, before, after: entry.states });
    });
    live?.onReport((place, report) => {
      const into = place === 0 ? record.a : (record.b ?? record.a);
      pulls.tell({ record: entry.record, into, report });
    });
    return entry;
  }

  async function remove(id: string): Promise<boolean> {
    const entry = entries.get(id);
    entries.delete(id);
    await entry?.live?.close();
    return records.remove(id);
  }
}

function rememberSync(entry: Entry, records: LinkRecords): void {
  const lastSyncMs = Math.max(...entry.states.map((state) => state.lastSyncMs ?? 0));
  if (lastSyncMs - (entry.record.lastSyncMs ?? 0) < REMEMBER_MS) return;
  records.setLastSync(entry.record.id, lastSyncMs);
  entry.record = { ...entry.record, lastSyncMs };
}

function startUnlessPaused({ record, live }: Entry): void {
  if (!record.paused) live?.start();
}

function touches({ a, b }: LinkRecord, refs: ReadonlySet<string> | null): boolean {
  return refs === null || refs.has(a) || (b !== null && refs.has(b));
}

function toSyncable({
  record,
  live,
}: Entry): readonly { readonly id: string; readonly syncNow: LiveLink['syncNow'] }[] {
  return record.paused || live === null ? [] : [{ id: record.id, syncNow: live.syncNow }];
}
