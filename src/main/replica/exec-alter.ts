import type { AlterTableStatement, TableDefinition } from '../sql/ast.ts';
import { applyAlteration } from '../sql/apply-alteration.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { createAdmission } from '../store/admission-context.ts';
import { AdmissionRefused } from '../store/admission-refused.ts';
import { keepsIdentity } from '../store/alter-identity.ts';
import { watchReferences } from '../store/alter-references.ts';
import { alterTable } from '../store/alter-table.ts';
import { recordAlteration } from '../store/catalog-alteration.ts';
import { hasBroken } from '../store/broken-objects.ts';
import { takeUpSchema } from '../store/catalog-take-up.ts';
import { doubtTakenUp } from '../store/taken-catalog.ts';
import { currentDefinition } from '../store/live-table.ts';
import { markFolded } from '../store/log-fold.ts';
import { foldOpenGroup } from '../store/fold-open-group.ts';
import { settleParked } from '../store/parked-objects.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import type { TrackedTable } from '../store/table-registry.ts';

/** An alteration that Concord does itself: of a table that it keeps track of, and whose definition it can read. */
export interface OwnAlterTable {
  readonly table: TrackedTable;
  readonly statement: AlterTableStatement;
  readonly before: TableDefinition;
}

/**
 * Reads ALTER TABLE, of SQLite's own or of Concord's dialect. Null where SQLite is to have the word: on what cannot be
 * read, and on tables that never replicate.
 */
export function readAlterTable(store: ReplicaStore, text: string): OwnAlterTable | null {
  const parsed = parseDdl(text);
  if (!parsed.ok || parsed.value.kind !== 'alterTable') return null;
  const statement = parsed.value;
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
export function alterHere(store: ReplicaStore, { table, statement, before }: OwnAlterTable): void {
  const { action } = statement;
  const applied = applyAlteration(before, action);
  if (!applied.ok) throw refused(before.name, applied.error.message);
  const isRekeyed = !keepsIdentity(before, applied.value);
  // Lives go by keys: what was written under the old one must be among them.
  if (isRekeyed) foldOpenGroup(store);
  const checkReferences = watchReferences(store.db, before.name, action);
  const { seq, column } = recordAlteration(store, { table, action, before, after: applied.value });
  alterTable(createAdmission(store, null, { acceptsOwn: true }), {
    table,
    actions: [action],
    columnId: () => column,
    addedSeq: seq,
    isLocal: true,
  });
  checkReferences();
  if (isRekeyed) markFolded(store.db, store.logWriter.head());
  settleParked(store, [before.name, applied.value.name]);
  // What was broken may stand now, and is found by the whole comparison alone.
  if (hasBroken(store)) doubtTakenUp(store);
  takeUpSchema(store);
}

/**
 * Runs an alteration that is a transaction of its own, with foreign keys off: a rebuild with them on would empty the
 * tables that refer to this one. Leaves no transaction open.
 */
export function withoutForeignKeys<T>(store: ReplicaStore, run: () => T): T {
  store.enforceConstraints(false);
  try {
    return run();
  } finally {
    // Inside of a transaction the switch would do nothing.
    if (store.db.inTransaction()) {
      store.db.exec('rollback');
      store.forgetReads();
    }
    store.enforceConstraints(true);
  }
}

const refused = (object: string, message: string): AdmissionRefused =>
  new AdmissionRefused({ cause: 'refusedStatement', object, message });
