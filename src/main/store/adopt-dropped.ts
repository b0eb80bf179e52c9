import { isSameName } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { bindValue } from './bind-value.ts';
import { isRefusedValue } from './constraint-failure.ts';
import { rememberDeleted } from './deleted-held.ts';
import { readEntry, releaseMany, type HeldEntry } from './held-entries.ts';
import type { ReplicaStore } from './replica-store.ts';
import { joinRowStates, readRowState, type CellState, type RowState } from './row-state.ts';
import type { TrackedTable } from './table-registry.ts';

/** A held change that the table of its name did not take. */
export interface NotAdopted {
  readonly n: number;
  /** One sentence. */
  readonly why: string;
}

/**
 * Writes what belongs to a dropped life of a table into the one that has its name now, as new local changes: each row with
 * the latest of what is held of it. A row that is there already is another one, and stays as it is.
 *
 * Runs in a local transaction: captured, with constraints in force, and triggers fire as for any write here. What has no
 * place stays held and is handed back with the reason.
 */
export function adoptDropped(
  store: ReplicaStore,
  table: TrackedTable,
  numbers: readonly number[],
): readonly NotAdopted[] {
  const rows = new Map<string, HeldEntry[]>();
  for (const n of numbers) {
    const entry = readEntry(store, BigInt(n));
    if (entry === null) continue;
    const name = rowName(entry);
    rows.set(name, [...(rows.get(name) ?? []), entry]);
  }
  return [...rows.values()].flatMap((entries) => {
    const why = adoptRow(store, table, entries);
    if (why === null) {
      // Others hold it still, and may offer it.
      rememberDeleted(store, numbersOf(entries));
      releaseMany({ store }, entries);
    }
    return why === null ? [] : entries.map(({ n }) => ({ n, why }));
  });
}

const numbersOf = (entries: readonly HeldEntry[]): readonly number[] => entries.map(({ n }) => n);

const rowName = ({ tableId, key }: HeldEntry): string => {
  const text = typeof key === 'object' ? JSON.stringify(key) : String(key);
  return `${tableId} ${typeof key} ${text}`;
};

/** Null when all that is held of the row is settled; else why not. */
function adoptRow(store: ReplicaStore, table: TrackedTable, entries: readonly HeldEntry[]): string | null {
  const life = Math.max(...entries.map((entry) => entry.life));
  const latest = entries.filter((entry) => entry.life === life);
  // Who deleted it knew of it.
  if (latest.some(({ op }) => op === 'delete')) return null;
  const row = joinedRow(table, latest);
  if (row === null) return 'The row that it changes is not held.';
  const cells = [...row.cells.values()].map((cell) => ({
    cell,
    column: table.columns.find(({ name }) => isSameName(name, cell.name)),
  }));
  // A value without a column must not get lost.
  const homeless = cells.find(({ cell, column }) => column === undefined && cell.value !== null);
  if (homeless !== undefined) return `The table has no column ${homeless.cell.name} now.`;
  return insertRow(
    store,
    table,
    cells.flatMap(({ cell, column }) => (column === undefined ? [] : [{ ...cell, name: column.name }])),
  );
}

/** The row with the latest write of each cell; null where only parts of it are held. */
function joinedRow(table: TrackedTable, entries: readonly HeldEntry[]): RowState | null {
  // Its columns are those of another life: names alone tell which are meant.
  const reader = { table, resolveColumn: () => ({ kind: 'unknown' }) as const };
  const states = entries.flatMap(({ op, group }) =>
    group.blocks.map((block) => ({ op, state: readRowState(reader, { group, block, row: 0 }) })),
  );
  const whole = states.find(({ op }) => op === 'row');
  if (whole === undefined) return null;
  return states.reduce((row, { op, state }) => joinRowStates(row, state, op === 'row') ?? row, whole.state);
}

function insertRow(store: ReplicaStore, table: TrackedTable, cells: readonly CellState[]): string | null {
  const bound = cells.map(({ value }) => bindValue(value));
  const insert = store.db.prepare<unknown[]>(
    `insert or abort into ${quoteIdentifier(table.name ?? '')} (${cells.map(({ name }) => quoteIdentifier(name)).join(', ')})
     values (${bound.map(({ sql }) => sql).join(', ')})`,
  );
  store.db.exec('savepoint _concord_adopt');
  try {
    insert.run(...bound.map((value) => value.bound));
    store.db.exec('release _concord_adopt');
    return null;
  } catch (cause) {
    if (!isRefusedValue(cause) || !(cause instanceof Error)) throw cause;
    store.db.exec('rollback to _concord_adopt; release _concord_adopt');
    return `SQLite refuses the row: ${cause.message}.`;
  }
}
