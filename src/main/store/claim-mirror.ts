import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { ColumnDefinition, TableDefinition } from '../sql/ast.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { renderCreateTable } from '../sql/render-create-table.ts';
import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { unwrittenValues } from './admission-unwritten.ts';
import { constraintOf, isRefusedValue } from './constraint-failure.ts';
import { keyExpression, type KeyValue } from './key-expression.ts';
import { currentDefinition } from './live-table.ts';
import type { StoreDatabase } from './store-database.ts';
import { toNumber } from './store-database.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';
import type { UniqueKey } from './unique-keys.ts';

// Rows that wait, in a temporary table with the columns of their own: so SQLite converts, computes and compares their
// values just as it does in the table itself.

/** Number of a row in a mirror. */
const N = '_concord_n';

/** A temporary table for rows of a table, empty; null where our reader cannot read the table. */
export function createMirror({ store }: Pick<Admission, 'store'>, table: TrackedTable): string | null {
  const definition = currentDefinition(store, table.name ?? '');
  if (definition === null) return null;
  const name = `_concord_claim_${String(table.tbl)}`;
  const sql = renderCreateTable(mirrorOf(definition), { name }).replace(
    /^create table/i,
    'create temp table',
  );
  const known = store.db
    .preparePluck<[string], string>(`select sql from temp.sqlite_schema where name = ?`)
    .get(name);
  // SQLite keeps the text without TEMP. Each new temporary table makes it compile every statement anew.
  if (known?.replace(/^create (?:temp )?table/i, '') === sql.replace(/^create temp table/i, '')) {
    store.db.exec(`delete from temp.${quoteIdentifier(name)}`);
  } else {
    store.db.exec(`drop table if exists temp.${quoteIdentifier(name)}; ${sql}`);
  }
  return name;
}

const mirrorOf = (definition: TableDefinition): TableDefinition => ({
  ...definition,
  withoutRowid: false,
  constraints: [],
  columns: [{ ...PLAIN, name: N, type: 'INTEGER' }, ...definition.columns.map(loosened)],
});

const PLAIN = { uniques: [], checks: [], references: [] } as const;

const loosened = ({ name, type, notNull, defaultText, collation, generated }: ColumnDefinition) => ({
  ...PLAIN,
  name,
  type,
  defaultText,
  collation,
  generated,
  ...(notNull === undefined ? {} : { notNull: {} }),
});

/**
 * Puts the first row of a block into a mirror. Gives why the table would not take it, where that has nothing to do with
 * other rows: for what it lacks, or for a value that a type or an expression of a key refuses.
 */
export function insertIntoMirror(
  admission: Admission,
  mirror: string,
  row: { readonly n: number; readonly planned: PlannedBlock; readonly keys: readonly UniqueKey[] },
): Extract<HeldReason, 'notNull' | 'refusedValue'> | null {
  const { plan, block } = row.planned;
  const filled = unwrittenValues(admission, row.planned);
  const values = plan.known.map(({ place }) => block.rows[0]?.[place] ?? null);
  const names = [
    N,
    ...plan.known.map(({ column }) => quoteIdentifier(column.name)),
    ...filled.map(({ column }) => column),
  ];
  const slots = ['?', ...values.map(admission.placeholder), ...filled.map(({ sql }) => sql)];
  const { db } = admission.store;
  const insert = db.prepare<unknown[]>(
    `insert or abort into temp.${quoteIdentifier(mirror)} (${names.join(', ')}) values (${slots.join(', ')})`,
  );
  const reads = row.keys.map((key) =>
    db.prepareRaw<[bigint]>(`with ${wanted(mirror, key)} select * from v where ${N} = ?`),
  );
  try {
    insert.run(BigInt(row.n), ...values.map(admission.bindable));
    for (const read of reads) read.get(BigInt(row.n));
    return null;
  } catch (cause) {
    if (!isRefusedValue(cause)) throw cause;
    db.prepare<[bigint]>(`delete from temp.${quoteIdentifier(mirror)} where ${N} = ?`).run(BigInt(row.n));
    return constraintOf(cause) === 'notNull' ? 'notNull' : 'refusedValue';
  }
}

/** Pairs of rows in a mirror that are equal in a key. */
export function collisionsWithin(
  db: StoreDatabase,
  mirror: string,
  key: UniqueKey,
): readonly (readonly [number, number])[] {
  const equal = key.parts.map(
    ({ collation }, at) => `a.${part(at)} = b.${part(at)} collate ${quoteIdentifier(collation)}`,
  );
  return db
    .prepareRaw<[], [bigint, bigint]>(
      `with ${wanted(mirror, key)} select a.${N}, b.${N} from v as a join v as b on a.${N} < b.${N} and ${equal.join(' and ')}`,
    )
    .all()
    .map(([left, right]) => [toNumber(left), toNumber(right)]);
}

/** Rows in a mirror with the places of the rows of the table that are equal to them in a key. */
export function collisionsWithTable(
  db: StoreDatabase,
  mirror: string,
  { table, key }: { readonly table: TrackedTable; readonly key: UniqueKey },
): readonly (readonly [number, KeyValue])[] {
  // Written as in the index, so that it is found.
  const equal = key.parts.map(
    ({ sql, collation }, at) => `${sql} = v.${part(at)} collate ${quoteIdentifier(collation)}`,
  );
  const rid =
    table.kind === TABLE_KIND.withoutRowid ? keyExpression(table.key, 't.') : `t.${table.ridExpression}`;
  return db
    .prepareRaw<[], [bigint, KeyValue]>(
      `with ${wanted(mirror, key)} select v.${N}, ${rid} from v cross join main.${quoteIdentifier(table.name ?? '')} as t
       where ${[...equal, ...(key.where === null ? [] : [`(${key.where})`])].join(' and ')} and ${rid} is not null`,
    )
    .all()
    .map(([n, place]) => [toNumber(n), place]);
}

const part = (at: number): string => `_concord_p${String(at)}`;

const wanted = (mirror: string, { parts, where }: UniqueKey): string =>
  `v as materialized (select ${[N, ...parts.map(({ sql }, at) => `${sql} as ${part(at)}`)].join(', ')}` +
  ` from temp.${quoteIdentifier(mirror)}${where === null ? '' : ` where (${where})`})`;
