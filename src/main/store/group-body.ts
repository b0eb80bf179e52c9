import { Packr } from 'msgpackr';

import type { ChangeGroup, Cursor } from '#shared/model/change-group.ts';

// Bytes of a group inside the replica's own file (held facts, blocked units, staged parts).
// msgpackr keeps the storage classes apart by itself: bigint is int64, number is a real or a small
// protocol integer, bytes are bin; only records (shared structures) must be off, since bodies are read alone.
const packr = new Packr({ useRecords: false, mapsAsObjects: true });

/** Packs a group for `readGroupBody`. The bytes never leave the file. */
export const groupBody = (group: ChangeGroup): Uint8Array => packr.pack(group);

/** Unpacks what `groupBody` made. */
export const readGroupBody = (body: Uint8Array): ChangeGroup =>
  // Only this module writes these columns, so the shape is known.
  packr.unpack(body) as ChangeGroup;

/** A refused unit: its groups, and where the puller stands once they are admitted. */
export interface UnitBody {
  readonly groups: readonly ChangeGroup[];
  readonly cursor: Cursor;
  /** The peer's head when the unit came. */
  readonly head: number;
}

/** Packs a refused unit for `readUnitBody`. */
export const unitBody = (unit: UnitBody): Uint8Array => packr.pack(unit);

/** Unpacks what `unitBody` made. */
export const readUnitBody = (body: Uint8Array): UnitBody => packr.unpack(body) as UnitBody;
