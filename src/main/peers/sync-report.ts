import type { Page } from '#shared/model/change-group.ts';
import type { SyncEnd } from '#shared/wire/pulled-message.ts';
import type { AdmissionReport, BlockedSummary, PeerIdentity, PullRefusal } from '../replica/replica.ts';
import type { LinkError } from './peer-link.ts';

/** What one sync of one direction did. */
export interface SyncReport {
  readonly ended: SyncEnd;
  readonly pages: number;
  /** Facts and migrations that the source read for this sync. */
  readonly read: number;
  readonly admittedGroups: number;
  readonly factsApplied: number;
  readonly factsSuperseded: number;
  readonly factsHeld: number;
  readonly migrations: number;
  /** Set exactly when `ended` is `blocked`. */
  readonly blocked: BlockedSummary | null;
  /** Set when an error ended the sync. */
  readonly error: LinkError | PullRefusal | null;
  /** The peer as it was heard, its head as of the last page; null when it never answered. */
  readonly peer: PeerIdentity | null;
  /** Peer's clock minus ours when it said hello, milliseconds; null when it never answered. */
  readonly skewMs: number | null;
}

const NOTHING: Omit<SyncReport, 'ended'> = {
  pages: 0,
  read: 0,
  admittedGroups: 0,
  factsApplied: 0,
  factsSuperseded: 0,
  factsHeld: 0,
  migrations: 0,
  blocked: null,
  error: null,
  peer: null,
  skewMs: null,
};

export interface SyncTally {
  readonly heard: (peer: PeerIdentity, ownMs: number) => void;
  readonly page: (page: Page) => void;
  readonly admission: (report: AdmissionReport) => void;
  readonly end: (ended: SyncEnd) => SyncReport;
  readonly endBy: (error: LinkError | PullRefusal) => SyncReport;
  /** Ends it by a line that stands; one that is too old ends it as an error that only a person can mend. */
  readonly endBlocked: (blocked: BlockedSummary) => SyncReport;
}

/** Adds up what happens during one sync. */
export function createSyncTally(): SyncTally {
  let sum = NOTHING;

  return {
    heard: (peer, ownMs) => {
      sum = { ...sum, peer, skewMs: peer.nowMs - ownMs };
    },
    page: (page) => {
      sum = {
        ...sum,
        pages: sum.pages + 1,
        read: sum.read + page.read,
        peer: sum.peer === null ? null : { ...sum.peer, head: page.head },
      };
    },
    admission: (report) => {
      sum = {
        ...sum,
        admittedGroups: sum.admittedGroups + report.admittedGroups,
        factsApplied: sum.factsApplied + report.factsApplied,
        factsSuperseded: sum.factsSuperseded + report.factsSuperseded,
        factsHeld: sum.factsHeld + report.factsHeld,
        migrations: sum.migrations + report.migrations,
        blocked: report.blocked,
      };
    },
    end: (ended) => ({ ...sum, ended, blocked: ended === 'blocked' ? sum.blocked : null }),
    endBy: (error) => ({ ...sum, ended: endOfError(error), error, blocked: null }),
    endBlocked: (blocked) =>
      blocked.cause === 'tooOld'
        ? { ...sum, ended: 'too-old', error: { code: 'too-old', message: blocked.message }, blocked: null }
        : { ...sum, ended: 'blocked', blocked },
  };
}

function endOfError(error: LinkError | PullRefusal): SyncEnd {
  return error.code === 'refused' ? endOfError(error.refusal) : END_BY_CODE[error.code];
}

const END_BY_CODE: Readonly<Record<Exclude<LinkError['code'], 'refused'> | PullRefusal['code'], SyncEnd>> = {
  'too-old': 'too-old',
  'epoch-changed': 'refused',
  'duplicate-site': 'refused',
  unauthorized: 'refused',
  forbidden: 'refused',
  'no-common-protocol': 'refused',
  'wrong-replica': 'refused',
  'not-offered': 'refused',
  paused: 'paused',
  unreachable: 'unreachable',
  closed: 'unreachable',
  'timed-out': 'unreachable',
  'no-such-replica': 'unreachable',
  'bad-peer': 'failed',
  internal: 'failed',
  'peer-failed': 'failed',
};
