import { Era } from '#shared/model/ids.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { ok, type Result } from '#shared/result.ts';

import { attachFile } from '../store/attach-file.ts';
import { recordAttachedSchema } from '../store/catalog-take-up.ts';
import { openStore } from '../store/open-store.ts';
import { drawId, readEpoch } from '../store/replica-meta.ts';
import { DEFAULT_SETTINGS } from '../store/replica-settings.ts';
import { createSiteRegistry } from '../store/site-registry.ts';
import { serveReplicaOn, type OpenReplicaError, type OpenReplicaOptions } from './open-replica.ts';
import type { Replica } from './replica.ts';

export interface AttachedReplica {
  readonly replica: Replica;
  readonly tables: number;
  readonly journalModeBefore: string;
  /** WAL was turned on; detaching puts the old mode back. */
  readonly journalModeChanged: boolean;
}

/**
 * Makes an application's database a replica and opens it. Its rows are kept as they are.
 *
 * Errors: as `openReplica`, and `already-a-replica`; the file is then as it was.
 */
export function attachReplica(
  options: OpenReplicaOptions & { readonly site?: SiteId; readonly keepJournalMode?: boolean },
): Result<AttachedReplica, OpenReplicaError> {
  const { ports } = options;
  const attached = attachFile({
    path: options.path,
    ports,
    site: options.site,
    keepJournalMode: options.keepJournalMode ?? false,
    recordCatalog: (db) => {
      recordAttachedSchema(
        openStore(db, {
          ports,
          settings: { ...DEFAULT_SETTINGS, ...options.settings },
          // The era comes with the opening; nothing that is recorded here names it.
          identity: {
            site: createSiteRegistry(db).own,
            epoch: readEpoch(db),
            era: drawId(Era, ports.random),
          },
        }),
      );
    },
  });
  if (!attached.ok) return attached;
  const { db, tables, journalModeBefore, journalModeChanged } = attached.value;
  const opened = serveReplicaOn(db, options);
  if (!opened.ok) return opened;
  return ok({ replica: opened.value, tables: tables.length, journalModeBefore, journalModeChanged });
}
