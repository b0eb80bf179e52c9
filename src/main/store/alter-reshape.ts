import type { AlterAction, TableDefinition } from '../sql/ast.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import type { AlterRun } from './alter-table.ts';
import { findBreach, refuseBreach } from './alter-breach.ts';
import { checkNewConstraints } from './alter-checks.ts';
import { rekeyTable } from './alter-rekey.ts';
import { forgetIndex, trackAlteration } from './alter-tracking.ts';
import { constraintOf } from './constraint-failure.ts';
import { keyOfDefinition, kindOfDefinition } from './definition-key.ts';
import { rebuildTable, type LostDependant, type RebuildRequest } from './rebuild-table.ts';
import { keyAffinities } from './stored-key.ts';

export interface Reshaping {
  readonly current: TableDefinition;
  readonly target: TableDefinition;
  /** What leads from the one to the other, no rename among it. */
  readonly actions: readonly AlterAction[];
}

/** Gives a table another definition by one rebuild, and its record with it. */
export function reshapeTable(run: AlterRun, reshaping: Reshaping): void {
  const { current, target, actions } = reshaping;
  const { name } = current;
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
  checkNewConstraints(run, reshaping);
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

/** A column that was dropped and added again takes nothing of the one before it. */
function sourcesOf({ current, target, actions }: Reshaping): RebuildRequest['sources'] {
  const added = actions.flatMap((action) => (action.kind === 'addColumn' ? [action.column.name] : []));
  const isOld = (name: string): boolean => !added.some((other) => isSameName(other, name));
  return target.columns
    .filter(({ generated }) => generated === undefined)
    .map(({ name }) => ({
      column: name,
      from: isOld(name)
        ? (current.columns.find((column) => isSameName(column.name, name))?.name ?? null)
        : null,
    }));
}

/** Whether rows keep their identity and place: the same key columns, stored and compared alike, rowids of the same kind. */
export function keepsIdentity(current: TableDefinition, target: TableDefinition): boolean {
  const identityOf = (table: TableDefinition): string => {
    const key = keyOfDefinition(table);
    const affinities = keyAffinities(table, key);
    const parts = key.map(
      ({ name, collation }, place) =>
        `${foldIdentifier(name)} ${collation.toUpperCase()} ${affinities[place] ?? ''}`,
    );
    return JSON.stringify([kindOfDefinition(table), parts]);
  };
  return identityOf(current) === identityOf(target);
}

function forgetLost(run: AlterRun, lost: readonly LostDependant[]): void {
  const { store } = run.admission;
  for (const { type, name, message } of lost) {
    if (type === 'index') forgetIndex(run, name);
    else store.ports.log.warn('alter.trigger-lost', { table: run.table.name, trigger: name, message });
  }
}
