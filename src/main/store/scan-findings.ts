import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { listBroken, type RowsToCheck } from './finding-rows.ts';
import { keyExpression, type KeyValue } from './key-expression.ts';
import { decodeKey } from './key-lookup.ts';
import type { ReplicaStore } from './replica-store.ts';
import { ruleTable, type RuleTable } from './rule-table.ts';
import { toNumber, type StoredValue } from './store-database.ts';
import { TABLE_KIND } from './table-registry.ts';

/** Rows that are looked at in one transaction: some milliseconds. */
const ROWS_AT_ONCE = 10_000;

/** Whether a table is still to be looked through. */
export const isScanning = ({ db }: Pick<ReplicaStore, 'db'>): boolean =>
  db.preparePluck<[]>('select 1 from _concord_finding_scan limit 1').get() !== undefined;

/** Looks at the next rows of a table that is to be looked through, if there is one. In a write transaction. */
export function scanFindings(store: ReplicaStore): void {
  const [tbl, after = null] =
    store.db.prepareRaw<[]>('select tbl, after from _concord_finding_scan order by tbl limit 1').get() ?? [];
  if (tbl === undefined) return;
  const of = ruleTable(store, toNumber(tbl));
  const last = of === null || of.rules.length === 0 ? null : scanOn(store, of, after);
  store.db
    .prepare<unknown[]>(
      last === null
        ? 'delete from _concord_finding_scan where tbl = @tbl'
        : 'update _concord_finding_scan set after = @last where tbl = @tbl',
    )
    .run(last === null ? { tbl } : { tbl, last });
}

/** The place up to which it was looked; null when that was the end. */
function scanOn(store: ReplicaStore, of: RuleTable, after: StoredValue): KeyValue | null {
  const next = of.table.kind === TABLE_KIND.withoutRowid ? nextByKey(of, after) : nextByRowid(of, after);
  const [last, count] =
    store.db
      .prepareRaw<unknown[], [KeyValue | null, bigint, bigint]>(
        // Beside a max, SQLite gives the other columns of the row that has it.
        `select place, count(*), max(n) from (select place, row_number() over () as n from
           (select ${next.place} as place from ${of.name} as t where ${next.rows.where}
            order by ${next.order} limit ${String(ROWS_AT_ONCE)}))`,
      )
      .get(...next.rows.bound) ?? [];
  if (last === undefined || last === null) return null;
  const upTo = next.upTo(last);
  const rows: RowsToCheck = {
    from: next.rows.from,
    where: `${next.rows.where} and ${upTo.where}`,
    bound: [...next.rows.bound, ...upTo.bound],
  };
  for (const rule of of.rules) listBroken(store, of, { rule, rows });
  return count === BigInt(ROWS_AT_ONCE) ? last : null;
}

interface NextRows {
  readonly rows: RowsToCheck;
  /** SQL of a row's place. */
  readonly place: string;
  readonly order: string;
  readonly upTo: (last: KeyValue) => Pick<RowsToCheck, 'where' | 'bound'>;
}

const nextByRowid = (of: RuleTable, after: StoredValue): NextRows => ({
  rows: {
    from: `${of.name} as t`,
    where: after === null ? 'true' : `${of.rid} > ?`,
    bound: after === null ? [] : [after],
  },
  place: of.rid,
  order: of.rid,
  upTo: (last) => ({ where: `${of.rid} <= ?`, bound: [last] }),
});

function nextByKey(of: RuleTable, after: StoredValue): NextRows {
  const columns = of.table.key.map(
    ({ name, collation }) => `t.${quoteIdentifier(name)} collate ${quoteIdentifier(collation ?? 'BINARY')}`,
  );
  const list = `(${columns.join(', ')})`;
  const slots = `(${columns.map(() => '?').join(', ')})`;
  const valuesOf = (identity: KeyValue): readonly StoredValue[] =>
    decodeKey(of.table, identity).map((value) =>
      typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? value.textBytes : value,
    );
  return {
    rows: {
      from: `${of.name} as t`,
      where: after === null ? 'true' : `${list} > ${slots}`,
      bound: after === null ? [] : valuesOf(after),
    },
    place: keyExpression(of.table.key, 't.'),
    order: columns.join(', '),
    upTo: (last) => ({ where: `${list} <= ${slots}`, bound: valuesOf(last) }),
  };
}
