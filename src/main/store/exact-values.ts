import { decodeUtf8 } from '#shared/model/utf8.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { KeyValue } from './key-expression.ts';
import { keyLookup } from './key-lookup.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';

/** What better-sqlite3 puts in the place of bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';

/**
 * The values of a row as they are stored, to the byte. Text that came with a replacement character is read again as
 * bytes: it may have stood there, or stand for bytes that are no UTF-8.
 */
export function readExactly(
  reader: { readonly db: StoreDatabase },
  row: {
    readonly table: TrackedTable;
    readonly columns: readonly TrackedColumn[];
    readonly rid: KeyValue;
    readonly values: readonly SqlValue[];
  },
): readonly SqlValue[] {
  const { values } = row;
  const isDoubtful = (value: SqlValue | undefined): boolean =>
    typeof value === 'string' && value.includes(REPLACEMENT);
  if (!values.some(isDoubtful)) return values;
  const bytes = readTextBytes(reader.db, row);
  return values.map((value, place) => {
    const stored = bytes?.[place];
    if (!isDoubtful(value) || !(stored instanceof Uint8Array)) return value;
    return decodeUtf8(stored) ?? { textBytes: stored };
  });
}

function readTextBytes(
  db: StoreDatabase,
  row: { readonly table: TrackedTable; readonly columns: readonly TrackedColumn[]; readonly rid: KeyValue },
): readonly StoredValue[] | undefined {
  const { table, columns, rid } = row;
  const casts = columns.map(({ name }) => `cast(t.${quoteIdentifier(name)} as blob)`);
  const where =
    table.kind === TABLE_KIND.withoutRowid
      ? keyLookup(table.key, 't.', '@rid')
      : `t.${table.ridExpression} = @rid`;
  return db
    .prepareRaw<{ rid: KeyValue }[]>(
      `select ${casts.join(', ')} from ${quoteIdentifier(table.name ?? '')} as t where ${where}`,
    )
    .get({ rid });
}
