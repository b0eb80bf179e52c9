import type { AlterAction, AlterTableStatement, TableDefinition } from '../sql/ast.ts';
import { applyAlteration } from '../sql/apply-alteration.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { createAdmission } from '../store/admission-context.ts';
import { AdmissionRefused } from '../store/admission-refused.ts';
import { keepsIdentity } from '../store/alter-identity.ts';
import { watchReferences } from '../store/alter-references.ts';
import { alterTable } from '../store/alter-table.ts';
import { RebuildNeeded } from '../store/alter-reshape.ts';
import { recordAlteration } from '../store/catalog-alteration.ts';
import { hasBroken } from '../store/broken-objects.ts';
import { takeUpSchema } from '../store/catalog-take-up.ts';
import { doubtTakenUp } from '../store/taken-catalog.ts';
import { waitingTables } from '../store/held-entries.ts';
import { currentDefinition } from '../store/live-table.ts';
import { markFolded } from '../store/log-fold.ts';
import { foldOpenGroup } from '../store/fold-open-group.ts';
import { settleParked } from '../store/parked-objects.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { planSettling } from '../store/settle-table.ts';
import type { TrackedTable } from '../store/table-registry.ts';

/** An alteration that Concord does itself: of a table that it keeps track of, and whose definition it can read. */
export interface OwnAlterTable {
  readonly table: TrackedTable;
  readonly statement: AlterTableStatement;
  readonly before: TableDefinition;
}

/** Reads ALTER TABLE, of SQLite's own or of Concord's dialect; null where it cannot be read. */
export function parseAlterTable(text: string): AlterTableStatement | null {
  const parsed = parseDdl(text);
  return parsed.ok && parsed.value.kind === 'alterTable' ? parsed.value : null;
}

/** What a statement is to alter; null where SQLite is to have the word, on tables that never replicate. */
export function readAlterTable(store: ReplicaStore, statement: AlterTableStatement): OwnAlterTable | null {
  if (statement.schema !== undefined && !isSameName(statement.schema, 'main')) return null;
  const table = store.registry.byName(statement.table);
  if (typeof table?.name !== 'string') return null;
  const before = currentDefinition(store, table.name);
  return before === null ? null : { table, statement, before };
}

/**
 * Alters a table and records it as one migration. Runs in a local write transaction, after what was written before it
 * in the same transaction; with foreign keys on it refuses what only a rebuild can do to a table that others refer to.
 *
 * Errors: `AdmissionRefused`, with the sentence of what is wrong; SQLite's own where it does the work.
 */
export function alterHere(
  store: ReplicaStore,
  { table, statement, before }: OwnAlterTable,
  { mayRebuild = true }: { readonly mayRebuild?: boolean } = {},
): void {
  const { action } = statement;
  // SQLite would look at all rows, and held ones that come in with the alteration may lack a parent.
  if (!mayRebuild && (before.strict || waitingTables(store.db).length > 0)) throw new RebuildNeeded();
  const applied = applyAlteration(before, action);
  if (!applied.ok) throw refused(before.name, applied.error.message);
  const isRekeyed = !keepsIdentity(before, applied.value);
  // Lives go by keys: what was written under the old one must be among them.
  if (isRekeyed) foldOpenGroup(store);
  const checkReferences = watchReferences(store.db, before.name, action);
  const { seq, column } = recordAlteration(store, { table, action, before, after: applied.value });
  alterTable(createAdmission(store, null, { acceptsOwn: true }), {
    table,
    actions: [byRecord(store, table, action)],
    columnId: () => column,
    addedSeq: seq,
    isLocal: true,
    mayRebuild,
  });
  checkReferences();
  if (isRekeyed) markFolded(store.db, store.logWriter.head());
  settleParked(store, [before.name, applied.value.name]);
  // What was broken may stand now, and is found by the whole comparison alone.
  if (hasBroken(store)) doubtTakenUp(store);
  takeUpSchema(store);
}

/** A key as the record has it by now: one that comes back to what the table was made with is AUTOINCREMENT again. */
function byRecord(store: ReplicaStore, table: TrackedTable, action: AlterAction): AlterAction {
  if (action.kind !== 'alterPrimaryKey') return action;
  return planSettling(store, table).actions.find(({ kind }) => kind === 'alterPrimaryKey') ?? action;
}

/**
 * Runs an alteration that is a transaction of its own, with foreign keys off where it may rebuild the table: a rebuild with
 * them on would empty the tables that refer to this one. To switch them makes SQLite compile every statement anew, so what
 * it seems to do by itself is tried with them on first. Leaves no transaction open.
 */
export function alterAlone<T>(
  store: ReplicaStore,
  statement: AlterTableStatement | null,
  run: (options: { readonly mayRebuild: boolean }) => T,
): T {
  if (statement !== null && isDoneInPlace(statement.action)) {
    try {
      return abandoning(store, () => run({ mayRebuild: false }));
    } catch (cause) {
      if (!(cause instanceof RebuildNeeded)) throw cause;
    }
  }
  store.enforceConstraints(false);
  try {
    return abandoning(store, () => run({ mayRebuild: true }));
  } finally {
    store.enforceConstraints(true);
  }
}

/** Rolls back what is still open after it: inside of a transaction foreign keys cannot be switched. */
function abandoning<T>(store: ReplicaStore, run: () => T): T {
  try {
    return run();
  } finally {
    if (store.db.inTransaction()) {
      store.db.exec('rollback');
      store.forgetReads();
    }
  }
}

/** What SQLite most often does without a look at a row, so that no foreign key and no CHECK has a say. */
function isDoneInPlace(action: AlterAction): boolean {
  if (action.kind !== 'addColumn') return DONE_IN_PLACE.has(action.kind);
  const { checks, references, generated, primaryKey, uniques } = action.column;
  return (
    checks.length + references.length + uniques.length === 0 &&
    generated === undefined &&
    primaryKey === undefined
  );
}

const DONE_IN_PLACE: ReadonlySet<AlterAction['kind']> = new Set([
  'renameColumn',
  'renameTable',
  'dropColumn',
]);

const refused = (object: string, message: string): AdmissionRefused =>
  new AdmissionRefused({ cause: 'refusedStatement', object, message });
