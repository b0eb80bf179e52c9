import { readFingerprint } from '../store/catalog-fingerprint.ts';
import { writeJournal } from '../store/decision-journal.ts';
import { beginEra } from '../store/era-list.ts';
import { openStore } from '../store/open-store.ts';
import { renewSite } from '../store/renew-site.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import type { NewSiteReport, NewSiteRequest } from './replica.ts';

/**
 * Takes a restored or copied file on as a new replica, with its rows and what it wrote since: a new site ID, epoch and era.
 *
 * The replica stays open and answers by its new name. Links that said hello by the former one are to be opened anew.
 */
export function takeOnAsNewSite(store: ReplicaStore, request: NewSiteRequest): NewSiteReport {
  const { db, ports, settings, site: siteBefore } = store;
  store.enforceConstraints(true);
  const renewed = db.transaction(() => {
    const fingerprint = readFingerprint(store);
    const made = renewSite(store);
    writeJournal(store, {
      ...request,
      option: 'newSite',
      object: siteBefore,
      conflictId: null,
      fingerprintBefore: fingerprint,
      fingerprintAfter: fingerprint,
    });
    return { ...made, era: beginEra(db, ports) };
  });
  const { site, epoch, era, taken } = renewed;
  // All parts of the store take their names from it; the replica holds the store itself.
  Object.assign(store, openStore(db, { ports, settings, identity: { site, epoch, era } }));
  ports.log.warn('replica.new-site', { path: db.path, before: siteBefore, site, taken });
  return { siteBefore, site, taken };
}
