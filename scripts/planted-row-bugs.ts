import type { PlantedBug } from './planted-bugs.ts';

/** Mistakes about rows, clocks and delivery, which the simulator must find. */
export const PLANTED_ROW_BUGS: readonly PlantedBug[] = [
  {
    what: 'the earlier write of a cell wins',
    file: 'engine/merge/merge-row.ts',
    from: 'arriving !== undefined && (local === undefined || compareStamps(arriving, local) > 0);',
    to: 'arriving !== undefined && (local === undefined || compareStamps(arriving, local) < 0);',
  },
  {
    what: 'a late write brings a deleted row back',
    file: 'engine/merge/merge-row.ts',
    from: 'if (local === null || fact.life > local.life) return beginLife(local, fact);',
    to: 'if (local === null || fact.life !== local.life) return beginLife(local, fact);',
  },
  {
    what: 'groups of a page go in as they come',
    file: 'replica/admit-page.ts',
    from: 'groups.toSorted((left, right) => (left.cursor?.seq ?? -1) - (right.cursor?.seq ?? -1));',
    to: 'groups;',
  },
  {
    what: 'the clock follows the wall back',
    file: 'engine/clock/advance-hlc.ts',
    from: 'return now > last ? now : last + 1n;',
    to: 'return now;',
  },
  {
    what: 'what arrives does not move the clock',
    file: 'engine/clock/advance-hlc.ts',
    from: 'return ok(remote > last ? remote : last);',
    to: 'return ok(last);',
  },
];
