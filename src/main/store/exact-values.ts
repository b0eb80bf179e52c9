import { decodeUtf8 } from '#shared/model/utf8.ts';
import type { RawText, SqlValue } from '#shared/model/sql-value.ts';

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
  if (!values.some(isDoubtful)) return values;
  const bytes = readTextBytes(reader.db, row);
  return values.map((value, place) => {
    const stored = bytes?.[place];
    if (!isDoubtful(value) || !(stored instanceof Uint8Array)) return value;
    return decodeUtf8(stored) ?? { textBytes: stored };
  });
}

const isDoubtful = (value: SqlValue): boolean => typeof value === 'string' && value.includes(REPLACEMENT);

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

/**
 * Whether a row cannot be named here: it is found by its key alone, and that is text which is not UTF-8. Such a row stays
 * local, like one without a key; it must not pass for the row whose key looks like it in JavaScript.
 */
export function isUnnameable(
  { db }: { readonly db: StoreDatabase },
  table: TrackedTable,
  rid: KeyValue,
): boolean {
  if (typeof rid !== 'string' || table.kind !== TABLE_KIND.withoutRowid || table.key.length > 1) return false;
  if (!rid.includes(REPLACEMENT)) return false;
  const sql = `select 1 from ${quoteIdentifier(table.name ?? '')} as t where ${keyLookup(table.key, 't.', '@rid')}`;
  return db.prepareRaw<{ rid: KeyValue }[]>(sql).get({ rid }) === undefined;
}

/** The identity that an entry of the log has, as `readExactly` reads values: of a single column it may be text that is not UTF-8. */
export function readKeyExactly(
  { db }: { readonly db: StoreDatabase },
  entry: { readonly seq: number; readonly key: KeyValue },
): KeyValue | RawText {
  const { seq, key } = entry;
  if (typeof key !== 'string' || !key.includes(REPLACEMENT)) return key;
  const bytes = db
    .preparePluck<[number], Uint8Array>('select cast(key as blob) from _concord_log where seq = ?')
    .get(seq);
  return bytes === undefined ? key : (decodeUtf8(bytes) ?? { textBytes: bytes });
}
