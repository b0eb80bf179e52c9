import { Epoch, SiteId } from '#shared/model/ids.ts';
import { siteIdToBytes } from '#shared/model/site-bytes.ts';

import type { Ports } from '../engine/ports.ts';
import { METADATA_DDL, METADATA_FORMAT } from './metadata-schema.ts';
import { drawId, writeMeta } from './replica-meta.ts';
import { OWN_SITE_ORDINAL } from './site-registry.ts';
import type { StoreDatabase } from './store-database.ts';

export interface NewReplica {
  readonly ports: Pick<Ports, 'clock' | 'random'>;
  /** Drawn when not given. */
  readonly site?: SiteId | undefined;
  readonly epoch?: Epoch | undefined;
  /** For detach to put back; null of a file that Concord made. */
  readonly journalModeBefore: string | null;
}

/** Makes the bookkeeping of a replica, empty, in the caller's transaction. The era comes with the first opening. */
export function createMetadata(db: StoreDatabase, replica: NewReplica): void {
  const { ports } = replica;
  for (const statement of METADATA_DDL) db.exec(statement);
  db.prepare<unknown[]>(`insert into _concord_site (id, site, hlc_max) values (?, ?, 0)`).run(
    OWN_SITE_ORDINAL,
    siteIdToBytes(replica.site ?? drawId(SiteId, ports.random)),
  );
  writeMeta(db, 'format', BigInt(METADATA_FORMAT));
  writeMeta(db, 'epoch', replica.epoch ?? drawId(Epoch, ports.random));
  writeMeta(db, 'createdMs', BigInt(ports.clock.nowMs()));
  writeMeta(db, 'foldedSeq', 0n);
  if (replica.journalModeBefore !== null) writeMeta(db, 'journalModeBefore', replica.journalModeBefore);
  db.prepare<unknown[]>(`insert into _concord_state (id, capture, now_ms) values (1, 1, ?)`).run(
    ports.clock.isWallClock ? null : BigInt(ports.clock.nowMs()),
  );
}
