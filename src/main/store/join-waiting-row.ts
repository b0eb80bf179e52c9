import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import type { RowFact } from './admission-row-read.ts';
import { releaseHeld } from './held-entries.ts';
import { isKnownOf, joinRowStates, readRowState, type RowState } from './row-state.ts';
import { keepWaitingSince, letWait, planRowState, type WaitingRow } from './waiting-row.ts';

/** Takes in one row of a block, as `takeInRow` does. */
type TakeIn = (admission: Admission, planned: PlannedBlock, fact: RowFact) => void;

/**
 * Brings what was written to a row that waits to it, and tries the whole again: it may fit now, and it may want other keys.
 *
 * False where the fact has nothing to do with the row that waits: cells of a later life, or a row of one, which takes its
 * place.
 */
export function joinWaitingRow(
  admission: Admission,
  arrival: { readonly planned: PlannedBlock; readonly fact: RowFact; readonly waiting: WaitingRow },
  takeIn: TakeIn,
): boolean {
  const { planned, fact, waiting } = arrival;
  const { group, block, plan } = planned;
  const { report, store } = admission;
  if (fact.life > waiting.state.life) {
    if (block.kind === 'rows') releaseHeld(admission, waiting.n);
    return false;
  }
  if (fact.life < waiting.state.life) {
    report.superseded += 1;
    return true;
  }
  const arriving = readRowState(
    { table: plan.table, resolveColumn: store.registry.resolveColumn },
    { group, block, row: fact.index },
  );
  const joined = joinRowStates(waiting.state, arriving, block.kind === 'rows');
  if (joined === null) {
    report[isKnownOf(waiting.state, arriving) ? 'duplicates' : 'superseded'] += 1;
    return true;
  }
  tryAgain(admission, { planned, waiting, joined }, takeIn);
  return true;
}

/** The row is of several by now: everybody is to have it, whoever brought the last of it. */
function tryAgain(
  admission: Admission,
  row: { readonly planned: PlannedBlock; readonly waiting: WaitingRow; readonly joined: RowState },
  takeIn: TakeIn,
): void {
  const { waiting, joined } = row;
  const { table } = row.planned.plan;
  releaseHeld(admission, waiting.n);
  if (waiting.isQuarantined) {
    letWait(admission, table, { row: joined, reason: waiting.reason });
  } else {
    const { planned } = planRowState(admission.store, table, joined);
    const inner: Admission = {
      ...admission,
      via: null,
      originOf: (group, hlc, site) => ({ ...admission.originOf(group, hlc, site), via: null }),
    };
    takeIn(inner, planned, { index: 0, life: joined.life, clocks: planned.block.clocks });
  }
  keepWaitingSince(admission, table, waiting);
}
