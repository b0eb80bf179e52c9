import { err, ok, type Result } from '#shared/result.ts';
import type { HeldEdit, HeldEdited } from '#shared/model/held-decision.ts';
import { jsonToSqlValue } from '#shared/model/json-sql-value.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { isSameName } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { bindValue } from '../store/bind-value.ts';
import { readFingerprint } from '../store/catalog-fingerprint.ts';
import { isRefusedValue } from '../store/constraint-failure.ts';
import { writeJournal } from '../store/decision-journal.ts';
import { readEntry, releaseHeld, type HeldEntry } from '../store/held-entries.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { readRowState } from '../store/row-state.ts';
import type { TrackedTable } from '../store/table-registry.ts';
import { writeLocally } from './exec-sql.ts';
import type { HeldEditRequest, HeldError } from './replica.ts';

/**
 * Writes a held row into its table with other values, as a new local change that knew of it: what was held of it is settled
 * by that, here and on the peers. A row of a dropped table goes into the one that has its name now.
 *
 * Errors: `nothing-held`; `has-no-place` where it is no whole row, its table is not here, a value is meant for no column
 * of it, its key would change, or SQLite refuses it. Then nothing has changed.
 */
export function editHeld(store: ReplicaStore, request: HeldEditRequest): Result<HeldEdited, HeldError> {
  const entry = readEntry(store, BigInt(request.id));
  if (entry === null)
    return err({
      code: 'nothing-held',
      message: `Nothing with the number ${String(request.id)} is held here any more.`,
    });
  const planned = planEdit(store, entry, request);
  if (!planned.ok) return planned;
  const { table, values } = planned.value;
  const columns = [...values.keys()];
  const bound = [...values.values()].map(bindValue);
  const sql = `insert into ${quoteIdentifier(table.name ?? '')} (${columns.map(quoteIdentifier).join(', ')})
    values (${bound.map((value) => value.sql).join(', ')})`;
  const detail = `The row of ${table.name ?? ''} that was held as ${entry.reason} was written with ${wordsOf(request)}.`;
  try {
    writeLocally(store, () => {
      const fingerprint = readFingerprint(store);
      store.db.prepare<unknown[]>(sql).run(...bound.map((value) => value.bound));
      // What waits for its place is settled by the drain of this very transaction; a dropped life has none.
      if (entry.reason === 'droppedTable') releaseHeld({ store }, entry.n);
      const { who, because } = request;
      writeJournal(store, {
        who,
        because,
        option: 'editHeld',
        object: table.name ?? '',
        conflictId: null,
        fingerprintBefore: fingerprint,
        fingerprintAfter: fingerprint,
        detail,
      });
    });
    return ok({ detail });
  } catch (cause) {
    if (!isRefusedValue(cause) || !(cause instanceof Error)) throw cause;
    return err(noPlace(`SQLite refuses the row: ${cause.message}. Nothing was changed; try other values.`));
  }
}

const wordsOf = ({ values }: HeldEditRequest): string =>
  Object.entries(values)
    .map(([column, value]) => `${column} = ${JSON.stringify(value)}`)
    .join(', ');

const noPlace = (message: string): HeldError => ({ code: 'has-no-place', message });

interface PlannedEdit {
  readonly table: TrackedTable;
  /** By the names of the columns here. */
  readonly values: ReadonlyMap<string, SqlValue>;
}

function planEdit(store: ReplicaStore, entry: HeldEntry, edit: HeldEdit): Result<PlannedEdit, HeldError> {
  if (entry.op !== 'row')
    return err(noPlace('Only a whole row can be written with other values; this is a part of one.'));
  const own = store.registry.byId(entry.tableId);
  const table = typeof own?.name === 'string' ? own : store.registry.byName(entry.tableName);
  if (typeof table?.name !== 'string')
    return err(
      noPlace(
        `There is no table ${entry.tableName} here: create it first, or wait for the peer that has it.`,
      ),
    );
  const held = heldValues(store, table, entry);
  if (!held.ok) return held;
  return withEdits(table, held.value, edit);
}

/** The row's values under the columns that are here: by ID where it is the same table, else by name. */
function heldValues(
  store: ReplicaStore,
  table: TrackedTable,
  entry: HeldEntry,
): Result<ReadonlyMap<string, SqlValue>, HeldError> {
  const { group } = entry;
  const reader = { table, resolveColumn: store.registry.resolveColumn };
  const cells = group.blocks.flatMap((block) => [
    ...readRowState(reader, { group, block, row: 0 }).cells.values(),
  ]);
  const values = new Map<string, SqlValue>();
  for (const { name, value } of cells) {
    const here = table.columns.find((column) => isSameName(column.name, name));
    if (here !== undefined) values.set(here.name, value);
    else if (value !== null)
      return err(noPlace(`${table.name ?? ''} has no column ${name} for a value of the row: add it first.`));
  }
  return ok(values);
}

function withEdits(
  table: TrackedTable,
  held: ReadonlyMap<string, SqlValue>,
  { values: edits }: HeldEdit,
): Result<PlannedEdit, HeldError> {
  const values = new Map(held);
  for (const [name, json] of Object.entries(edits)) {
    const column = table.columns.find((candidate) => isSameName(candidate.name, name));
    if (column === undefined) return err(noPlace(`${table.name ?? ''} has no column ${name}.`));
    if (column.pk > 0)
      return err(
        noPlace(
          `${name} is part of the key, by which the held row is known. Insert the row under its new key, and delete this one.`,
        ),
      );
    const value = jsonToSqlValue(json);
    if (!value.ok) return err(noPlace(`The value for ${name} is none: ${value.error.message}.`));
    values.set(column.name, value.value);
  }
  return ok({ table, values });
}
