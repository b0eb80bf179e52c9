/** A row of a grid, or the head of a group of rows. */
export type GridEntry<Row> =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'group'; readonly key: string; readonly label: string; readonly note: string };

export function rowEntries<Row>(rows: readonly Row[]): readonly GridEntry<Row>[] {
  return rows.map((row) => ({ kind: 'row', row }));
}

/** Rows that Page Up and Page Down pass. */
const PAGE_ROWS = 12;

/** Where a key leads from the entry at `from` (-1: none); group heads are stepped over. The same place when nowhere. */
export function nextRowIndex<Row>(step: {
  readonly entries: readonly GridEntry<Row>[];
  readonly from: number;
  readonly key: string;
}): number {
  const { entries, from, key } = step;
  const rows = entries.flatMap((entry, index) => (entry.kind === 'row' ? [index] : []));
  const place = rows.indexOf(from);
  const target = placeAfterKey({ place, last: rows.length - 1, key });
  return target === null ? -1 : (rows[target] ?? -1);
}

function placeAfterKey(step: {
  readonly place: number;
  readonly last: number;
  readonly key: string;
}): number | null {
  const { place, last, key } = step;
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return Math.min(place + 1, last);
    case 'ArrowUp':
    case 'k':
      return place < 0 ? last : Math.max(place - 1, 0);
    case 'PageDown':
      return Math.min(place + PAGE_ROWS, last);
    case 'PageUp':
      return Math.max(place - PAGE_ROWS, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
