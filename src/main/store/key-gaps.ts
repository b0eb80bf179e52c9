import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { StoreDatabase } from './store-database.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * Lists, as a finding, a table whose rows cannot sync: it has no primary key, or it has rows with NULL in the first
 * column of its key (SQLite allows that outside of INTEGER keys). Ends the finding where its cause is gone.
 *
 * Looks at the first key column alone, because its index answers at once.
 */
export function findKeyGaps(db: StoreDatabase, table: TrackedTable, nowMs: number): void {
  if (table.name === null) return;
  const gap = readGap(db, table);
  if (gap === null) {
    db.prepare<[string]>(`delete from _concord_finding where kind = 'noPrimaryKey' and tbl = ?`).run(
      table.name,
    );
    return;
  }
  db.prepare<unknown[]>(
    `insert into _concord_finding (kind, tbl, subject, detail, advice, since_ms) values ('noPrimaryKey', ?, '', ?, ?, ?)
     on conflict (kind, tbl, subject) do update set detail = excluded.detail, advice = excluded.advice
       where detail <> excluded.detail or advice <> excluded.advice`,
  ).run(table.name, gap.detail, gap.advice, nowMs);
}

interface Gap {
  readonly detail: string;
  readonly advice: string;
}

function readGap(db: StoreDatabase, table: TrackedTable): Gap | null {
  if (table.name === null) return null;
  const name = quoteIdentifier(table.name);
  if (table.kind === TABLE_KIND.noKey) {
    return {
      detail: `Table ${name} has no primary key: its definition syncs, its rows stay local.`,
      advice: `Make it anew with a primary key and copy its rows over; they sync from then on.`,
    };
  }
  const [first] = table.key;
  if (table.kind !== TABLE_KIND.rowid || first === undefined) return null;
  const column = quoteIdentifier(first.name);
  const rows = db
    .preparePluck<[], bigint>(
      `select count(*) from (select 1 from ${name} where ${column} is null limit 1000)`,
    )
    .get();
  if (rows === undefined || rows === 0n) return null;
  const count = rows === 1000n ? '1,000 or more' : rows.toString();
  return {
    detail: `Table ${name} has ${count} rows with NULL in ${column}, a column of its key: they stay local.`,
    advice: `Give each of them a key, and make the column NOT NULL.`,
  };
}
