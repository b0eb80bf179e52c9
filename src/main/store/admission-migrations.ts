import type { Migration } from '#shared/model/change-group.ts';
import type { Verdict } from '#shared/model/vocabulary.ts';

import { decideVerdict, type MigrationVerdict } from '../engine/migration/decide-verdict.ts';
import type { Admission } from './admission-context.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { conflictOf } from './blocked-batches.ts';
import { refusalOfConflict } from './blocked-conflict.ts';
import { holdMigration } from './held-facts.ts';
import { catalogFacts, isOfUnknownCreations } from './migration-catalog-facts.ts';
import { endDroppedLives, keepDropInMind } from './migration-drop.ts';
import { executeMigration, retireOvertaken } from './migration-execute.ts';
import { unifyLife, unifyTwin } from './migration-twins.ts';
import { recordedFacts, recordedFactsOfUnknown } from './recorded-facts.ts';
import { isCoveredBy, readLineage, redefinitionsAnswering } from './redefinition-lineage.ts';
import { isAnswered, targetOf } from './redefinition-target.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * Takes migrations of a unit in, in the order given.
 *
 * Throws `AdmissionRefused` on a conflict, so that the whole unit rolls back and nothing is recorded as converged.
 */
export function admitMigrations(admission: Admission, migrations: readonly Migration[]): void {
  for (const migration of migrations) admitMigration(admission, migration, migrations);
}

function admitMigration(admission: Admission, migration: Migration, unit: readonly Migration[]): void {
  const { store } = admission;
  if (store.migrations.has(migration.id)) return;
  refuseUnsupported(migration);
  if (
    migration.tableId !== null &&
    store.setAside().has(migration.tableId) &&
    migration.type !== 'create_table'
  ) {
    holdMigration(admission, migration);
    return;
  }
  const verdict = verdictOf(admission, migration, unit);
  switch (verdict.verdict) {
    case 'conflict':
      refuseOrHold(admission, migration, verdict);
      return;
    case 'execute':
      executeMigration(admission, migration);
      endDroppedLives(admission, migration);
      return;
    case 'waitForRows':
    case 'executeAndReveal':
      // The unit's order was settled before, and views and triggers do not travel yet.
      throw new Error(`A ${migration.type} cannot have the verdict ${verdict.verdict}.`);
    default:
      recordOutcome(admission, migration, verdict);
  }
}

function verdictOf(admission: Admission, migration: Migration, unit: readonly Migration[]): MigrationVerdict {
  const { store } = admission;
  const { tableId } = migration;
  const table = tableId === null ? null : store.registry.byId(tableId);
  const answered =
    migration.type === 'add_column' && table !== null ? answerOf(store, migration, table) : null;
  if (answered !== null) return answered;
  // A decision about tables that never were here is what makes the table.
  const isCreation = migration.type === 'redefine_table' && isOfUnknownCreations(store, migration);
  return decideVerdict({
    recorded: (isCreation ? recordedFactsOfUnknown : recordedFacts)(store, migration, unit),
    isBlank: migration.ddl.trim() === '',
    readCatalog: () => catalogFacts(store, isCreation ? { ...migration, type: 'create_table' } : migration),
    place: { mayWait: false, laterTypeHolds: store.settings.columnTypeConflict === 'lastWriterWins' },
  });
}

/** A column that the decision in force about its table's shape knew of is there in that shape, or gone with it. */
function answerOf(store: ReplicaStore, migration: Migration, table: TrackedTable): MigrationVerdict | null {
  const decision = readLineage(store, table.tbl).redefinitions.at(-1)?.migration;
  if (decision === undefined || !isAnswered(decision, migration)) return null;
  return { verdict: 'superseded', by: decision.id, twinOf: null, ends: [] };
}

function refuseUnsupported(migration: Migration): void {
  const supported = [
    'create_table',
    'drop_table',
    'add_column',
    'create_index',
    'drop_index',
    'redefine_table',
  ];
  if (supported.includes(migration.type)) return;
  throw new AdmissionRefused({
    cause: 'refusedStatement',
    object: migration.object,
    kind: migration.kind,
    message: `${migration.object}: this build does not take in ${migration.type} yet. Bring this replica's host up to date.`,
  });
}

function refuseOrHold(
  admission: Admission,
  migration: Migration,
  conflict: Extract<MigrationVerdict, { readonly verdict: 'conflict' }>,
): void {
  const { store } = admission;
  const { tableId } = migration;
  const isSetAside =
    tableId !== null && (store.setAside().has(tableId) || store.settings.onDivergence === 'setAside');
  if (!isSetAside) {
    const refusal = refusalOfConflict(store, migration, conflict);
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

function recordOutcome(
  admission: Admission,
  migration: Migration,
  verdict: Extract<
    MigrationVerdict,
    { readonly verdict: 'alreadyApplied' | 'superseded' | 'convergeWithWarning' }
  >,
): void {
  const { store } = admission;
  const tbl = unifyTwin(store, migration, {
    twinOf: 'twinOf' in verdict ? verdict.twinOf : null,
    isHere: verdict.verdict === 'alreadyApplied',
  });
  const { n } = store.migrations.record({
    migration,
    verdict: VERDICT_NAMES[verdict.verdict],
    reason: reasonOf(verdict),
    tbl,
    via: admission.via,
    nowMs: store.ports.clock.nowMs(),
    inForce: verdict.verdict === 'alreadyApplied' || isStillSent(store, migration, verdict),
  });
  if (migration.type === 'drop_table') keepDropInMind(store, migration, n);
  if (verdict.verdict !== 'convergeWithWarning') endDroppedLives(admission, migration);
  if (migration.type === 'redefine_table' && verdict.verdict === 'alreadyApplied' && tbl !== null) {
    const table = store.trackedTable(tbl);
    retireOvertaken(store, { by: migration, tbl, kept: targetOf(store, { migration, table }).kept });
    unifyLife(store, migration, table);
  }
  admission.report.migrations += 1;
}

/**
 * What lost is sent no more, but for a decision: others learn by it which tables are one, unless the later decision that
 * it lost to says so too.
 */
function isStillSent(store: ReplicaStore, migration: Migration, verdict: MigrationVerdict): boolean {
  if (migration.type !== 'redefine_table' || verdict.verdict !== 'superseded') return false;
  const by = store.migrations.byId(verdict.by)?.migration;
  return by?.type !== 'redefine_table' || !isCoveredBy(migration, by);
}

function reasonOf(
  verdict: Extract<
    MigrationVerdict,
    { readonly verdict: 'alreadyApplied' | 'superseded' | 'convergeWithWarning' }
  >,
): string {
  if (verdict.verdict === 'convergeWithWarning') return verdict.reason;
  return 'by' in verdict ? `by ${verdict.by}` : 'the catalog was in this state already';
}
