import { ok, type Result } from '#shared/result.ts';
import type { Ports } from '../engine/ports.ts';
import { diffCatalogs } from '../replica/diff-catalogs.ts';
import { rehearse } from '../replica/rehearse.ts';
import { readStatus } from '../replica/read-status.ts';
import type { Replica } from '../replica/replica.ts';
import { listBlocked } from '../store/blocked-batches.ts';
import { readCatalogView } from '../store/catalog-view.ts';
import { listJournal } from '../store/decision-journal.ts';
import { measureHeld } from '../store/held-extent.ts';
import { countHeld, listHeld } from '../store/held-list.ts';
import { listFindings } from '../store/list-findings.ts';
import { listMigrations } from '../store/migration-list.ts';
import { openDatabase } from '../store/open-database.ts';
import type { OpenError } from '../store/open-error.ts';
import { openStore } from '../store/open-store.ts';
import { readDefinitions } from '../store/read-definitions.ts';
import { readEpoch, readEra } from '../store/replica-meta.ts';
import { DEFAULT_SETTINGS } from '../store/replica-settings.ts';
import { createSiteRegistry } from '../store/site-registry.ts';
import type { ReadMethod, ScratchReader } from './async-replica.ts';

/** A replica that is only looked at: no lease, no era, nothing written. */
export type ReplicaReader = Pick<Replica, ReadMethod | 'close'> & ScratchReader;

/** Opens a replica for reading beside the one that writes it. Errors: those of `OpenError`. */
export function openReader(path: string, ports: Ports): Result<ReplicaReader, OpenError> {
  const opened = openDatabase({ path, readOnly: true });
  if (!opened.ok) return opened;
  const db = opened.value;
  const store = openStore(db, {
    ports,
    settings: DEFAULT_SETTINGS,
    identity: { site: createSiteRegistry(db).own, epoch: readEpoch(db), era: readEra(db) },
  });
  return ok({
    status: () => readStatus(store),
    catalog: () => readCatalogView(store),
    definitions: () => readDefinitions(store),
    diffCatalog: (request) => diffCatalogs({ ...request, left: readDefinitions(store) }),
    migrations: (filter) => listMigrations(db, store.sites, filter),
    blocked: () => listBlocked(store),
    held: (filter) => listHeld(store, filter),
    heldCounts: () => countHeld(store),
    measureHeld: (selection) => measureHeld(store, selection),
    findings: () => listFindings(store),
    journal: (filter) => listJournal(store, filter),
    rehearse: (request) => rehearse({ db, ports }, request),
    close: db.close,
  });
}
