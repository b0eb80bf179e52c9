import { expect, test } from 'vitest';

import { applyDecision, decideRow } from '#main/engine/merge/merge-row.ts';
import type { Column, RowDecision, RowFact, RowState } from '#main/engine/merge/merge-row.ts';
import type { Stamp } from '#shared/model/change-group.ts';
import { siteId } from '../support/ids.ts';

const at = (time: number, site = 1): Stamp => ({ hlc: BigInt(time), site: siteId(site) });
const cellsAt = (times: Readonly<Record<Column, number>>): ReadonlyMap<Column, Stamp> =>
  new Map(Object.entries(times).map(([column, time]) => [Number(column), at(time)]));

const row = (parts: Partial<RowState> = {}): RowState => ({
  life: 1,
  stamp: at(5),
  cells: cellsAt({ 0: 5, 1: 5 }),
  ...parts,
});
const wholeRow = (parts: Partial<Extract<RowFact, { kind: 'row' }>> = {}): RowFact => ({
  kind: 'row',
  life: 1,
  stamp: at(5),
  cells: cellsAt({ 0: 5, 1: 5 }),
  ...parts,
});
const cells = (
  time: number,
  columns: readonly Column[],
  { life = 1, site = 1 }: { readonly life?: number; readonly site?: number } = {},
): RowFact => ({ kind: 'cells', life, stamp: at(time, site), columns });
const remove = (time: number, life = 2): RowFact => ({ kind: 'delete', life, stamp: at(time) });
const tombstone = row({ life: 2, stamp: at(7), cells: new Map() });

const duplicate: RowDecision = { action: 'ignore', because: 'duplicate' };
const superseded: RowDecision = { action: 'ignore', because: 'superseded' };
const merge = (columns: readonly Column[], isRow = false): RowDecision => ({
  action: 'merge',
  columns,
  row: isRow,
});

test.for<readonly [string, RowState | null, RowFact, RowDecision]>([
  ['a row that is new comes', null, wholeRow(), { action: 'insert' }],
  ['B01 a newer cell wins', row(), cells(6, [0]), merge([0])],
  ['B01 an older cell loses', row(), cells(4, [0]), superseded],
  ['B01 of one time the higher site wins', row(), cells(5, [0], { site: 2 }), merge([0])],
  [
    'B02 of several cells the newer ones win',
    row({ cells: cellsAt({ 0: 9, 1: 5 }) }),
    cells(7, [0, 1]),
    merge([1]),
  ],
  ['B02 a cell that nobody wrote gives way', row(), cells(1, [2]), merge([2])],
  ['B12 a redelivered cell is a duplicate', row(), cells(5, [0]), duplicate],
  ['B12 a redelivered row is a duplicate', row(), wholeRow(), duplicate],
  ['B12 a redelivered delete is a duplicate', tombstone, remove(7), duplicate],
  [
    'B12 a row of which one cell was overwritten since is superseded',
    row({ cells: cellsAt({ 0: 9, 1: 5 }) }),
    wholeRow(),
    superseded,
  ],
  [
    'a row from elsewhere with the same key merges by cell',
    row({ cells: cellsAt({ 0: 9, 1: 5 }) }),
    wholeRow({ stamp: at(7), cells: cellsAt({ 0: 7, 1: 7 }) }),
    merge([1], true),
  ],
  [
    'a row of nothing but its key takes the later clock',
    row({ cells: new Map() }),
    wholeRow({ stamp: at(6), cells: new Map() }),
    merge([], true),
  ],
  [
    'B03 a delete wins over a write that did not know of it, however late',
    row(),
    remove(1),
    { action: 'delete' },
  ],
  ['B03 a write that did not know of the delete loses, however late', tombstone, cells(99, [0]), superseded],
  ['B03 a row that did not know of the delete loses', tombstone, wholeRow({ stamp: at(99) }), superseded],
  [
    'B06 a re-insert that knew of the delete comes, however early',
    tombstone,
    wholeRow({ life: 3, stamp: at(1) }),
    { action: 'insert' },
  ],
  [
    'B06 a re-insert takes the place of a row whose delete is not here yet',
    row(),
    wholeRow({ life: 3 }),
    { action: 'replace' },
  ],
  ['B05 an older delete does not touch the re-inserted row', row({ life: 3 }), remove(99), superseded],
  ['of two deletes the later clock is kept', tombstone, remove(8), { action: 'delete' }],
  ['of two deletes the earlier clock goes', tombstone, remove(6), superseded],
  ['a delete of a row that was never here is kept', null, remove(3), { action: 'delete' }],
  ['cells of a row that is not here wait', null, cells(3, [0]), { action: 'hold' }],
  ['cells of a later life wait', row(), cells(3, [0], { life: 3 }), { action: 'hold' }],
])('%s', ([, local, fact, expected]) => {
  expect(decideRow(local, fact)).toEqual(expected);
});

test('a decision that was carried out twice finds nothing left to do', () => {
  const facts = [wholeRow(), cells(6, [0]), remove(1), wholeRow({ life: 3 })];
  let local: RowState | null = null;
  for (const fact of facts) {
    local = applyDecision(local, fact, decideRow(local, fact));
    expect(decideRow(local, fact)).toEqual(duplicate);
  }
});
