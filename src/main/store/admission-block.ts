import type { ChangeGroup, FactBlock } from '#shared/model/change-group.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { Admission } from './admission-context.ts';
import { admitDeletes } from './admission-deletes.ts';
import { underPresentKey, type TableFactsInGroup } from './admission-earlier-key.ts';
import {
  admitFormerDeletes,
  formerlyEnded,
  isUnderFormerKey,
  rowsOfFormerKey,
} from './admission-former-key.ts';
import { admitFreshRows } from './admission-fresh-rows.ts';
import { admitManyCells } from './admission-many-cells.ts';
import { placeOfTable } from './admission-place.ts';
import { planBlock, type BlockPlan, type PlannedBlock } from './admission-plan.ts';
import { isBlockReplaced, leaveOutLateRows } from './admission-replacement.ts';
import type { CellClock } from './admission-row-read.ts';
import { takeInRow } from './admission-row-write.ts';
import { holdFact } from './held-facts.ts';
import { holdUnknownColumns } from './hold-unknown-columns.ts';
import { isNamelessRow } from './is-nameless-row.ts';
import { currentDefinition } from './live-table.ts';
import { withoutQuarantined } from './quarantined-rows.ts';
import { besideTriggers, silenceTriggers } from './silence-triggers.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * Takes the facts of one block into the tables: cell by cell the later stamp wins, the higher life wins whole.
 *
 * Runs inside an admission: capture and user triggers are silent, foreign keys and CHECKs off. The rule is
 * `decideRow` of the engine; new rows, the common case, go set-wise.
 */
export function admitBlock(admission: Admission, group: ChangeGroup, block: FactBlock): void {
  const reference = group.tables[block.table];
  const site = group.sites[block.site];
  if (reference === undefined || site === undefined)
    throw new Error('A block names a table or site that its group does not list.');
  const { store, report } = admission;
  if (site === store.site && !admission.acceptsOwn && !isFoundByOthers(block)) {
    const others = withOthersCells(block);
    report.skipped += block.rows.length - others.rows.length;
    if (others.rows.length === 0) return;
    admitBlock({ ...admission, acceptsOwn: true }, group, others);
    return;
  }
  const place = placeOfTable(admission, reference, { hlc: block.hlc, site });
  switch (place.kind) {
    case 'nowhere':
      holdUnknownCells(admission, { group, block, reference });
      return;
    case 'hold':
      holdAll(admission, { group, block }, place.reason);
      return;
    case 'table':
      admitInto(
        admission,
        place.table,
        withoutQuarantined(admission, place.table.tbl, { group, block, reference }),
      );
  }
}

/**
 * What waits for a table that has no key by now waits on: a row without one would be nobody else's. So do rows that have none: no
 * drop can have known of them.
 */
function keepsWaiting({ drained, store }: Admission, { block, reference }: TableFactsInGroup): boolean {
  if (drained === null) return false;
  const isHere = typeof store.registry.byId(reference.id)?.name === 'string';
  if (!isHere && !block.rows.some((_row, index) => isNamelessRow(reference, block, index))) return false;
  drained.isAsBefore = true;
  return true;
}

/** What a replacement of this replica's left out is found by those who had the rows, in its name. */
const isFoundByOthers = ({ kind, lives }: FactBlock): boolean =>
  kind === 'deletes' && lives.some(([, life]) => life % 2 === 1);

/** Of rows that the drop of their table knew of, those with a cell that it did not know of are held whole, as where they were. */
function holdUnknownCells(admission: Admission, { group, block, reference }: TableFactsInGroup): void {
  if (keepsWaiting(admission, { group, block, reference })) return;
  const { store, report } = admission;
  const table = store.registry.byId(reference.id);
  const unknown = new Set(
    block.clocks.flatMap(([row, , hlc, site]) => {
      const author = group.sites[site];
      const isKnown =
        author === undefined || table?.name !== null || store.dropKnewOf(table, { hlc, site: author });
      return isKnown ? [] : [row];
    }),
  );
  for (const row of unknown) holdFact(admission, { group, block, row, reason: 'droppedTable' });
  report.superseded += block.rows.length - unknown.size;
}

/** Of a replica's own rows that come back, those in which somebody else wrote: such a row waited elsewhere, whole. */
function withOthersCells(block: FactBlock): FactBlock {
  const own = block.site;
  return onlyRows(block, new Set(block.clocks.flatMap(([row, , , site]) => (site === own ? [] : [row]))));
}

function onlyRows(block: FactBlock, rows: ReadonlySet<number>): FactBlock {
  const kept = [...rows].sort((left, right) => left - right);
  const places = new Map(kept.map((row, place) => [row, place]));
  const at = (row: number): number => places.get(row) ?? -1;
  return {
    ...block,
    rows: kept.flatMap((row) => (block.rows[row] === undefined ? [] : [block.rows[row]])),
    lives: block.lives.flatMap(([row, life]) => (at(row) < 0 ? [] : [[at(row), life] as const])),
    clocks: block.clocks.flatMap(([row, ...rest]) => (at(row) < 0 ? [] : [[at(row), ...rest] as const])),
  };
}

function admitInto(admission: Admission, table: TrackedTable, facts: TableFactsInGroup): void {
  const { store } = admission;
  const { group, block, reference } = facts;
  if (block.rows.length === 0) return;
  const plan = planBlock({
    table,
    block,
    reference,
    resolveColumn: store.registry.resolveColumn,
    definition: currentDefinition(store, table.name ?? ''),
  });
  if (isUnderFormerKey({ group, block, plan })) {
    admitUnderEarlierKey(admission, table, facts);
    return;
  }
  const rest = withoutMovedRows(admission, facts, plan);
  if (rest.rows.length === 0) return;
  const name = table.name ?? '';
  silenceTriggers(admission, name);
  besideTriggers(admission, name, () => {
    if (block.kind === 'deletes') admitDeletes(admission, { group, block, plan });
    else admitRows(admission, { group, block: rest, plan });
  });
}

/** Takes in the rows that are here under the key that they had when they were written; gives all others, as they come. */
function withoutMovedRows(admission: Admission, facts: TableFactsInGroup, plan: BlockPlan): FactBlock {
  const { block } = facts;
  const taken = new Set<number>();
  for (const { rows, facts: keyed } of rowsOfFormerKey(admission, facts, plan)) {
    const meant = [...rows].filter((row) => !taken.has(row)).sort((left, right) => left - right);
    const present = underPresentKey(admission, plan.table, {
      ...keyed,
      block: onlyRows(keyed.block, new Set(meant)),
    });
    if (present.facts !== null) admitInto(admission, plan.table, present.facts);
    for (const [place, row] of meant.entries()) if (!present.missing.includes(place)) taken.add(row);
  }
  if (taken.size === 0) return block;
  return onlyRows(block, new Set(block.rows.flatMap((_row, at) => (taken.has(at) ? [] : [at]))));
}

/** Rows are found by the key that they had; what is not here waits. */
function admitUnderEarlierKey(admission: Admission, table: TrackedTable, facts: TableFactsInGroup): void {
  const { group, block } = facts;
  if (block.kind === 'deletes') {
    silenceTriggers(admission, table.name ?? '');
    admitFormerDeletes(admission, table, facts);
    return;
  }
  const present = underPresentKey(admission, table, facts);
  const ended = formerlyEnded(admission, table, facts);
  const isReplaced = isBlockReplaced(admission, table, facts);
  for (const row of present.missing) {
    if (isReplaced || ended.has(row)) admission.report.superseded += 1;
    else holdFact(admission, { group, block, row, reason: 'notNull' });
  }
  if (present.facts !== null) admitInto({ ...admission, isByEarlierKey: true }, table, present.facts);
}

function holdAll(
  admission: Admission,
  facts: { readonly group: ChangeGroup; readonly block: FactBlock },
  reason: HeldReason,
): void {
  facts.block.rows.forEach((_row, index) => {
    holdFact(admission, { ...facts, row: index, reason });
  });
}

function admitRows(admission: Admission, planned: PlannedBlock): void {
  const { block } = planned;
  const slow =
    block.kind === 'rows' ? admitFreshRows(admission, planned) : admitManyCells(admission, planned);
  const lives = new Map(block.lives);
  const clocks = clocksByRow(block);
  for (const index of slow) {
    takeInRow(admission, planned, { index, life: lives.get(index) ?? 1, clocks: clocks.get(index) ?? [] });
  }
  holdUnknownColumns(admission, planned);
  leaveOutLateRows(admission, planned);
}

function clocksByRow(block: FactBlock): ReadonlyMap<number, readonly CellClock[]> {
  const byRow = new Map<number, CellClock[]>();
  for (const clock of block.clocks) {
    const list = byRow.get(clock[0]);
    if (list === undefined) byRow.set(clock[0], [clock]);
    else list.push(clock);
  }
  return byRow;
}
