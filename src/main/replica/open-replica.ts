import { ok, type Result } from '#shared/result.ts';

import type { SchemaEvent } from '#shared/model/schema-event.ts';

import type { Ports } from '../engine/ports.ts';
import { blockLine } from '../store/blocked-line.ts';
import { listBlocked } from '../store/blocked-batches.ts';
import { readCatalogView } from '../store/catalog-view.ts';
import { listJournal } from '../store/decision-journal.ts';
import { beginEra } from '../store/era-list.ts';
import { measureHeld } from '../store/held-extent.ts';
import { countHeld, listHeld } from '../store/held-list.ts';
import { keepFindings } from '../store/keep-findings.ts';
import { listFindings } from '../store/list-findings.ts';
import { giveBackLease, takeLease, type HeldByHost } from '../store/lease.ts';
import { hasPending, readLastNotice } from '../store/log-notice.ts';
import { listMigrations } from '../store/migration-list.ts';
import { openDatabase } from '../store/open-database.ts';
import type { OpenError } from '../store/open-error.ts';
import { openStore } from '../store/open-store.ts';
import { pruneHistory } from '../store/prune-history.ts';
import { readDefinitions } from '../store/read-definitions.ts';
import { readEpoch } from '../store/replica-meta.ts';
import { DEFAULT_SETTINGS, type ReplicaSettings } from '../store/replica-settings.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { isScanning, scanFindings } from '../store/scan-findings.ts';
import { createSiteRegistry } from '../store/site-registry.ts';
import type { StoreDatabase } from '../store/store-database.ts';
import { announceSchema } from './announce-schema.ts';
import { admitPage, retryBlocked } from './admit-page.ts';
import { checkReplica, tellUnsound } from './check-replica.ts';
import { declareSchema } from './declare-schema.ts';
import { decideHeld } from './decide-held.ts';
import { diffCatalogs } from './diff-catalogs.ts';
import { drainFreed } from './drain-freed.ts';
import { editHeld } from './edit-held.ts';
import { execSql, setSimulatedTime } from './exec-sql.ts';
import { readFeed } from './read-feed.ts';
import { readStatus } from './read-status.ts';
import type { NoticeReport, Replica } from './replica.ts';
import { previewResolution, previewTableShape, resolveConflict } from './resolve-conflict.ts';
import { toLineRefusal } from './line-refusals.ts';
import { takeOnAsNewSite } from './new-site.ts';
import { pruneReplica } from './prune-replica.ts';
import { planPull, servePage } from './serve-page.ts';

/** Who opens a replica: one host at a time writes its bookkeeping. */
export interface ReplicaHost {
  /** Names the host process, the same as long as it lives. */
  readonly id: string;
  /** Where others can call it, or null. */
  readonly address: string | null;
}

export interface OpenReplicaOptions {
  readonly path: string;
  readonly ports: Ports;
  readonly host: ReplicaHost;
  readonly settings?: Partial<ReplicaSettings>;
  /** Hears what was decided about schema changes, once it has committed. */
  readonly onSchemaEvents?: (events: readonly SchemaEvent[]) => void;
  /** Stands between the replica and its connection: simulations end a replica in the middle of what it writes. */
  readonly watch?: (db: StoreDatabase) => StoreDatabase;
}

export type OpenReplicaError = OpenError | HeldByHost;

/** How long a lease holds without being renewed; milliseconds. */
const LEASE_HOLD_MS = 15_000;

/**
 * Opens a replica for reading and writing: takes the lease, begins an era, takes up what was written meanwhile.
 *
 * Errors: those of `OpenError`, and `held-by-host` while another host has it; the file is then as it was.
 */
export function openReplica(options: OpenReplicaOptions): Result<Replica, OpenReplicaError> {
  const opened = openDatabase({ path: options.path });
  if (!opened.ok) return opened;
  return serveReplicaOn(opened.value, options);
}

/** As `openReplica`, on a connection that is open: of a file that was just made or attached. */
export function serveReplicaOn(
  connection: StoreDatabase,
  options: OpenReplicaOptions,
): Result<Replica, OpenReplicaError> {
  const { ports, host } = options;
  const db = options.watch?.(connection) ?? connection;
  const lease = takeLease(db, {
    host: host.id,
    address: host.address,
    nowMs: ports.clock.nowMs(),
    holdMs: LEASE_HOLD_MS,
  });
  if (!lease.ok) {
    db.close();
    return lease;
  }
  const era = db.transaction(() => beginEra(db, ports));
  const store = openStore(db, {
    ports,
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    identity: { site: createSiteRegistry(db).own, epoch: readEpoch(db), era },
  });
  const replica = createReplica(store, options);
  tellUnsound(store);
  replica.notice();
  return ok(replica);
}

function createReplica(store: ReplicaStore, options: OpenReplicaOptions): Replica {
  const { db, ports } = store;
  const announced = announceSchema(store, options.onSchemaEvents);
  const renewLease = createLeaseRenewal(db, options);

  return {
    identity: () => ({ site: store.site, epoch: store.epoch, era: store.era, head: readLastNotice(db).seq }),
    status: () => readStatus(store),
    notice: (request) => announced(() => notice(request?.mustWrite)),
    exec,
    declare: (request) => declareSchema({ definitions, exec }, ports.log, request),
    readPage: (peer, request) => announced(() => servePage(store, peer, request)),
    readFeed: (request) => announced(() => readFeed(store, request)),
    planPull: (peer) => planPull(store, peer),
    admitPage: (peer, page) => announced(() => admitPage(store, peer, page)),
    retryBlocked: (peer) => announced(() => retryBlocked(store, peer)),
    refusedBy: (peer, refusal) => blockLine(store, peer, toLineRefusal(refusal)),
    newSite: (request) => takeOnAsNewSite(store, request),
    prune: (request) => announced(() => pruneReplica(store, request)),
    catalog: () => readCatalogView(store),
    definitions,
    diffCatalog: (request) => diffCatalogs({ ...request, left: readDefinitions(store) }),
    migrations: (filter) => listMigrations(db, store.sites, filter),
    blocked: () => listBlocked(store),
    held: (filter) => listHeld(store, filter),
    heldCounts: () => countHeld(store),
    measureHeld: (selection) => measureHeld(store, selection),
    decideHeld: (request) => announced(() => decideHeld(store, request)),
    editHeld: (request) => announced(() => editHeld(store, request)),
    findings: () => listFindings(store),
    journal: (filter) => listJournal(store, filter),
    previewResolution: (conflictId, option) => previewResolution(store, conflictId, option),
    previewShape: (table, targetDdl) => previewTableShape(store, table, targetDdl),
    resolve: (request) => announced(() => resolveConflict(store, request)),
    selfCheck: () => checkReplica(store),
    close,
  };

  function exec(sql: string): ReturnType<Replica['exec']> {
    return announced(() => execSql(store, sql));
  }

  function definitions(): ReturnType<Replica['definitions']> {
    return readDefinitions(store);
  }

  function notice(mustWrite = false): NoticeReport {
    renewLease({ isEarly: mustWrite });
    pruneHistory(store);
    return noticeNow(store);
  }

  function close(): void {
    giveBackLease(db, options.host.id);
    db.close();
  }
}

/** Makes what renews the lease in time: half of the time that it holds is left for a slow moment of the host. */
function createLeaseRenewal(
  db: StoreDatabase,
  { ports, host }: Pick<OpenReplicaOptions, 'ports' | 'host'>,
): (when: { readonly isEarly: boolean }) => void {
  let renewedMs = ports.clock.nowMs();
  return ({ isEarly }) => {
    const nowMs = ports.clock.nowMs();
    if (!isEarly && Math.abs(nowMs - renewedMs) < LEASE_HOLD_MS / 2) return;
    const lease = takeLease(db, { host: host.id, address: host.address, nowMs, holdMs: LEASE_HOLD_MS });
    if (!lease.ok) throw new Error(lease.error.message);
    renewedMs = nowMs;
  };
}

/** Takes up what is pending; with nothing pending goes on with what is looked through some rows at a time. */
function noticeNow(store: ReplicaStore): NoticeReport {
  const { db } = store;
  if (store.taken.version === store.catalog.schemaVersion() && !hasPending(db)) {
    if (isScanning(store)) {
      db.transaction(() => {
        scanFindings(store);
      });
    }
    return { head: readLastNotice(db).seq, changes: 0, migrations: 0 };
  }
  try {
    return db.transaction(() => {
      setSimulatedTime(store);
      const report = store.noticeInTransaction();
      drainFreed(store);
      keepFindings(store);
      return { ...report, head: readLastNotice(db).seq };
    });
  } catch (cause) {
    store.forgetReads();
    throw cause;
  }
}
