import type { AlterAction, ForeignKeyTarget, TableDefinition } from '../sql/ast.ts';
import { comparableExpression } from '../sql/canonical-expression.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { AlterRun } from './alter-table.ts';
import { breachOf, refuseBreach, rowLabel, type Breach } from './alter-breach.ts';
import { keyOfDefinition } from './definition-key.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { checksOf, foreignKeysOf, type DefinedForeignKey } from '../sql/foreign-keys-of.ts';
import { findInFile } from './object-places.ts';
import type { StoreDatabase } from './store-database.ts';

/**
 * Refuses an alteration whose new CHECK or foreign key is broken by rows that are there. Both are off while tables are
 * altered, so the rows are asked.
 *
 * A column that arrives with such a constraint brings no obligation: what it breaks is a finding, not a conflict.
 */
export function checkNewConstraints(
  run: AlterRun,
  change: {
    readonly current: TableDefinition;
    readonly target: TableDefinition;
    readonly actions: readonly AlterAction[];
  },
): void {
  const { db } = run.admission.store;
  const { current, actions } = change;
  if (run.repoints) return;
  const validates = actions.some(
    ({ kind }) =>
      kind === 'addConstraint' || (run.isLocal && kind !== 'renameColumn' && kind !== 'renameTable'),
  );
  if (!validates) return;
  const target = { ...change.target, name: run.admission.store.trackedTable(run.table.tbl).name ?? '' };
  const known = new Set(checksOf(current).map(({ expression }) => comparableExpression(expression)));
  for (const { expression } of checksOf(target)) {
    if (known.has(comparableExpression(expression)) && !converts(run, actions)) continue;
    refuseIfAny(target.name, findUnchecked(db, target, expression));
  }
  const knownKeys = new Set(foreignKeysOf(current).map(identityOf));
  for (const key of foreignKeysOf(target)) {
    if (!knownKeys.has(identityOf(key))) refuseIfAny(target.name, findOrphans(db, target, key));
  }
}

/** Whether values may have changed under CHECKs that were there before; what arrives from a peer changes them everywhere. */
const converts = ({ isLocal }: AlterRun, actions: readonly AlterAction[]): boolean =>
  isLocal && actions.some(({ kind }) => kind === 'setDataType' || kind === 'setCollation');

function refuseIfAny(table: string, breach: Breach | null): void {
  if (breach !== null) refuseBreach(table, breach);
}

/** Rows that a CHECK does not let in; NULL lets in, as SQLite has it. */
export const findUnchecked = (db: StoreDatabase, table: TableDefinition, expression: string): Breach | null =>
  breachOf(db, `select ${rowLabel(table)} from ${quoteIdentifier(table.name)} where not (${expression})`, {
    problem: `do not satisfy CHECK (${expression})`,
    column: null,
  });

const identityOf = ({ columns, target }: DefinedForeignKey): string =>
  JSON.stringify([columns, target.table, target.columns]).toLowerCase();

/** Rows whose parent is missing. Values are compared as the parent's column stores and compares them. */
function findOrphans(
  db: StoreDatabase,
  table: TableDefinition,
  { columns, target }: DefinedForeignKey,
): Breach | null {
  const parent = parentKey(db, target);
  const isSet = columns.map((column) => `c.${quoteIdentifier(column)} is not null`).join(' and ');
  const found =
    parent.length !== columns.length
      ? ''
      : ` and not exists (select 1 from ${quoteIdentifier(target.table)} as p where ${columns
          .map((column, at) => `p.${quoteIdentifier(parent[at] ?? '')} = c.${quoteIdentifier(column)}`)
          .join(' and ')})`;
  return breachOf(
    db,
    `select ${rowLabel(table, 'c.')} from ${quoteIdentifier(table.name)} as c where ${isSet}${found}`,
    { problem: `refer to rows of ${target.table} that are not there`, column: columns[0] ?? null },
  );
}

/** Columns that a foreign key means; none where there is no such table. */
function parentKey(db: StoreDatabase, target: ForeignKeyTarget): readonly string[] {
  const sql = findInFile(db, 'table', target.table)?.sql;
  const parsed = sql === undefined ? null : parseDdl(sql);
  if (parsed?.ok !== true || parsed.value.kind !== 'createTable') return [];
  const { table } = parsed.value;
  return target.columns.length > 0 ? target.columns : keyOfDefinition(table).map(({ name }) => name);
}
