import { expect, test } from 'vitest';

import { settleClaims } from '#main/engine/merge/settle-claims.ts';
import type { Claimant } from '#main/engine/merge/settle-claims.ts';
import type { Stamp } from '#shared/model/change-group.ts';
import { siteId } from '../support/ids.ts';

const at = (hlc: number, site = 1): Stamp => ({ hlc: BigInt(hlc), site: siteId(site) });

/** Two rows that want one key: which of them has it. */
const keeper = (left: Omit<Claimant, 'identity'>, right: Omit<Claimant, 'identity'>): 'left' | 'right' => {
  const rows = [
    { ...left, identity: '1' },
    { ...right, identity: '2' },
  ];
  const leftOut = settleClaims(rows, [{ left: 0, right: 1, key: 'k' }]);
  expect(leftOut.size).toBe(1);
  return leftOut.has(0) ? 'right' : 'left';
};

test('ROW-004 the earlier claim keeps the key, however late its row was written otherwise', () => {
  expect(keeper({ claim: at(1), written: at(9) }, { claim: at(2), written: at(2) })).toBe('left');
  expect(keeper({ claim: at(2), written: at(2) }, { claim: at(1), written: at(9) })).toBe('right');
});

test('of equal claims the row that was written earlier keeps the key, whatever its identity', () => {
  expect(keeper({ claim: at(1), written: at(3) }, { claim: at(1), written: at(2) })).toBe('right');
  expect(keeper({ claim: at(1), written: at(2) }, { claim: at(1), written: at(3) })).toBe('left');
});

test('of equal times the lower site, then the lower identity keeps the key', () => {
  expect(keeper({ claim: at(1, 2), written: at(1, 2) }, { claim: at(1, 1), written: at(1, 1) })).toBe(
    'right',
  );
  expect(keeper({ claim: at(1), written: at(1) }, { claim: at(1), written: at(1) })).toBe('left');
});
