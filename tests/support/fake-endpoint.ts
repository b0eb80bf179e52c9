import type { SyncEndpoint } from '#main/peers/sync-endpoint.ts';
import { createListeners } from '#main/peers/create-listeners.ts';
import type { AdmissionReport, BlockedSummary, PeerIdentity, PullRefusal } from '#main/replica/replica.ts';
import type { ChangeGroup, Cursor, Page, PullRequest } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { columnId, conflictId, epoch, era, siteId, tableId } from './ids.ts';

// A replica of one table with one column, in memory: enough to see what links and pulls do with pages. What
// admission decides is none of its business; a note that it was told to refuse blocks its line.

export interface FakeEndpoint extends SyncEndpoint {
  readonly site: SiteId;
  readonly write: (...notes: readonly string[]) => void;
  /** Sorted, each as often as it is there. */
  readonly notes: () => readonly string[];
  readonly refuse: (note: string) => void;
  readonly accept: (note: string) => void;
  /** From now on pulls are answered, or planned, with this. */
  readonly refusePulls: (refusal: PullRefusal) => void;
  readonly refusePlans: (refusal: PullRefusal) => void;
  /** Calls that came from links, oldest first. */
  readonly calls: () => readonly string[];
  readonly listeners: () => number;
}

interface Note {
  readonly seq: number;
  readonly text: string;
  readonly author: SiteId;
  readonly via: SiteId | null;
}

const NOTHING: AdmissionReport = {
  admittedGroups: 0,
  factsApplied: 0,
  factsSuperseded: 0,
  factsHeld: 0,
  migrations: 0,
  blocked: null,
};

export function createFakeEndpoint(options: {
  readonly number: number;
  readonly facts?: number;
  readonly nowMs?: () => number;
  readonly era?: number;
}): FakeEndpoint {
  const site = siteId(options.number);
  const heads = createListeners<number>();
  const refused = new Set<string>();
  const cursors = new Map<SiteId, Cursor>();
  const calls: string[] = [];
  let log: readonly Note[] = [];
  let pullRefusal: PullRefusal | null = null;
  let planRefusal: PullRefusal | null = null;

  const head = (): number => log.at(-1)?.seq ?? 0;
  const cursorAt = (seq: number): Cursor => ({
    epoch: epoch(options.number),
    era: era(options.era ?? options.number),
    seq,
    catalogSeq: 0,
  });

  return {
    site,
    identity: async () => {
      const { epoch: ownEpoch, era: ownEra } = cursorAt(0);
      return { site, epoch: ownEpoch, era: ownEra, head: head() };
    },
    nowMs: options.nowMs ?? (() => 0),
    readPage: async (peer, request) => {
      calls.push('readPage');
      return pullRefusal === null ? ok(readPage(peer, request)) : err(pullRefusal);
    },
    planPull: async (peer) => {
      calls.push('planPull');
      return planRefusal === null ? planPull(peer) : err(planRefusal);
    },
    admitPage: async (peer, page) => {
      calls.push('admitPage');
      return admitPage(peer.site, page);
    },
    retryBlocked: async () => {
      calls.push('retryBlocked');
      return NOTHING;
    },
    refusedBy: async (_peer, { code, message }) => {
      calls.push(`refusedBy ${code}`);
      return { ...blockedOf(''), cause: CAUSES[code], message };
    },
    onHead: heads.add,
    write: (...notes) => {
      for (const text of notes) append({ text, author: site, via: null });
      heads.tell(head());
    },
    notes: () => log.map((note) => note.text).sort(),
    refuse: (note) => void refused.add(note),
    accept: (note) => void refused.delete(note),
    refusePulls: (refusal) => {
      pullRefusal = refusal;
    },
    refusePlans: (refusal) => {
      planRefusal = refusal;
    },
    calls: () => [...calls],
    listeners: heads.size,
  };

  function append(note: Omit<Note, 'seq'>): void {
    log = [...log, { ...note, seq: head() + 1 }];
  }

  function planPull(peer: PeerIdentity): Result<PullRequest, PullRefusal> {
    const cursor = cursors.get(peer.site);
    return ok({ ...(cursor === undefined ? {} : { cursor }), facts: options.facts ?? 1000, conflicts: [] });
  }

  function readPage(peer: SiteId, { cursor, facts }: PullRequest): Page {
    const rest = log.filter(({ seq }) => seq > (cursor?.seq ?? 0));
    const read = rest.slice(0, facts);
    return {
      groups: read.filter(({ author, via }) => author !== peer && via !== peer).map(groupOf),
      cursor: cursorAt(read.at(-1)?.seq ?? cursor?.seq ?? 0),
      head: head(),
      more: rest.length > read.length,
      read: read.length,
    };
  }

  function groupOf({ seq, text, author }: Note): ChangeGroup {
    return {
      cursor: cursorAt(seq),
      sites: [author],
      tables: [{ id: tableId(1), name: 'note', columns: [{ id: columnId(1), name: 'text' }], key: [0] }],
      migrations: [],
      blocks: [
        { table: 0, hlc: 1n, site: 0, kind: 'rows', columns: [0], rows: [[text]], lives: [], clocks: [] },
      ],
    };
  }

  function admitPage(peer: SiteId, page: Page): AdmissionReport {
    const before = head();
    let report = NOTHING;
    for (const group of page.groups) {
      const [block] = group.blocks;
      const value = block?.rows[0]?.[0];
      const text = typeof value === 'string' ? value : '';
      if (refused.has(text)) return told(before, { ...report, blocked: blockedOf(text) });
      report = admitNote(report, { text, author: group.sites[0] ?? peer, via: peer });
      if (group.cursor !== undefined) moveTo(peer, group.cursor);
    }
    moveTo(peer, page.cursor);
    return told(before, report);
  }

  function admitNote(report: AdmissionReport, note: Omit<Note, 'seq'>): AdmissionReport {
    const isKnown = log.some(({ text, author }) => text === note.text && author === note.author);
    if (!isKnown) append(note);
    return {
      ...report,
      admittedGroups: report.admittedGroups + 1,
      factsApplied: report.factsApplied + (isKnown ? 0 : 1),
      factsSuperseded: report.factsSuperseded + (isKnown ? 1 : 0),
    };
  }

  function moveTo(peer: SiteId, cursor: Cursor): void {
    if (cursor.seq > (cursors.get(peer)?.seq ?? -1)) cursors.set(peer, cursor);
  }

  function told(before: number, report: AdmissionReport): AdmissionReport {
    if (head() !== before) heads.tell(head());
    return report;
  }
}

const CAUSES = {
  'too-old': 'tooOld',
  'epoch-changed': 'epochChanged',
  'duplicate-site': 'duplicateSite',
} as const;

function blockedOf(note: string): BlockedSummary {
  return {
    conflictId: conflictId(1),
    cause: 'divergentDefinition',
    object: note,
    message: `no ${note} here`,
  };
}
