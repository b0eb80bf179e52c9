import { foldIdentifier } from '../../sql/fold-identifier.ts';
import type { RenameContext } from '../../sql/rename-in-definition.ts';
import type { ColumnKey, ShapeRecord } from './shape-record.ts';

/** What a table and its columns are called. */
export interface TableNames {
  readonly table: string;
  readonly columns: ReadonlyMap<ColumnKey, string>;
}

/** How the names in a statement of a table become those that the table and its columns have. `table`: as it is in the statement. */
export function contextOf(
  { record, table }: { readonly record: ShapeRecord; readonly table: string },
  names: TableNames,
): RenameContext {
  const { others, columnIds } = record;
  const own = new Map<string, string>();
  for (const [name, key] of columnIds) {
    const here = names.columns.get(key);
    if (here !== undefined) own.set(name, here);
  }
  const folded = foldIdentifier(table);
  return {
    table,
    changes: {
      tables: new Map([...others.tables, [folded, names.table]]),
      columns: new Map([...others.columns, [folded, own]]),
    },
  };
}
