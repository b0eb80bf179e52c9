import { err, ok, type Result } from '#shared/result.ts';
import type { HeldAction, HeldLeft, HeldOutcome, HeldSelection } from '#shared/model/held-decision.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { Admission } from '../store/admission-context.ts';
import { runAdmission } from '../store/admission-group.ts';
import { adoptDropped, type NotAdopted } from '../store/adopt-dropped.ts';
import { readFingerprint } from '../store/catalog-fingerprint.ts';
import { writeJournal } from '../store/decision-journal.ts';
import { rememberDeleted } from '../store/deleted-held.ts';
import { deleteHeld } from '../store/held-bounds.ts';
import { drainChosen } from '../store/held-drain.ts';
import { byTable, rowsIn, selectHeld, type SelectedChange } from '../store/held-selection.ts';
import { heldSentence } from '../store/held-sentence.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { writeLocally } from './exec-sql.ts';
import type { HeldError, HeldRequest } from './replica.ts';
import { retryHeldLimit } from './retry-held-limit.ts';

/**
 * Quarantines, releases, drains or deletes held changes, as a person wants it; the journal says who, when, why and what.
 *
 * Lines that stand because too much is held are tried again once there is room. Errors: `nothing-held` where nothing fits
 * the selection; `reason-missing` where a deletion does not say why. Then nothing has changed.
 */
export function decideHeld(store: ReplicaStore, request: HeldRequest): Result<HeldOutcome, HeldError> {
  if (request.action === 'delete' && request.because.trim() === '')
    return err({
      code: 'reason-missing',
      message:
        'Say why these changes are to be deleted: they are gone from this replica, and the journal keeps the reason.',
    });
  const chosen = selectHeld(store, request.selection).filter((change) => fits(request, change));
  // A drain may find everything in its place.
  if (chosen.length === 0 && request.action !== 'drain') return err(nothingHeld(request));
  // Before they are gone: it tells their keys.
  const detail = [...byTable(chosen)]
    .map(([table, changes]) => heldSentence(store, table, changes))
    .join('; ');
  const left = ACTIONS[request.action](store, chosen, request);
  retryHeldLimit(store);
  const still = new Set(selectHeld(store, request.selection).map(({ n }) => n));
  return ok({
    action: request.action,
    changes: chosen.length,
    rows: rowsIn(chosen),
    drained: request.action === 'delete' ? 0 : chosen.filter(({ n }) => !still.has(n)).length,
    left,
    detail,
  });
}

/** What is quarantined goes in only where a person releases it, or names it for a drain. */
function fits({ action, selection }: HeldRequest, { isQuarantined }: SelectedChange): boolean {
  if (action === 'delete') return true;
  if (action === 'drain') return !isQuarantined || isNamed(selection);
  return (action === 'release') === isQuarantined;
}

const isNamed = ({ ids, table }: HeldSelection): boolean => ids !== undefined || table !== undefined;

function nothingHeld({ action, selection }: HeldRequest): HeldError {
  const { ids, table, reason } = selection;
  const what = [
    ...(ids === undefined
      ? []
      : [`with ${ids.length === 1 ? 'the number' : 'the numbers'} ${ids.join(', ')}`]),
    ...(table === undefined ? [] : [`of ${table}`]),
    ...(reason === undefined ? [] : [`for the reason ${reason}`]),
  ].join(' ');
  const quarantined = action === 'release' ? 'quarantined' : 'held';
  return {
    code: 'nothing-held',
    message: `Nothing ${what === '' ? '' : `${what} `}is ${quarantined} here, so there is nothing to ${action}.`,
  };
}

type Act = (
  store: ReplicaStore,
  chosen: readonly SelectedChange[],
  request: HeldRequest,
) => readonly HeldLeft[];

const ACTIONS: Readonly<Record<HeldAction, Act>> = {
  quarantine: (store, chosen, request) => {
    store.db.transaction(() => {
      setQuarantined(store, chosen, true);
      journal(store, chosen, request);
    });
    return [];
  },
  release: (store, chosen, request) => {
    runAdmission(store, { via: null, acceptsOwn: true }, (admission) => {
      journal(store, chosen, request);
      setQuarantined(store, chosen, false);
      drainChosen(admission, numbersOf(chosen));
    });
    return leftOf(store, request, []);
  },
  drain: (store, chosen, request) => {
    const notAdopted = adoptChosen(store, chosen, request);
    runAdmission(store, { via: null, acceptsOwn: true }, (admission) => {
      const quarantined = chosen.filter(({ isQuarantined }) => isQuarantined);
      setQuarantined(store, quarantined, false);
      drainRest(admission, chosen);
      // What did not go in stays where the person put it.
      setQuarantined(store, quarantined, true);
    });
    return leftOf(store, request, notAdopted);
  },
  delete: (store, chosen, request) => {
    store.db.transaction(() => {
      journal(store, chosen, request);
      rememberDeleted(store, numbersOf(chosen));
      deleteHeld(store, 'n in (select value from json_each(?))', JSON.stringify(numbersOf(chosen)));
    });
    return [];
  },
};

const numbersOf = (changes: readonly SelectedChange[]): readonly number[] => changes.map(({ n }) => n);

function setQuarantined(
  { db }: ReplicaStore,
  chosen: readonly SelectedChange[],
  isQuarantined: boolean,
): void {
  db.prepare<unknown[]>(
    'update _concord_held set quarantined = ? where n in (select value from json_each(?))',
  ).run(BigInt(isQuarantined ? 1 : 0), JSON.stringify(numbersOf(chosen)));
}

/** An entry per table, before its changes are touched: it tells their keys. */
function journal(store: ReplicaStore, chosen: readonly SelectedChange[], request: HeldRequest): void {
  const fingerprint = readFingerprint(store);
  for (const [table, changes] of byTable(chosen)) {
    writeJournal(store, {
      who: request.who,
      because: request.because,
      option: `${request.action}Held`,
      object: table,
      conflictId: null,
      fingerprintBefore: fingerprint,
      fingerprintAfter: fingerprint,
      detail: heldSentence(store, table, changes),
    });
  }
}

/** What belongs to a dropped life goes into the table of that name only where a person says which. */
function adoptChosen(
  store: ReplicaStore,
  chosen: readonly SelectedChange[],
  request: HeldRequest,
): readonly NotAdopted[] {
  if (!isNamed(request.selection)) return [];
  const dropped = chosen.filter(({ reason }) => reason === 'droppedTable');
  return [...byTable(dropped)].flatMap(([name, changes]): readonly NotAdopted[] => {
    const here = store.registry.byName(name);
    if (typeof here?.name !== 'string')
      return numbersOf(changes).map((n) => ({
        n,
        why: `The table was dropped, and there is no other of that name: create it, then drain again.`,
      }));
    return writeLocally(store, () => {
      journal(store, changes, request);
      return adoptDropped(store, here, numbersOf(changes));
    });
  });
}

function drainRest(admission: Admission, chosen: readonly SelectedChange[]): void {
  // A name may have come free for a migration that was set aside.
  admission.namesFreed = true;
  drainChosen(
    admission,
    chosen.flatMap(({ n, reason }) => (reason === 'droppedTable' ? [] : [n])),
  );
}

/** What is held still of the selection, by table and reason. */
function leftOf(
  store: ReplicaStore,
  { selection }: HeldRequest,
  notAdopted: readonly NotAdopted[],
): readonly HeldLeft[] {
  const whys = new Map(notAdopted.map(({ n, why }) => [n, why]));
  const groups = new Map<string, HeldLeft>();
  for (const { n, table, reason, isQuarantined } of selectHeld(store, selection)) {
    if (isQuarantined && !isNamed(selection)) continue;
    const why = whys.get(n) ?? WHY[reason];
    const name = JSON.stringify([table, reason, why]);
    const known = groups.get(name);
    groups.set(name, { table, reason, why, changes: (known?.changes ?? 0) + 1 });
  }
  return [...groups.values()];
}

/** Why a change is held still, and what would help. */
const WHY: Readonly<Record<HeldReason, string>> = {
  unknownTable:
    'Its table is not here: it comes with the schema change that creates it, by a peer that has it.',
  unknownColumn:
    'Its column is not here: it comes with the schema change that adds it, by a peer that has it.',
  droppedTable:
    'Its table was dropped without knowing of it. Drain it by the name of its table to write it into the one that has the name now.',
  uniqueCollision: 'Another row has its unique key. Change or delete that row, or change this one.',
  notNull: 'It has no value for a column that demands one, or its row is not here. It goes in once it has.',
  refusedValue: 'The table here refuses a value of it. Change the type or the expression, or change the row.',
  setAside: 'Its object was set aside. It goes in once that is decided or the name is free.',
};
