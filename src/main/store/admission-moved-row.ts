import type { Stamp } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import type { Admission } from './admission-context.ts';
import { writesKey, type PlannedBlock } from './admission-plan.ts';
import { deleteQuietly, findRowByKey, type LocalRow, type RowFact } from './admission-row-read.ts';
import { keyValueOf } from './key-expression.ts';
import type { EntryOrigin } from './log-write.ts';
import { rowAsState } from './row-as-fact.ts';
import { joinRowStates, readRowState, type RowState } from './row-state.ts';
import type { TrackedTable } from './table-registry.ts';
import { planRowState } from './waiting-row.ts';

/** Takes in one row of a block, as `takeInRow` does. */
type TakeIn = (admission: Admission, planned: PlannedBlock, fact: RowFact) => void;

/** A row that is here, and what came of it under a key that its table had before. */
interface MetRow {
  readonly admission: Admission;
  readonly table: TrackedTable;
  /** As it is here. */
  readonly before: RowState;
  /** As its author has it by now, once the key is altered there too. */
  readonly theirs: RowState;
  /** As it is to be everywhere. */
  readonly after: RowState;
}

/**
 * Takes in cells, or a row, of which one cell has joined the key of the table since it was written: the row that they mean gets
 * another identity by it. The old one is deleted and the row begins under the new one with all that it has, as a change of the
 * key does that is written today (engine.md, section 4); everybody is to have both, whoever brought the cells.
 *
 * Where the key was written later here, the identity that the author gives the row is deleted likewise.
 *
 * False where the row stays what it is: the cells are then like any others.
 */
export function moveRow(
  admission: Admission,
  planned: PlannedBlock,
  row: { readonly fact: RowFact; readonly local: LocalRow; readonly takeIn: TakeIn },
): boolean {
  const { group, block, plan } = planned;
  const { table } = plan;
  if (!writesKey(plan)) return false;
  const { resolveColumn } = admission.store.registry;
  const before = rowAsState(admission, table, row.local);
  const theirs = readRowState({ table, resolveColumn }, { group, block, row: row.fact.index });
  const after = joinRowStates(before, theirs, block.kind === 'rows') ?? before;
  const met: MetRow = { admission, table, before, theirs, after };
  if (!isSameKey(met, after, theirs) && !isSameKey(met, before, theirs)) endTheirs(met);
  if (isSameKey(met, after, before)) return false;
  deleteQuietly(admission, table, row.local);
  endIdentity(met, { row: before, rid: row.local.rid, life: before.life + 1 });
  begin(met, row.takeIn);
  return true;
}

/** Unless another row stands under that identity. */
function endTheirs(met: MetRow): void {
  const { admission, table, before, theirs } = met;
  if (findRowByKey(admission, table, keyOf(theirs)) !== null) return;
  const known = lifeOf(met, theirs) ?? 0;
  if (known % 2 === 1 || known < before.life)
    endIdentity(met, { row: theirs, rid: null, life: Math.max(known, before.life) + 1 });
}

/** With the stamp by which the row is what it is to be: the same wherever the two meet. */
function endIdentity(
  { admission, table, after }: MetRow,
  ended: { readonly row: RowState; readonly rid: LocalRow['rid'] | null; readonly life: number },
): void {
  const key = keyValueOf(table, keyOf(ended.row));
  if (key === null) return;
  const { rid, life } = ended;
  admission.store.logWriter.appendDelete(
    table.tbl,
    { rid, key, life },
    originOf(admission, stampOfKey(after)),
  );
  admission.touchedKeys.add(table.tbl);
}

function begin(met: MetRow, takeIn: TakeIn): void {
  const { admission, table, after } = met;
  const known = lifeOf(met, after);
  // A new life where the identity was deleted.
  const life = known === null ? 1 : known + ((known + 1) % 2);
  const { planned } = planRowState(admission.store, table, { ...after, life });
  const everywhere: Admission = {
    ...admission,
    via: null,
    originOf: (...stamped) => ({ ...admission.originOf(...stamped), via: null }),
  };
  takeIn(everywhere, planned, { index: 0, life, clocks: planned.block.clocks });
}

const keyOf = ({ cells, key }: RowState) => key.map((id) => cells.get(id)?.value ?? null);

const isSameKey = ({ table }: MetRow, left: RowState, right: RowState): boolean =>
  keyValueOf(table, keyOf(left)) === keyValueOf(table, keyOf(right));

function lifeOf({ admission, table }: MetRow, row: RowState): number | null {
  const key = keyValueOf(table, keyOf(row));
  return key === null ? null : admission.store.clocks.life(table.tbl, key);
}

/** When the key was written last. */
const stampOfKey = ({ cells, key, stamp }: RowState): Stamp =>
  key.reduce((latest, id) => {
    const own = cells.get(id)?.stamp;
    return own !== undefined && compareStamps(own, latest) > 0 ? own : latest;
  }, stamp);

/** Whoever brought the cells: everybody is to have what came of them. */
const originOf = ({ store }: Admission, { hlc, site }: Stamp): EntryOrigin => ({
  hlc,
  site: site === store.site ? null : store.sites.ordinalOf(site),
  via: null,
});
