import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { markAbove } from './log-notice.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { TrackedTable } from './table-registry.ts';

const ROWID_MIN = -(2n ** 63n);
const ROWID_MAX = 2n ** 63n - 1n;

/**
 * Records the rows that a table holds before its capture begins as one stretch with one clock, and sets its mark above
 * them. Two look-ups, whatever the size; nothing where the table is empty or has no key.
 */
export function appendBaseline(db: StoreDatabase, table: TrackedTable, hlc: bigint): void {
  if (table.name === null || table.kind === TABLE_KIND.noKey) return;
  const stretch =
    table.kind === TABLE_KIND.withoutRowid ? readKeyStretch(db, table.name) : readRowidStretch(db, table);
  if (stretch === null) return;
  db.prepare<unknown[]>(`insert into _concord_log (kind, tbl, rid, hi, hlc) values (?, ?, ?, ?, ?)`).run(
    LOG_KIND.baseline,
    table.tbl,
    stretch.lo,
    stretch.hi,
    hlc,
  );
  if (table.kind === TABLE_KIND.withoutRowid) return;
  db.prepare<unknown[]>(`update _concord_mark set sealed = max(sealed, ?) where tbl = ?`).run(
    markAbove(stretch.hi),
    table.tbl,
  );
}

interface Stretch {
  readonly lo: bigint;
  readonly hi: bigint;
}

/** Keys have no order of their own here: the stretch of a table without rowids is everything. */
function readKeyStretch(db: StoreDatabase, name: string): Stretch | null {
  const any = db.preparePluck<[]>(`select 1 from ${quoteIdentifier(name)} limit 1`).get();
  return any === undefined ? null : { lo: ROWID_MIN, hi: ROWID_MAX };
}

function readRowidStretch(db: StoreDatabase, table: TrackedTable): Stretch | null {
  const name = quoteIdentifier(table.name ?? '');
  const rid = table.ridExpression;
  const [lo, hi] = db
    .prepareRaw<[], [StoredValue, StoredValue]>(
      `select (select min(${rid}) from ${name}), (select max(${rid}) from ${name})`,
    )
    .get() ?? [null, null];
  return typeof lo === 'bigint' && typeof hi === 'bigint' ? { lo, hi } : null;
}
