import type { AlterAction, ColumnDefinition, TableDefinition } from '../sql/ast.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { comparableDefault } from '../sql/comparable-default.ts';
import { isComputedDefault } from '../sql/is-computed-default.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { selectRows } from './admission-row-read.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { recordFilled } from './admission-unwritten.ts';
import type { AlterRun } from './alter-table.ts';
import { findBreach, refuseBreach } from './alter-breach.ts';
import { keepsIdentity } from './alter-identity.ts';
import { checkNewConstraints } from './alter-checks.ts';
import { referringTables } from './alter-references.ts';
import { rekeyTable } from './alter-rekey.ts';
import { forgetIndex, trackAlteration } from './alter-tracking.ts';
import { constraintOf } from './constraint-failure.ts';
import { rebuildTable, type LostDependant, type RebuildRequest } from './rebuild-table.ts';

export interface Reshaping {
  readonly current: TableDefinition;
  readonly target: TableDefinition;
  /** What leads from the one to the other, no rename among it. */
  readonly actions: readonly AlterAction[];
}

/** An alteration that was tried with foreign keys on, and has to be begun anew with them off. */
export class RebuildNeeded extends Error {
  constructor() {
    super('The table can only be altered by a rebuild, and foreign keys are on.');
    this.name = 'RebuildNeeded';
  }
}

/** Gives a table another definition by one rebuild, and its record with it. */
export function reshapeTable(run: AlterRun, reshaping: Reshaping): void {
  const { current, target, actions } = reshaping;
  const { name } = current;
  if (canonicalTable(current) === canonicalTable(target)) return;
  if (!run.mayRebuild) throw new RebuildNeeded();
  refuseBesideForeignKeys(run, name);
  const request: RebuildRequest = { name, current, target, sources: sourcesOf(reshaping) };
  const track = (): void => {
    trackAlteration(run, actions, target);
  };
  try {
    const { lost } = keepsIdentity(current, target)
      ? rebuildAndTrack(run, request, track)
      : rekeyTable(run, request, track);
    forgetLost(run, lost);
  } catch (cause) {
    if (constraintOf(cause) === null) throw cause;
    const breach = findBreach(run, request);
    if (breach === null) throw cause;
    refuseBreach(name, breach);
  }
  if (!run.isLocal) recordComputed(run, actions);
  checkNewConstraints(run, reshaping);
}

/** A default that is computed gave each row a value that is this replica's own. */
function recordComputed({ admission, table: { tbl } }: AlterRun, actions: readonly AlterAction[]): void {
  const { store } = admission;
  const table = store.trackedTable(tbl);
  const columns = table.columns.filter(
    ({ name, defaultText }) =>
      defaultText !== null &&
      isComputedDefault(defaultText) &&
      actions.some((action) => action.kind === 'addColumn' && isSameName(action.column.name, name)),
  );
  if (columns.length === 0 || table.key.length === 0) return;
  for (const { rid } of selectRows(admission, table, { where: 'true', values: [] })) {
    recordFilled(admission, tbl, { rid, columns, hlc: store.clocks.row(tbl, rid).row().hlc });
  }
}

function rebuildAndTrack(
  run: AlterRun,
  request: RebuildRequest,
  track: () => void,
): ReturnType<typeof rebuildTable> {
  const report = rebuildTable(run.admission.store.db, request);
  track();
  return report;
}

/**
 * A column that was dropped and added again takes nothing of the one before it. Rows get the default that a column is added
 * with, also where another one is set at once.
 */
function sourcesOf({ current, target, actions }: Reshaping): RebuildRequest['sources'] {
  const added = actions.flatMap((action) => (action.kind === 'addColumn' ? [action.column] : []));
  return target.columns
    .filter(({ generated }) => generated === undefined)
    .map(({ name }) => {
      const column = added.findLast((candidate) => isSameName(candidate.name, name));
      if (column !== undefined) return filledAnew(target, column);
      return { column: name, from: current.columns.find((old) => isSameName(old.name, name))?.name ?? null };
    });
}

function filledAnew(
  target: TableDefinition,
  { name, defaultText }: ColumnDefinition,
): RebuildRequest['sources'][number] {
  const fill = comparableDefault(defaultText);
  const mayBeNull = target.columns.every((column) => column.name !== name || column.notNull === undefined);
  return fill === undefined && !mayBeNull
    ? { column: name, from: null }
    : { column: name, from: null, fill: fill ?? 'null' };
}

function forgetLost(run: AlterRun, lost: readonly LostDependant[]): void {
  const { store } = run.admission;
  for (const { type, name, message } of lost) {
    if (type === 'index') forgetIndex(run, name);
    else store.ports.log.warn('alter.trigger-lost', { table: run.table.name, trigger: name, message });
  }
}

/** DROP TABLE with foreign keys on would delete from the tables that refer to this one, and from itself. */
function refuseBesideForeignKeys({ admission }: AlterRun, name: string): void {
  const { db } = admission.store;
  if (db.preparePluck<[], bigint>('select foreign_keys from pragma_foreign_keys').get() !== 1n) return;
  const [referring] = referringTables(db, name);
  if (referring === undefined) return;
  throw new AdmissionRefused({
    cause: 'refusedStatement',
    object: name,
    message: `${referring} refers to ${name} by a foreign key, so ${name} cannot be rebuilt inside of a transaction: its rows would count as deleted. Run this ALTER TABLE as a statement of its own.`,
  });
}
