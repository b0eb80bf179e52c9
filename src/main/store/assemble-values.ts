import { assert, present } from '#shared/assert.ts';
import type { ChangeGroup, FactBlock, PiecedFact, ValuePiece } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { decodeUtf8 } from '#shared/model/utf8.ts';

/**
 * Puts the large values of a unit's facts, which came in pieces in the parts before, into their places. Pieces of a fact
 * that was written to while it was on its way belong to nothing and are left out. The same groups where there are none.
 *
 * Throws where a piece is missing.
 */
export function assembleValues(groups: readonly ChangeGroup[]): readonly ChangeGroup[] {
  const pieces = groups.flatMap(({ piece }) => (piece === undefined ? [] : [piece]));
  if (pieces.length === 0 && groups.every(({ pieced }) => pieced === undefined)) return groups;
  return groups.map(({ piece: _piece, pieced, ...group }) =>
    pieced === undefined ? group : { ...group, blocks: filledBlocks(group.blocks, pieced, pieces) },
  );
}

function filledBlocks(
  blocks: readonly FactBlock[],
  pieced: readonly PiecedFact[],
  pieces: readonly ValuePiece[],
): readonly FactBlock[] {
  return blocks.map((block, at) => {
    const facts = pieced.filter((fact) => fact.block === at);
    if (facts.length === 0) return block;
    const rows = [...block.rows];
    for (const fact of facts)
      rows[fact.row] = filledRow(present(rows[fact.row], 'a pieced fact has a row'), fact, pieces);
    return { ...block, rows };
  });
}

function filledRow(
  row: readonly SqlValue[],
  { of, values }: PiecedFact,
  pieces: readonly ValuePiece[],
): readonly SqlValue[] {
  const filled = [...row];
  let start = 0;
  for (const [place, length, kind] of values) {
    const bytes = joined(
      pieces.filter((piece) => piece.of === of),
      { from: start, length },
    );
    filled[place] = kind === 'blob' ? bytes : (decodeUtf8(bytes) ?? { textBytes: bytes });
    start += length;
  }
  return filled;
}

function joined(
  pieces: readonly ValuePiece[],
  { from, length }: { readonly from: number; readonly length: number },
): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for (const piece of pieces.toSorted((left, right) => left.at - right.at)) {
    const start = piece.at - from;
    // What came twice is the same.
    if (start > filled || start + piece.bytes.length <= filled) continue;
    const wanted = piece.bytes.subarray(filled - start, length - start);
    bytes.set(wanted, filled);
    filled += wanted.length;
    if (filled === length) break;
  }
  assert(filled === length, 'a large value comes with all of its pieces');
  return bytes;
}
