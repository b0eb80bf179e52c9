import type { PlantedBug } from './planted-bugs.ts';

/** Mistakes about rows, clocks and delivery, which the simulator must find. */
export const PLANTED_ROW_BUGS: readonly PlantedBug[] = [
  {
    what: 'the earlier write of a cell wins',
    file: 'store/admission-row-write.ts',
    from: 'const winners = candidates.filter((cell) => isLater(cell.stamp, clocks.cell(cell.column)));',
    to: 'const winners = candidates.filter((cell) => isLater(clocks.cell(cell.column), cell.stamp));',
  },
  {
    what: 'a late write brings a deleted row back',
    file: 'store/admission-row-write.ts',
    from: 'if (fact.life < localLife) {',
    to: 'if (fact.life < localLife && local !== null) {',
  },
  {
    what: 'a row of an older life takes the place of a later one',
    file: 'store/admission-row-write.ts',
    from: 'if (fact.life < localLife) {',
    to: 'if (fact.life < localLife && local === null) {',
  },
  {
    what: 'a row that was deleted and came again is one with what it was before',
    file: 'store/admission-row-write.ts',
    from: 'if (local !== null && fact.life === localLife) {',
    to: 'if (local !== null && fact.life >= localLife) {',
  },
  {
    what: 'a deletion leaves no tombstone',
    file: 'store/log-write.ts',
    from: 'lives.end(tbl, { ...row, seq });',
    to: '',
  },
  {
    what: 'a row that comes again begins no life',
    file: 'store/admission-row-write.ts',
    from: 'if (fact.life !== 1 || row.isLifeKnown) store.logWriter.setLife(table.tbl, { key, life: fact.life, seq });',
    to: '',
  },
  {
    what: 'a cell that wins keeps its old clock',
    file: 'store/admission-many-cells.ts',
    from: 'appendCellsOfRows(admission.store.db, changed, admission.originOf(group, block.hlc, block.site));',
    to: '',
  },
  {
    what: 'cells lose the clocks that they had apart from their row',
    file: 'store/admission-fresh-rows.ts',
    from: 'recordOwnClocks(admission, planned, placed);',
    to: '',
  },
  {
    what: 'what a default filled in counts as written',
    file: 'store/admission-unwritten.ts',
    from: 'if (plain.length > 0)',
    to: 'if (plain.length > 1_000)',
  },
  {
    what: 'what nobody wrote travels',
    file: 'store/fact-shape.ts',
    from: 'const own = columns.filter((column) => clockOf(column) !== NO_STAMP_HLC);',
    to: 'const own = columns;',
  },
  {
    what: 'what is admitted is captured again',
    file: 'store/admission-group.ts',
    from: "db.exec('update _concord_state set capture = 0');",
    to: '',
  },
  {
    what: 'what is relayed has the relay for its author',
    file: 'store/page-facts.ts',
    from: 'const site = sites.siteOf(ordinal);',
    to: 'const site = sites.own;',
  },
  {
    what: 'the line moves on over a blocked group',
    file: 'replica/admit-page.ts',
    from: 'if (blocked !== null) return reportOf(tally, blocked);',
    to: '',
  },
  {
    what: 'what waits never goes in',
    file: 'store/held-drain.ts',
    from: 'if (to <= from && !isTouched(admission)) break;',
    to: 'if (to >= 0) break;',
  },
  {
    what: 'of two claims on a key the later one stays',
    file: 'engine/merge/settle-claims.ts',
    from: '.sort((left, right) => compareClaimants(rows, left, right));',
    to: '.sort((left, right) => compareClaimants(rows, right, left));',
  },
  {
    what: 'rows that a drop knew of are held',
    file: 'store/admission-place.ts',
    from: "return store.dropKnewOf(table, stamp) ? { kind: 'nowhere' } : { kind: 'hold', reason: 'droppedTable' };",
    to: "return { kind: 'hold', reason: 'droppedTable' };",
  },
  {
    what: 'rows that a drop did not know of are passed over',
    file: 'store/admission-place.ts',
    from: "return store.dropKnewOf(table, stamp) ? { kind: 'nowhere' } : { kind: 'hold', reason: 'droppedTable' };",
    to: "return { kind: 'nowhere' };",
  },
  {
    what: 'a deletion under an earlier key is forgotten',
    file: 'store/admission-former-key.ts',
    from: 'appendFormerDelete(store.db, { tbl: table.tbl, cols, key, life }, origin);',
    to: '',
  },
  {
    what: 'groups of a page go in as they come',
    file: 'replica/group-order.ts',
    from: 'return compareCursors(left.cursor, right.cursor);',
    to: 'return 0;',
  },
  {
    what: 'the clock follows the wall back',
    file: 'engine/clock/advance-hlc.ts',
    from: 'return now > last ? now : last + 1n;',
    to: 'return now;',
  },
];
