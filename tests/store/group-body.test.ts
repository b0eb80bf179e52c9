import { describe, expect, it } from 'vitest';

import { groupBody, readGroupBody, readUnitBody, unitBody } from '#main/store/group-body.ts';
import type { ChangeGroup } from '#shared/model/change-group.ts';
import type { RawText, SqlValue } from '#shared/model/sql-value.ts';

import { columnId, epoch, era, siteId, tableId } from '../support/ids.ts';

const aGroup = (row: readonly SqlValue[]): ChangeGroup => ({
  sites: [siteId(1)],
  tables: [
    {
      id: tableId(1),
      name: 't',
      columns: row.map((_, at) => ({ id: columnId(at), name: `c${at}` })),
      key: [0],
    },
  ],
  migrations: [],
  blocks: [
    {
      table: 0,
      hlc: 1n,
      site: 0,
      kind: 'rows',
      columns: row.map((_, at) => at),
      rows: [row],
      lives: [],
      clocks: [],
    },
  ],
});

const rowOf = (group: ChangeGroup | undefined): readonly SqlValue[] => group?.blocks[0]?.rows[0] ?? [];

describe('the body of a group that waits in the file', () => {
  // B08: what is held or blocked comes back to the bit.
  for (const [what, value] of [
    ['-0.0', -0],
    ['0.0', 0],
    ['1.0', 1],
    ['1', 1n],
    ['the least integer', -(2n ** 63n)],
    ['the greatest integer', 2n ** 63n - 1n],
    ['infinity', Number.POSITIVE_INFINITY],
    ['the least real', 5e-324],
    ['NULL', null],
    ['text with NUL', 'a\0b'],
  ] as const) {
    it(`keeps ${what} exactly (B08)`, () => {
      const group = aGroup([1n, value]);
      expect(Object.is(rowOf(readGroupBody(groupBody(group)))[1], value)).toBe(true);
      const unit = {
        groups: [group],
        cursor: { epoch: epoch(1), era: era(1), seq: 1, catalogSeq: 0 },
        head: 3,
      };
      expect(Object.is(rowOf(readUnitBody(unitBody(unit)).groups[0])[1], value)).toBe(true);
    });
  }

  it('tells an empty blob, an empty text and NULL apart, and keeps text that is not UTF-8 (B08)', () => {
    const row = [new Uint8Array(), '', null, { textBytes: new Uint8Array([0xff, 0x41]) }];
    const [blob, text, nothing, raw] = rowOf(readGroupBody(groupBody(aGroup(row))));
    expect(blob).toBeInstanceOf(Uint8Array);
    expect(blob).toHaveLength(0);
    expect([text, nothing]).toEqual(['', null]);
    const { textBytes } = raw as RawText;
    expect([...textBytes]).toEqual([0xff, 0x41]);
  });
});
