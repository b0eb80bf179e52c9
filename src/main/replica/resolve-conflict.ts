import { err, ok, type Result } from '#shared/result.ts';
import type { Migration } from '#shared/model/change-group.ts';
import type { ConflictId, SiteId } from '#shared/model/ids.ts';
import type { ResolutionPreview, ShapePreview } from '#shared/model/views.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import { canonicalTable } from '../sql/canonical-table.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { runAdmission } from '../store/admission-group.ts';
import { AdmissionRefused } from '../store/admission-refused.ts';
import { optionsFor, readBlocked, readBlockedUnit, type BlockedRow } from '../store/blocked-batches.ts';
import { freeLine } from '../store/blocked-line.ts';
import { mentionsOf } from '../store/catalog-mentions.ts';
import { writeJournal } from '../store/decision-journal.ts';
import { executeMigration } from '../store/migration-execute.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { previewShape } from '../store/resolve-preview.ts';
import { arrivingMigration, planFor, sidesOf } from '../store/resolve-sides.ts';
import { readFingerprint } from '../store/catalog-fingerprint.ts';
import { retryBlocked } from './admit-page.ts';
import type { AdmissionReport, ResolveError, ResolveReport, ResolveRequest } from './replica.ts';

/**
 * Carries out an operator's answer to a conflict, journals it, and tries the lines again that it frees.
 *
 * Errors: `no-such-conflict` when nothing here is blocked on it (any more); `option-does-not-fit` for its cause;
 * `not-supported-yet`; `resolution-failed` with SQLite's reason, and then nothing has changed.
 */
export function resolveConflict(
  store: ReplicaStore,
  request: ResolveRequest,
): Result<ResolveReport, ResolveError> {
  // What came since may have settled it, a drop of the other side's table for one.
  for (const { site, conflictId } of readBlocked(store)) {
    if (conflictId === request.conflictId) retryBlocked(store, site);
  }
  const found = findBlocked(store, request.conflictId, request.option);
  if (!found.ok) return found;
  const rows = found.value;
  const [row] = rows;
  if (row === undefined) return noSuchConflict(request.conflictId);
  const fingerprintBefore = readFingerprint(store);
  try {
    carryOut(store, rows, { ...request, object: objectOf(row), fingerprintBefore });
  } catch (cause) {
    if (!(cause instanceof AdmissionRefused)) throw cause;
    return err({ code: 'resolution-failed', message: cause.refusal.message });
  }
  const admission = rows.map(({ site }) => retryBlocked(store, site)).reduce(sum);
  return ok({
    conflictId: request.conflictId,
    option: request.option,
    fingerprintBefore,
    fingerprintAfter: readFingerprint(store),
    admission,
  });
}

/** What the journal calls it: of what lies in a peer, the peer. */
const objectOf = ({ refusal }: BlockedRow): string => refusal.about ?? refusal.object;

function carryOut(store: ReplicaStore, rows: readonly BlockedRow[], journal: JournalFacts): void {
  const { option } = journal;
  const [row] = rows;
  if (row === undefined) return;
  if (option === 'takeRemote' || option === 'keepLocal') redefine(store, row, { ...journal, option });
  else if (option === 'setAside') setAside(store, row, journal);
  else noteOnly(store, rows, journal);
}

/** Runs an answer on a scratch copy and counts; changes nothing. */
export function previewResolution(
  store: ReplicaStore,
  conflictId: ConflictId,
  option: ResolutionOption,
): Result<ResolutionPreview, ResolveError> {
  const found = findBlocked(store, conflictId, option);
  if (!found.ok) return found;
  const [row] = found.value;
  if (row === undefined) return noSuchConflict(conflictId);
  const shape = shapeOf(store, row, option);
  return ok({
    ...shape.preview,
    conflictId,
    option,
    object: row.refusal.object,
    changesLocalShape: shape.changesLocal,
    changesRemoteShape: shape.changesRemote,
    unitFacts: row.unitFacts,
    behindChanges: Math.max(0, row.peerHead - row.unitSeq),
  });
}

/** What the rows of a table here would go through under a shape that is chosen elsewhere. */
export function previewTableShape(
  store: ReplicaStore,
  name: string,
  targetDdl: string,
): Result<ShapePreview, ResolveError> {
  const table = store.registry.byName(name);
  const parsed = parseDdl(targetDdl);
  if (table === null) return err({ code: 'no-such-conflict', message: `There is no table ${name} here.` });
  if (!parsed.ok || parsed.value.kind !== 'createTable') {
    return err({
      code: 'resolution-failed',
      message: `The shape for ${name} cannot be read: ${targetDdl.slice(0, 200)}`,
    });
  }
  return ok(previewShape(store.db, table, parsed.value.table));
}

interface ShapeOutcome {
  readonly preview: ShapePreview;
  readonly changesLocal: boolean;
  readonly changesRemote: boolean;
}

function shapeOf(store: ReplicaStore, row: BlockedRow, option: ResolutionOption): ShapeOutcome {
  const conflict = sidesOf(store, row);
  if (conflict === null || (option !== 'takeRemote' && option !== 'keepLocal')) {
    return { preview: unchanged(row), changesLocal: false, changesRemote: false };
  }
  const { target } = planFor(conflict, option);
  return {
    preview: previewShape(store.db, conflict.table, target),
    changesLocal: !compareTables(conflict.local.definition, target).equal,
    changesRemote: !compareTables(conflict.remote.definition, target).equal,
  };
}

const unchanged = (row: BlockedRow): ShapePreview => ({
  resultDdl: row.refusal.localDdl ?? '',
  rows: 0,
  rowsConverted: 0,
  lossyCasts: 0,
  lossyExamples: [],
  cellsHeld: [],
  rowsHeld: 0,
});

function findBlocked(
  store: ReplicaStore,
  conflictId: ConflictId,
  option: ResolutionOption,
): Result<readonly BlockedRow[], ResolveError> {
  const rows = readBlocked(store).filter((row) => row.conflictId === conflictId);
  const [first] = rows;
  if (first === undefined) return noSuchConflict(conflictId);
  if (option === 'merge' || option === 'renameLocalAside' || option === 'skip') {
    return err({
      code: 'not-supported-yet',
      message: `${option} is not supported yet. Take remote, keep local, set aside or retry.`,
    });
  }
  if (optionsFor(first).includes(option)) return ok(rows);
  return err({
    code: 'option-does-not-fit',
    message: `${option} does not fit ${first.refusal.cause} of ${first.refusal.object}. Possible: ${optionsFor(first).join(', ')}.`,
  });
}

const noSuchConflict = (conflictId: ConflictId): { readonly ok: false; readonly error: ResolveError } =>
  err({
    code: 'no-such-conflict',
    message: `Nothing here is blocked on conflict ${conflictId}. Somebody may have decided it already.`,
  });

interface JournalFacts extends ResolveRequest {
  readonly object: string;
  readonly fingerprintBefore: string;
}

/** Plans and does it in one transaction, after what other programs did to the table has been noticed in it. */
function redefine(
  store: ReplicaStore,
  row: BlockedRow,
  journal: JournalFacts & { readonly option: 'takeRemote' | 'keepLocal' },
): void {
  runAdmission(store, { via: null, acceptsOwn: true }, (admission) => {
    const decision = planDecision(store, row, journal.option);
    executeMigration(admission, store.newMigration(decision, knowledgeBeside(store, row)));
    writeJournal(store, { ...journal, fingerprintAfter: readFingerprint(store) });
  });
}

function planDecision(
  store: ReplicaStore,
  row: BlockedRow,
  option: 'takeRemote' | 'keepLocal',
): Parameters<ReplicaStore['newMigration']>[0] {
  const conflict = sidesOf(store, row);
  if (conflict === null) {
    throw new AdmissionRefused({
      cause: row.refusal.cause,
      object: row.refusal.object,
      message: `${row.refusal.object} is not here in a shape that can be changed. Retry.`,
    });
  }
  const { target, redefinition } = planFor(conflict, option);
  const name = conflict.table.name ?? target.name;
  const table = { ...target, name };
  // Of its own columns the decision says the IDs itself.
  const parents = mentionsOf(store, {
    kind: 'createTable',
    temporary: false,
    ifNotExists: false,
    table,
  }).filter((mention) => mention.table !== conflict.table.id);
  return {
    type: 'redefine_table',
    kind: 'table',
    object: name,
    element: null,
    tableId: redefinition.creations[0]?.table ?? conflict.table.id,
    columns: [],
    ddl: canonicalTable(table),
    mentions: parents,
    redefine: redefinition,
  };
}

/** What a decision knows: of the changes that wait in the blocked unit it has seen the names at most. */
function knowledgeBeside(store: ReplicaStore, { site }: BlockedRow): Migration['knew'] {
  const knew: Record<SiteId, bigint> = { ...store.sites.highest(), [store.site]: store.clock.last() };
  const waiting = readBlockedUnit(store, site)?.groups.flatMap(({ migrations }) => migrations) ?? [];
  for (const { id, stamp } of waiting) {
    const known = knew[stamp.site];
    if (known !== undefined && known >= stamp.hlc && !store.migrations.has(id))
      knew[stamp.site] = stamp.hlc - 1n;
  }
  return knew;
}

function setAside(store: ReplicaStore, row: BlockedRow, journal: JournalFacts): void {
  const arriving = arrivingMigration(store, row);
  const tableId = arriving?.tableId ?? null;
  if (tableId === null)
    throw new AdmissionRefused({
      cause: row.refusal.cause,
      object: row.refusal.object,
      message: `${row.refusal.object} has no table that could be set aside. Retry.`,
    });
  runAdmission(store, { via: null }, () => {
    store.putAside({ tableId, object: row.refusal.object, conflictId: row.conflictId });
    writeJournal(store, { ...journal, fingerprintAfter: journal.fingerprintBefore });
  });
}

/** A line that stood because of its peer is free until the peer is asked again: what is to be done is done to the peer's file. */
function noteOnly(store: ReplicaStore, rows: readonly BlockedRow[], journal: JournalFacts): void {
  store.db.transaction(() => {
    for (const { site } of rows) freeLine(store, site);
    writeJournal(store, { ...journal, fingerprintAfter: journal.fingerprintBefore });
  });
}

const sum = (left: AdmissionReport, right: AdmissionReport): AdmissionReport => ({
  admittedGroups: left.admittedGroups + right.admittedGroups,
  factsApplied: left.factsApplied + right.factsApplied,
  factsSuperseded: left.factsSuperseded + right.factsSuperseded,
  factsHeld: left.factsHeld + right.factsHeld,
  migrations: left.migrations + right.migrations,
  blocked: right.blocked ?? left.blocked,
});
