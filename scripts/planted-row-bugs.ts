import type { PlantedBug } from './planted-bugs.ts';

/** Mistakes about rows, clocks and delivery, which the simulator must find. */
export const PLANTED_ROW_BUGS: readonly PlantedBug[] = [
  {
    what: 'the earlier write of a cell wins',
    file: 'store/admission-row-read.ts',
    from: 'export const isLater = (left: Stamp, right: Stamp): boolean => compareStamps(left, right) > 0;',
    to: 'export const isLater = (left: Stamp, right: Stamp): boolean => compareStamps(left, right) < 0;',
  },
  {
    what: 'a late write brings a deleted row back',
    file: 'store/admission-row-write.ts',
    from: '  if (fact.life < localLife) {',
    to: '  if (fact.life < localLife - 1) {',
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
