import { assert } from '#shared/assert.ts';
import { encodeBase64url } from '#shared/model/base64url.ts';
import type { Epoch, Era } from '#shared/model/ids.ts';

import type { Random } from '../engine/ports.ts';
import type { StoreDatabase } from './store-database.ts';

/** Keys of `_concord_meta` that the store itself reads and writes. */
export type MetaKey =
  | 'format'
  | 'epoch'
  | 'createdMs'
  | 'journalModeBefore'
  | 'foldedSeq'
  | 'catalogVersion'
  | 'settledVersion'
  | 'historyPrunedMs'
  | 'drainedSeq'
  | 'prunedMs'
  | 'prunedSeq'
  | 'formerSites'
  | 'straySeq'
  | 'foundSeq'
  | 'objectsStamp';

/** A value of the replica's own description; null when it has none. */
export function readMeta(db: StoreDatabase, key: MetaKey): string | bigint | null {
  const value = db.preparePluck<[string]>(`select value from _concord_meta where key = ?`).get(key);
  return typeof value === 'string' || typeof value === 'bigint' ? value : null;
}

/** Writes a value of the replica's own description. */
export function writeMeta(db: StoreDatabase, key: MetaKey, value: string | bigint): void {
  db.prepare<[string, string | bigint]>(
    `insert into _concord_meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value`,
  ).run(key, value);
}

/** Takes a value away, where there is one. */
export function forgetMeta(db: StoreDatabase, key: MetaKey): void {
  db.prepare<[string]>(`delete from _concord_meta where key = ?`).run(key);
}

/** The epoch that was drawn when this replica's file was made or bootstrapped. */
export function readEpoch(db: StoreDatabase): Epoch {
  const epoch = readMeta(db, 'epoch');
  assert(typeof epoch === 'string', 'a replica has an epoch');
  // Written by `createMetadata` alone.
  return epoch as Epoch;
}

/** The era in which the replica is now: that of the latest opening. */
export function readEra(db: StoreDatabase): Era {
  const era = db.preparePluck<[]>(`select era from _concord_era order by n desc limit 1`).get();
  assert(typeof era === 'string', 'a replica has an era');
  return era as Era;
}

const ID_BYTES = 16;

/** Draws an ID of a kind: 16 random bytes as text. */
export function drawId<Id>(kind: { readonly parse: (text: string) => Id }, random: Random): Id {
  return kind.parse(encodeBase64url(random.bytes(ID_BYTES)));
}
