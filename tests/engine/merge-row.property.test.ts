import fc from 'fast-check';
import { expect, test } from 'vitest';

import { decideRow } from '#main/engine/merge/merge-row.ts';
import { relay, replay, rowFact, show } from '../support/row-model.ts';
import type { DecideRow } from '../support/row-model.ts';

// Guards ROW-001 and ROW-002.

const facts = fc.array(rowFact, { maxLength: 8 });
const inTwoOrders = facts.chain((sent) =>
  fc.tuple(fc.constant(sent), fc.shuffledSubarray(sent, { minLength: sent.length })),
);

const order = (decide: DecideRow) =>
  fc.property(inTwoOrders, ([sent, received]) => {
    expect(show(replay(received, decide))).toBe(show(replay(sent, decide)));
  });

const repetition = (decide: DecideRow) =>
  fc.property(facts, fc.array(fc.nat(7), { maxLength: 6 }), (sent, again) => {
    const once = replay(sent, decide);
    const redelivered = again.flatMap((place) => sent.slice(place, place + 1));
    expect(show(replay(redelivered, decide, once))).toBe(show(once));
  });

// What was merged on the way travels on as one row: T11 says that this is the same as its parts.
const grouping = (decide: DecideRow) =>
  fc.property(inTwoOrders, fc.nat(8), ([, received], cut) => {
    const hub = replay(received.slice(0, cut), decide);
    const viaHub = replay([...received.slice(cut), ...relay(hub)], decide);
    expect(show(viaHub)).toBe(show(replay(received, decide)));
  });

const quickly = { numRuns: 2000 };

test('T10 B01 B02 B05 a row ends the same in whatever order its changes arrive', () => {
  fc.assert(order(decideRow), quickly);
});

test('T10 B12 redelivery changes nothing', () => {
  fc.assert(repetition(decideRow), quickly);
});

test('T11 B06 a row ends the same by whatever path its changes arrive', () => {
  fc.assert(grouping(decideRow), quickly);
});

test('B03 no write of a life brings a row back that was deleted in it', () => {
  fc.assert(
    fc.property(facts, (sent) => {
      const { state } = replay(sent);
      const lives = sent.filter(({ kind }) => kind !== 'cells').map(({ life }) => life);
      expect(state?.life ?? 0).toBe(Math.max(0, ...lives));
    }),
    quickly,
  );
});

// Rules that are wrong in one way each: at least one of the properties has to find every one of them.
const wrongRules: readonly (readonly [string, DecideRow])[] = [
  [
    'ties go to who came last',
    (local, fact) => {
      const decision = decideRow(local, fact);
      const isTie =
        decision.action === 'ignore' && decision.because === 'superseded' && fact.kind === 'cells';
      return isTie &&
        fact.life === local?.life &&
        local.cells.get(fact.columns[0] ?? 0)?.hlc === fact.stamp.hlc
        ? { action: 'merge', columns: fact.columns, row: false }
        : decision;
    },
  ],
  [
    'a late write brings a deleted row back',
    (local, fact) =>
      local?.life === 2 && fact.kind === 'row' && fact.stamp.hlc > local.stamp.hlc
        ? { action: 'replace' }
        : decideRow(local, fact),
  ],
  [
    'a whole row wins with all its cells or none',
    (local, fact) => {
      const decision = decideRow(local, fact);
      return decision.action === 'merge' && fact.kind === 'row'
        ? { ...decision, columns: [...fact.cells.keys()] }
        : decision;
    },
  ],
  [
    'cells that wait for their row are lost',
    (local, fact) => {
      const decision = decideRow(local, fact);
      return decision.action === 'hold' ? { action: 'ignore', because: 'superseded' } : decision;
    },
  ],
  [
    'a re-insert merges with the row of the older life',
    (local, fact) => {
      const decision = decideRow(local, fact);
      return decision.action === 'replace' && fact.kind === 'row'
        ? { action: 'merge', columns: [...fact.cells.keys()], row: true }
        : decision;
    },
  ],
  [
    'the clock of a row stays as it was first',
    (local, fact) => {
      const decision = decideRow(local, fact);
      return decision.action === 'merge' ? { ...decision, row: false } : decision;
    },
  ],
  [
    'the clock of a delete stays as it was first',
    (local, fact) => {
      const decision = decideRow(local, fact);
      const isSecond = decision.action === 'delete' && local?.life === fact.life;
      return isSecond ? { action: 'ignore', because: 'duplicate' } : decision;
    },
  ],
];

test.for(wrongRules)('the properties bite when %s', ([, decide]) => {
  const isFound =
    fc.check(order(decide), quickly).failed ||
    fc.check(repetition(decide), quickly).failed ||
    fc.check(grouping(decide), quickly).failed;
  expect(isFound).toBe(true);
});
