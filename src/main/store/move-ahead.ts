import { packHlc } from '#shared/model/hlc.ts';

import { LOG_KIND } from './metadata-schema.ts';
import type { ReplicaStore } from './replica-store.ts';
import { OWN_SITE_ORDINAL } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';

export interface MovedClock {
  /** Seq of the first entry that was stamped by a clock that was ahead; null when none was. */
  readonly firstSeq: number | null;
  /** An HLC of the replica's own as it is from now on; the same where it was not ahead. */
  readonly moved: (hlc: bigint) => bigint;
}

/**
 * Gives what was written while the clock was ahead the HLCs right after what was known before, in their order, in the log and
 * wherever else they stand: when it was really written nobody knows, and what others wrote meanwhile must not be lost to it.
 *
 * Only for a replica that becomes another one: nobody else took these HLCs in, since all were refused (CLOCK-002). Bodies of
 * migrations and of tables that were made anew are the caller's to move.
 */
export function moveAhead({ db, ports, settings }: ReplicaStore): MovedClock {
  const limit = packHlc(ports.clock.nowMs() + settings.driftMaxMs, 0xffff);
  db.exec(`create temp table if not exists _concord_ahead (old integer primary key, new integer not null) strict;
    delete from temp._concord_ahead`);
  const below = toBigInt(
    db.preparePluck<[bigint]>('select coalesce(max(hlc), 0) from _concord_log where hlc <= ?').get(limit),
  );
  db.prepare<unknown[]>(
    `insert into temp._concord_ahead (old, new)
     select hlc, ? + row_number() over (order by hlc) from (select distinct hlc from _concord_log where hlc > ? and site is null)`,
  ).run(below, limit);
  const first = db
    .preparePluck<[bigint]>(
      `select min(seq) from _concord_log where hlc > ? and site is null and kind <> ${LOG_KIND.notice}`,
    )
    .get(limit);
  for (const [table, own] of OWN_HLCS) {
    db.exec(`update ${table} set hlc = (select new from temp._concord_ahead where old = hlc)
      where ${own} and hlc in (select old from temp._concord_ahead)`);
  }
  const find = db.preparePluck<[bigint]>(
    'select new from temp._concord_ahead where old <= ? order by old desc limit 1',
  );
  return {
    firstSeq: typeof first === 'bigint' ? toNumber(first) : null,
    moved: (hlc) => {
      const found = hlc > limit ? find.get(hlc) : undefined;
      return typeof found === 'bigint' ? found : hlc;
    },
  };
}

const OWN_HLCS = [
  ['_concord_log', 'site is null'],
  ['_concord_migration', `site = ${OWN_SITE_ORDINAL}`],
  ['_concord_element', `site = ${OWN_SITE_ORDINAL}`],
  ['_concord_replacement', `site = ${OWN_SITE_ORDINAL}`],
] as const;
