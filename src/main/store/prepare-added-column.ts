import type { ColumnDefinition } from '../sql/ast.ts';
import { comparableDefault } from '../sql/comparable-default.ts';
import type { AlterRun } from './alter-table.ts';
import { hasRows } from './alter-native.ts';
import { deleteQuietly, selectRows } from './admission-row-read.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { holdFact } from './held-facts.ts';
import { silenceTriggers, restoreTriggers } from './silence-triggers.ts';
import { rowAsFact } from './row-as-fact.ts';

/**
 * Sees to rows that have no value for a column that is about to be added.
 *
 * Where the statement is written here it is refused, with SQLite's own sentence. Elsewhere NOT NULL holds: rows without
 * a value wait in held until they get one (engine.md, section 3), unless that would be more than may be held.
 */
export function prepareAddedColumn(run: AlterRun, name: string, column: ColumnDefinition): void {
  const { db } = run.admission.store;
  if (column.generated !== undefined || !hasRows(db, name)) return;
  const lacksValue = column.notNull !== undefined && comparableDefault(column.defaultText) === undefined;
  if (run.isLocal) {
    if (lacksValue) refuse(name, column, 'Cannot add a NOT NULL column with default value NULL');
    if (isComputed(column)) refuse(name, column, 'Cannot add a column with non-constant default');
  } else if (lacksValue && !getsValue(run, column)) holdAllRows(run, name, column);
}

/** Whether what is done further on gives the column a default, or lets it be NULL. */
const getsValue = ({ actions }: AlterRun, { name }: ColumnDefinition): boolean =>
  actions.some(
    (action) =>
      (action.kind === 'setDefault' || action.kind === 'dropNotNull') && isSameName(action.column, name),
  );

/** Whether each row gets a default of its own, that other replicas cannot know. */
const isComputed = ({ defaultText }: ColumnDefinition): boolean =>
  defaultText !== undefined && /^\(|^current_(?:date|time|timestamp)$/i.test(defaultText);

function refuse(object: string, column: ColumnDefinition, message: string): never {
  throw new AdmissionRefused({ cause: 'rowsBreakConstraint', object, column: column.name, message });
}

function holdAllRows({ admission, table }: AlterRun, name: string, column: ColumnDefinition): void {
  const { store } = admission;
  const rows = countRows(admission, name);
  if (rows > store.settings.heldMaxFacts) {
    refuse(
      name,
      column,
      `${String(rows)} rows of ${name} have no value for ${column.name}, which has no default and may not be NULL. They would all be held, and no more than ${String(store.settings.heldMaxFacts)} may be. Give the column a default at its origin, or raise the bound.`,
    );
  }
  const tracked = store.trackedTable(table.tbl);
  if (tracked.key.length === 0) {
    refuse(
      name,
      column,
      `Rows of ${name} have no value for ${column.name} and no key by which they could be held.`,
    );
  }
  silenceTriggers(admission, name);
  for (const row of selectRows(admission, tracked, { where: '1 = 1', values: [] })) {
    const { group, block } = rowAsFact(admission, tracked, row);
    holdFact(admission, { group, block, row: 0, reason: 'notNull', wasHere: true });
    deleteQuietly(admission, tracked, row);
  }
  restoreTriggers(admission);
}

const countRows = ({ store }: AlterRun['admission'], name: string): bigint =>
  store.db.preparePluck<[], bigint>(`select count(*) from ${quoteIdentifier(name)}`).get() ?? 0n;
