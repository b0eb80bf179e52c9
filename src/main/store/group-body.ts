import { addExtension, Packr } from 'msgpackr';

import type { ChangeGroup, Cursor, FactBlock, Stamp } from '#shared/model/change-group.ts';

// Bytes of a group inside the replica's own file (held facts, blocked units, staged parts).
// msgpackr keeps the storage classes apart by itself: bigint is int64, number is a real or a small
// protocol integer, bytes are bin; only records (shared structures) must be off, since bodies are read alone.
// -0.0 needs an extension: it would be written as the integer 0.
const packr = new Packr({ useRecords: false, mapsAsObjects: true });

class NegativeZero extends Uint8Array {}

// The library knows its extensions once for all: the peer wire has 1 and 2, and lets no other in.
addExtension({
  Class: NegativeZero,
  type: 3,
  pack: (zero: NegativeZero) => zero,
  unpack: () => -0,
});

/** Packs a group for `readGroupBody`. The bytes never leave the file. */
export const groupBody = (group: ChangeGroup): Uint8Array => packr.pack(markZeros(group));

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
  /** What the peer had pruned then. */
  readonly pruned?: readonly Stamp[];
}

/** Packs a refused unit for `readUnitBody`. */
export const unitBody = (unit: UnitBody): Uint8Array =>
  packr.pack({ ...unit, groups: unit.groups.map(markZeros) });

/** Unpacks what `unitBody` made. */
export const readUnitBody = (body: Uint8Array): UnitBody => packr.unpack(body) as UnitBody;

const isZeroBelow = (value: unknown): boolean => Object.is(value, -0);

const hasZeroBelow = ({ rows }: FactBlock): boolean => rows.some((row) => row.some(isZeroBelow));

/** The same object when there is none, as mostly. */
function markZeros(group: ChangeGroup): unknown {
  if (!group.blocks.some(hasZeroBelow)) return group;
  const marked = (block: FactBlock): unknown => ({
    ...block,
    rows: block.rows.map((row) => row.map((value) => (isZeroBelow(value) ? new NegativeZero() : value))),
  });
  return { ...group, blocks: group.blocks.map((block) => (hasZeroBelow(block) ? marked(block) : block)) };
}
