import type { MigrationId, SiteId } from '#shared/model/ids.ts';

import type { ColumnDefinition, CreateTableStatement } from '../../sql/ast.ts';
import { canonicalType } from '../../sql/canonical-type.ts';
import { primaryKeyOf } from '../../sql/compare/table-keys.ts';
import { foldIdentifier } from '../../sql/fold-identifier.ts';
import { foldShape, type FoldedTable } from '../shape/fold-shape.ts';
import { planAlterations, type PlannedAlterations } from '../shape/plan-alterations.ts';
import { UNCHANGED_NAMES, type ColumnKey, type ShapeRecord } from '../shape/shape-record.ts';

/** Whether a column of another type is dropped and added anew, or its values are kept and converted. */
export type TypeChange = 'recreate' | 'convert';

/**
 * Plans how a table becomes what is declared. Columns are told by their names: who declares says nothing of renames.
 *
 * Columns of the key are always converted: without their values no row would be left.
 */
export function planDeclaredTable(
  here: CreateTableStatement,
  wanted: CreateTableStatement,
  typeChange: TypeChange,
): PlannedAlterations {
  const inKey = new Set([here, wanted].flatMap(keyNamesOf));
  const keyOf = ({ name, type }: ColumnDefinition): ColumnKey => {
    const folded = foldIdentifier(name);
    return typeChange === 'convert' || inKey.has(folded) ? folded : `${folded} ${canonicalType(type)}`;
  };
  return planAlterations({
    current: here.table,
    currentColumns: keysOf(here, keyOf),
    wanted: foldDeclared(wanted, keysOf(wanted, keyOf)),
  });
}

const keyNamesOf = ({ table }: CreateTableStatement): readonly string[] =>
  (primaryKeyOf(table)?.columns ?? []).map(({ column }) => foldIdentifier(column));

const keysOf = (
  { table }: CreateTableStatement,
  keyOf: (column: ColumnDefinition) => ColumnKey,
): ReadonlyMap<string, ColumnKey> =>
  new Map(table.columns.map((column) => [foldIdentifier(column.name), keyOf(column)]));

/** What a declaration would be as the only thing that is recorded for its table. */
function foldDeclared(
  statement: CreateTableStatement,
  columnIds: ReadonlyMap<string, ColumnKey>,
): FoldedTable {
  const record: ShapeRecord = {
    id: 'declared' as MigrationId,
    type: 'create_table',
    stamp: { hlc: 0n, site: '' as SiteId },
    knew: {},
    statement,
    columnIds,
    subject: null,
    unifies: [],
    others: UNCHANGED_NAMES,
  };
  const folded = foldShape([record]);
  if (folded === null) throw new Error('A creation alone makes its table.');
  return folded;
}
