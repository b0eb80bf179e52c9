import type { Migration } from '#shared/model/change-group.ts';
import type { Verdict } from '#shared/model/vocabulary.ts';

import { decideVerdict, type MigrationVerdict } from '../engine/migration/decide-verdict.ts';
import { splitStatements } from '../sql/split-statements.ts';
import { adoptWaiting } from './adopt-waiting.ts';
import type { Admission } from './admission-context.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { conflictOf } from './blocked-batches.ts';
import { refusalOfConflict } from './blocked-conflict.ts';
import { holdMigration } from './held-facts.ts';
import { isOfUnknownCreations, liveTable } from './live-table.ts';
import { catalogFacts } from './migration-catalog-facts.ts';
import { endDroppedLives, keepDropInMind } from './migration-drop.ts';
import { alterByRecord, executeMigration, retireOvertaken } from './migration-execute.ts';
import { unifyLife, unifyTwin } from './migration-twins.ts';
import { decisionAnswering, recordedFacts, recordedFactsOfUnknown } from './recorded-facts.ts';
import { settleChildren } from './settle-children.ts';
import { settleParked } from './parked-objects.ts';
import { noteDrift } from './shape-drift.ts';
import { doesAnything, planSettling } from './settle-table.ts';
import { trackDroppedColumn } from './track-table.ts';
import { restoreTriggers } from './silence-triggers.ts';
import { nameInUnit, renamedTwinsFirst, renamesInUnit, withoutEarlyRenames } from './unit-names.ts';
import { uniteLives } from './unite-tables.ts';
import { endAnsweredAside } from './end-answered-aside.ts';
import { showByRecord } from './view-execute.ts';
import { makeWaitingIndexes } from './waiting-indexes.ts';
import { isCoveredBy, redefinitionsAnswering } from './redefinition-lineage.ts';
import { targetOf } from './redefinition-target.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * Takes migrations of a unit in, in the order given.
 *
 * Throws `AdmissionRefused` on a conflict, so that the whole unit rolls back and nothing is recorded as converged.
 */
export function admitMigrations(admission: Admission, migrations: readonly Migration[]): void {
  for (const migration of renamedTwinsFirst(admission.store, migrations)) {
    const before = namesOf(admission, migration);
    admitMigration(admission, migration, withoutEarlyRenames(admission, migration, migrations));
    makeWaitingIndexes(admission, migration);
    settleChildren(admission, migration);
    endAnsweredAside(admission, migration);
    showByRecord(admission, migration);
    // What a migration does to a table, it does to the triggers and views that name it too.
    restoreTriggers(admission);
    settleParked(admission.store, [...before, ...namesOf(admission, migration), ...admission.endedNames]);
    admission.endedNames.clear();
    if (migration.kind === 'table') noteDrift(admission.store, migration.tableId);
  }
}

function namesOf({ store }: Admission, { object, mentions, tableId }: Migration): readonly string[] {
  const now = tableId === null ? null : (store.registry.byId(tableId)?.name ?? null);
  return [object, ...(now === null ? [] : [now]), ...mentions.map(({ name }) => name)];
}

function admitMigration(admission: Admission, migration: Migration, unit: readonly Migration[]): void {
  const { store } = admission;
  if (store.migrations.has(migration.id)) return;
  if (isSetAside(store, migration)) {
    holdMigration(admission, migration);
    return;
  }
  const verdict = verdictOf(admission, migration, unit);
  if (verdict.verdict === 'conflict') refuseOrHold(admission, { migration, unit }, verdict);
  else if (isAlteration(migration)) admitAlteration(admission, { migration, verdict, unit });
  else if (verdict.verdict === 'execute' || verdict.verdict === 'executeAndReveal') {
    executeMigration(admission, migration, unit);
    endDroppedLives(admission, migration);
    if (migration.type === 'redefine_table') uniteLives(admission, migration);
  } else {
    recordOutcome(admission, migration, decided(verdict));
    if (BRINGS_TABLE.has(migration.type)) uniteLives(admission, migration);
  }
}

/** It comes again in its turn, when the name may be free. */
const isEarlyRename = ({ outOfTurn }: Admission, { id, type }: Migration): boolean =>
  outOfTurn.has(id) && (type === 'rename_table' || type === 'rename_column');

const isSetAside = (store: ReplicaStore, { tableId, type }: Migration): boolean =>
  tableId !== null && store.setAside().has(tableId) && type !== 'create_table' && type !== 'redefine_table';

/** What changes a table's shape and neither makes nor ends the table. */
const isAlteration = ({ kind, type }: Migration): boolean =>
  kind === 'table' && type !== 'create_table' && type !== 'drop_table' && type !== 'redefine_table';

/**
 * An alteration takes effect as far as the record of the table changes by it: what has lost, or is so already, changes
 * nothing, and a twin may change what it differs in.
 */
function admitAlteration(
  admission: Admission,
  {
    migration,
    verdict,
    unit,
  }: {
    readonly migration: Migration;
    readonly verdict: MigrationVerdict;
    readonly unit: readonly Migration[];
  },
): void {
  const { store } = admission;
  const table = liveTable(store, migration);
  if (migration.type === 'add_column') unifyAdded(store, migration, verdict);
  const isWarning = verdict.verdict === 'convergeWithWarning';
  const plan =
    table === null || isWarning
      ? null
      : planSettling(store, table, [migration, ...renamesInUnit(store, migration, unit)]);
  if (plan !== null && doesAnything(plan)) {
    alterByRecord(admission, migration, { unit, plan });
    return;
  }
  recordOutcome(admission, migration, decided(verdict));
  // What a decision's shape lacks is unknown here, not gone: its values wait, and a later decision may leave it in.
  const isLeftOut = migration.type === 'add_column' && decisionAnswering(store, migration) !== null;
  if (table !== null && !isLeftOut) keepColumnInMind(store, migration, table);
}

/** What is to be added anew has no twin here, whatever has the name that it was added under. */
function unifyAdded(store: ReplicaStore, migration: Migration, verdict: MigrationVerdict): void {
  if (verdict.verdict === 'execute' && verdict.step.kind === 'run') return;
  unifyTwin(store, migration, {
    twinOf: 'twinOf' in verdict ? verdict.twinOf : null,
    isHere: verdict.verdict !== 'execute',
    mayBeNamed: !isEnded(store, verdict),
  });
}

/** Whether a drop goes before it, recorded or in its unit. */
function isEnded(store: ReplicaStore, verdict: MigrationVerdict): boolean {
  if (verdict.verdict !== 'superseded') return false;
  const by = store.migrations.byId(verdict.by)?.migration.type;
  return by === undefined || by === 'drop_column' || by === 'drop_table';
}

/** A column that is gone before it came: late values of it are known by that. */
function keepColumnInMind(store: ReplicaStore, { type, columns }: Migration, table: TrackedTable): void {
  const [column] = columns;
  if (column === undefined || (type !== 'add_column' && type !== 'drop_column')) return;
  if (store.registry.ordinalOf(store.trackedTable(table.tbl), column.id) !== null) return;
  trackDroppedColumn(store.db, { tbl: table.tbl, id: column.id });
  store.registry.invalidate();
}

type Outcome = Extract<
  MigrationVerdict,
  { readonly verdict: 'alreadyApplied' | 'superseded' | 'convergeWithWarning' }
>;

/** An alteration that was to run and that the record makes nothing of is there already. */
const decided = (verdict: MigrationVerdict): Outcome =>
  verdict.verdict === 'alreadyApplied' ||
  verdict.verdict === 'superseded' ||
  verdict.verdict === 'convergeWithWarning'
    ? verdict
    : { verdict: 'alreadyApplied' };

function verdictOf(admission: Admission, migration: Migration, unit: readonly Migration[]): MigrationVerdict {
  const { store } = admission;
  const isBlank = splitStatements(migration.ddl).length === 0;
  const answer = isAlteration(migration) && !isBlank ? decisionAnswering(store, migration) : null;
  if (answer !== null) return { verdict: 'superseded', by: answer.id, twinOf: null, ends: [] };
  // A decision about tables that never were here is what makes the table.
  const isCreation = migration.type === 'redefine_table' && isOfUnknownCreations(store, migration);
  const table = liveTable(store, migration);
  return decideVerdict({
    recorded: (isCreation ? recordedFactsOfUnknown : recordedFacts)(store, migration, unit),
    isBlank,
    readCatalog: () =>
      catalogFacts(store, isCreation ? { ...migration, type: 'create_table' } : migration, {
        changes: () => table !== null && planSettling(store, table, [migration]).actions.length > 0,
        name: nameInUnit(store, migration, unit),
      }),
    place: { mayWait: false, laterTypeHolds: store.settings.columnTypeConflict === 'lastWriterWins' },
  });
}

function refuseOrHold(
  admission: Admission,
  { migration, unit }: { readonly migration: Migration; readonly unit: readonly Migration[] },
  conflict: Extract<MigrationVerdict, { readonly verdict: 'conflict' }>,
): void {
  if (isEarlyRename(admission, migration)) return;
  const { store } = admission;
  const { tableId } = migration;
  const goesAside =
    tableId !== null && (store.setAside().has(tableId) || store.settings.onDivergence === 'setAside');
  if (!goesAside) {
    // What it is renamed to in its unit collides by that rename, as the other side finds it.
    const rename = conflict.cause === 'nameCollision' ? renamesInUnit(store, migration, unit).at(-1) : null;
    const refusal = refusalOfConflict(store, rename ?? migration, conflict);
    const [answer] = redefinitionsAnswering(store, [conflictOf(store, refusal)]);
    if (answer === undefined) throw new AdmissionRefused(refusal);
    // Somebody has answered this very conflict: the shape that was chosen is here, and is this table too.
    unifyTwin(store, migration, { twinOf: null, isHere: true });
    recordOutcome(admission, migration, {
      verdict: 'superseded',
      by: answer.migration.id,
      twinOf: null,
      ends: [],
    });
    return;
  }
  store.putAside({ tableId, object: migration.object, conflictId: null });
  holdMigration(admission, migration);
}

const VERDICT_NAMES: Readonly<Record<'alreadyApplied' | 'superseded' | 'convergeWithWarning', Verdict>> = {
  alreadyApplied: 'alreadyApplied',
  superseded: 'superseded',
  convergeWithWarning: 'convergedWithWarning',
};

function recordOutcome(admission: Admission, migration: Migration, verdict: Outcome): void {
  const { store } = admission;
  const tbl = unifyTwin(store, migration, {
    twinOf: 'twinOf' in verdict ? verdict.twinOf : null,
    isHere: verdict.verdict === 'alreadyApplied',
    mayBeNamed: !isEnded(store, verdict),
  });
  const { n, seq } = store.migrations.record({
    migration,
    verdict: VERDICT_NAMES[verdict.verdict],
    reason: reasonOf(verdict),
    tbl,
    via: admission.via,
    nowMs: store.ports.clock.nowMs(),
    inForce: verdict.verdict !== 'superseded' || isStillSent(store, migration, verdict),
  });
  if (migration.type === 'drop_table') keepInMind(admission, migration, { n, tbl });
  // What has lost brings nothing about: what it lost to may be still to come in the unit.
  const isSo = verdict.verdict === 'alreadyApplied' && tbl !== null && BRINGS_TABLE.has(migration.type);
  if (isSo) adoptWaiting(admission, tbl, seq);
  if (verdict.verdict !== 'convergeWithWarning') endDroppedLives(admission, migration);
  if (isSo && migration.type === 'redefine_table') followDecision(store, migration, tbl);
  admission.report.migrations += 1;
}

/** A drop of a table that never was here, or that another one has dropped: it may have known of what that one did not. */
function keepInMind(
  admission: Admission,
  drop: Migration,
  { n, tbl }: { readonly n: number; readonly tbl: number | null },
): void {
  keepDropInMind(admission, drop, n);
  if (tbl !== null && admission.store.trackedTable(tbl).name === null) admission.changedTables.add(tbl);
}

/** A decision whose shape is here already still says what is one and what is overtaken. */
function followDecision(store: ReplicaStore, decision: Migration, tbl: number): void {
  const table = store.trackedTable(tbl);
  const { kept } = targetOf(store, { migration: decision, table });
  retireOvertaken(store, { by: decision, tbl, kept });
  unifyLife(store, decision, table);
}

/**
 * What lost is sent no more, but for what a decision has answered, for a later decision may not have known of it, and for a
 * decision: others learn by it which tables are one, unless the later decision that it lost to says so too.
 */
function isStillSent(store: ReplicaStore, migration: Migration, verdict: MigrationVerdict): boolean {
  if (verdict.verdict !== 'superseded') return false;
  const by = store.migrations.byId(verdict.by)?.migration;
  const { type } = migration;
  // One that another creation hides shows again once that is dropped.
  if (type === 'create_view' || type === 'create_trigger') return by?.type === type;
  const isByDecision = by?.type === 'redefine_table';
  if (type !== 'redefine_table') return isByDecision && isAlteration(migration);
  return !isByDecision || !isCoveredBy(migration, by);
}

const BRINGS_TABLE: ReadonlySet<Migration['type']> = new Set(['create_table', 'redefine_table']);

function reasonOf(verdict: Outcome): string {
  if (verdict.verdict === 'convergeWithWarning') return verdict.reason;
  return 'by' in verdict ? `by ${verdict.by}` : 'the catalog was in this state already';
}
