import type { ColumnId } from '#shared/model/ids.ts';

import { applyAlteration } from '../sql/apply-alteration.ts';
import type { AlterAction, ColumnDefinition, TableDefinition } from '../sql/ast.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import type { Admission } from './admission-context.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { checkNewConstraints } from './alter-checks.ts';
import { alterNatively, isRename } from './alter-native.ts';
import { prepareAddedColumn } from './prepare-added-column.ts';
import { reshapeTable } from './alter-reshape.ts';
import { trackAlteration } from './alter-tracking.ts';
import { captureAhead, isCapturedAhead } from './capture-ahead.ts';
import { installCapture } from './capture-triggers.ts';
import { followNames } from './catalog-follow-names.ts';
import { withRecordedDdl } from './with-recorded-ddl.ts';
import { findKeyGaps } from './key-gaps.ts';
import { findInFile } from './object-places.ts';
import { restoreTriggers } from './silence-triggers.ts';
import type { StoreDatabase } from './store-database.ts';
import type { TrackedTable } from './table-registry.ts';
import { nextOrdinal } from './track-table.ts';

export interface Alteration {
  readonly table: TrackedTable;
  /** In the order in which they are to be done. */
  readonly actions: readonly AlterAction[];
  /** The ID of a column that is added, by its name; null where it is drawn here. */
  readonly columnId: (name: string) => ColumnId | null;
  /** Seq of what adds columns: entries before it do not speak of them. */
  readonly addedSeq: number;
  /**
   * Whether the statement is written here: rows that lack a value for a new column refuse it, as SQLite does. They are
   * held where it arrives.
   */
  readonly isLocal?: boolean;
  /** Whether constraints only name otherwise what they mean: what breaks them did so before. */
  readonly repoints?: boolean;
  /** Whether foreign keys were off before the transaction began; else what only a rebuild can do throws `RebuildNeeded`. */
  readonly mayRebuild?: boolean;
}

/** An alteration under way. */
export interface AlterRun extends Required<Alteration> {
  readonly admission: Admission;
}

/**
 * Alters a table in the file, and its record in the registry, by one action after the other: by SQLite's own statement
 * where it has one that does the same, all others in one rebuild. Indexes on a dropped column go along.
 *
 * Rows keep rowids, clocks and lives; under another key they, and deletions, get the identity that they have there. Other
 * tables' foreign keys, views and triggers go on meaning the table, children are not emptied. Capture is installed anew.
 *
 * Runs in a write transaction with foreign keys off since before it began; in an admission after the fold.
 * Hands back the table as it is kept track of now.
 * Errors: `AdmissionRefused` with cause `rowsBreakConstraint`, the rows named, or `refusedStatement`; the caller rolls back.
 */
export function alterTable(admission: Admission, alteration: Alteration): TrackedTable {
  const { store } = admission;
  const { tbl } = alteration.table;
  const run: AlterRun = { isLocal: false, repoints: false, mayRebuild: true, ...alteration, admission };
  return withRecordedDdl(store, () => {
    // What renames are to rewrite must stand in the file.
    restoreTriggers(admission);
    const before = store.trackedTable(tbl);
    const isInPlace = alterStepwise(run);
    const table = store.trackedTable(tbl);
    const addsOnly = isInPlace && run.actions.every(({ kind }) => kind === 'addColumn');
    if (!addsOnly || !isCapturedAhead(store.db, table)) installCapture(store.db, table);
    followNames(store, before);
    findKeyGaps(store.db, table, store.ports.clock.nowMs());
    admission.changedTables.add(tbl);
    return { value: table, touched: isInPlace ? [nameOf(run)] : null };
  });
}

/** What SQLite does to the table alone, leaving all else in the catalog as it is. */
const IN_PLACE: ReadonlySet<AlterAction['kind']> = new Set([
  'addColumn',
  'setNotNull',
  'dropNotNull',
  'addConstraint',
  'dropConstraint',
]);

/** Whether nothing but the table itself was touched. */
function alterStepwise(run: AlterRun): boolean {
  let isInPlace = run.actions.every(({ kind }) => IN_PLACE.has(kind));
  let current = readDefinition(run.admission.store.db, nameOf(run));
  let target = current;
  let waiting: readonly AlterAction[] = [];
  const rebuild = (): void => {
    if (waiting.length === 0) return;
    isInPlace = false;
    reshapeTable(run, { current, target, actions: waiting });
    current = readDefinition(run.admission.store.db, nameOf(run));
    target = current;
    waiting = [];
  };
  for (const action of run.actions) {
    if (isRename(action)) rebuild();
    if (action.kind === 'addColumn') prepareAddedColumn(run, nameOf(run), action.column);
    const wanted = definitionAfter(target, action);
    if (waiting.length === 0 && tryNative(run, { current, action, wanted })) {
      current = readDefinition(run.admission.store.db, nameOf(run));
      target = current;
    } else {
      waiting = [...waiting, action];
      target = wanted;
    }
  }
  rebuild();
  return isInPlace;
}

function tryNative(
  run: AlterRun,
  step: { readonly current: TableDefinition; readonly action: AlterAction; readonly wanted: TableDefinition },
): boolean {
  const { action, current, wanted } = step;
  const undo = action.kind === 'addColumn' ? letCaptureKnow(run, action.column) : null;
  if (!alterNatively(run, { ...step, name: nameOf(run) })) {
    undo?.();
    return false;
  }
  trackAlteration(run, [action], wanted);
  checkNewConstraints(run, { current, target: wanted, actions: [action] });
  return true;
}

function letCaptureKnow({ admission, table }: AlterRun, column: ColumnDefinition): (() => void) | null {
  const { store } = admission;
  const col = nextOrdinal(store.db, table.tbl);
  return captureAhead(store.db, store.trackedTable(table.tbl), { col, column });
}

const nameOf = ({ admission, table }: AlterRun): string => admission.store.trackedTable(table.tbl).name ?? '';

function definitionAfter(table: TableDefinition, action: AlterAction): TableDefinition {
  const applied = applyAlteration(table, action);
  if (applied.ok) return applied.value;
  throw new AdmissionRefused({
    cause: 'refusedStatement',
    object: table.name,
    message: applied.error.message,
  });
}

/** What a table is now, read from the file. */
function readDefinition(db: StoreDatabase, name: string): TableDefinition {
  const sql = findInFile(db, 'table', name)?.sql;
  const parsed = sql === undefined ? null : parseDdl(sql);
  if (parsed?.ok === true && parsed.value.kind === 'createTable') return { ...parsed.value.table, name };
  throw new AdmissionRefused({
    cause: 'refusedStatement',
    object: name,
    message: `The definition of ${name} cannot be read, so it cannot be altered: ${sql?.slice(0, 200) ?? 'it is not in the file'}`,
  });
}
