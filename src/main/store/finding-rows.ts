import { sqliteCodeOf } from './constraint-failure.ts';
import type { KeyValue } from './key-expression.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { RowRule } from './row-rules.ts';
import type { RuleTable } from './rule-table.ts';
import { toNumber, type StoreDatabase, type StoredValue } from './store-database.ts';
import { endFinding, writeFinding } from './write-finding.ts';

// Rows that break a rule are listed by their places, so many per rule at most. What is listed is looked at again whenever
// its table or the parent's is written; so the cost is bounded by the list, and not by the table.

/** So many rows are listed per rule. Where there are more, the table is looked through again once the list is short. */
const ROWS_LISTED_MAX = 1_000;

/** Whether any row is listed. */
export const hasListedRows = ({ db }: Pick<ReplicaStore, 'db'>): boolean =>
  db.preparePluck<[]>('select 1 from _concord_finding_row limit 1').get() !== undefined;

/** SQL that gives the places of rows to look at, of a table as `t`, without its WHERE. */
export interface RowsToCheck {
  readonly from: string;
  readonly where: string;
  readonly bound: readonly StoredValue[];
}

/** Lists those of some rows that break a rule. */
export function listBroken(
  store: ReplicaStore,
  of: RuleTable,
  { rule, rows }: { readonly rule: RowRule; readonly rows: RowsToCheck },
): void {
  const room = ROWS_LISTED_MAX - countListed(store, of, rule);
  const { kind, subject } = rule;
  const { tbl } = of.table;
  const changes = unlessItFails(() =>
    room <= 0
      ? 0
      : store.db
          .prepare<unknown[]>(
            `insert or ignore into _concord_finding_row (kind, tbl, subject, rid)
             select ?, ?, ?, ${of.rid} from ${rows.from} where ${rows.where} and ${of.rid} is not null and (${rule.broken}) limit ?`,
          )
          .run(kind, BigInt(tbl), subject, ...rows.bound, BigInt(room)).changes,
  );
  if (room > 0 && changes === 0) return;
  settleHeader(store, of, rule);
  // Perhaps there are more: it is found out when these are mended.
  if (countListed(store, of, rule) >= ROWS_LISTED_MAX) noteMore(store, of, rule);
}

/** Takes the rows off the list that do not break a rule any more, or are not there. */
export function unlistMended(store: ReplicaStore, of: RuleTable, rule: RowRule): void {
  const { kind, subject } = rule;
  const { tbl } = of.table;
  const changes = unlessItFails(
    () =>
      store.db
        .prepare<unknown[]>(
          `delete from _concord_finding_row where kind = ? and tbl = ? and subject = ? and not exists
             (select 1 from ${of.name} as t where ${of.at('_concord_finding_row.rid')} and (${rule.broken}))`,
        )
        .run(kind, BigInt(tbl), subject).changes,
  );
  if (changes === 0) return;
  if (countListed(store, of, rule) <= ROWS_LISTED_MAX / 2 && takeMore(store, of, rule))
    requestScan(store, tbl);
  settleHeader(store, of, rule);
}

/** A CHECK may call a function that is not here, or fail on a value: then nothing is said of it. */
function unlessItFails(run: () => number): number {
  try {
    return run();
  } catch (cause) {
    if (sqliteCodeOf(cause) === undefined) throw cause;
    return 0;
  }
}

/** Rules that are listed of a table, and the table does not have any more: its rows are looked at again. */
export function dropFormerRules(store: ReplicaStore, of: RuleTable): void {
  const known = new Set(of.rules.map(({ kind, subject }) => `${kind} ${subject}`));
  const listed = store.db
    .prepareRaw<[bigint], [RowRule['kind'], string]>(
      'select distinct kind, subject from _concord_finding_row where tbl = ?',
    )
    .all(BigInt(of.table.tbl));
  for (const [kind, subject] of listed) {
    if (known.has(`${kind} ${subject}`)) continue;
    for (const rule of of.rules) {
      const rows: RowsToCheck = {
        from: `_concord_finding_row as r cross join ${of.name} as t`,
        where: `r.kind = ? and r.tbl = ? and r.subject = ? and ${of.at('r.rid')}`,
        bound: [kind, BigInt(of.table.tbl), subject],
      };
      if (rule.kind === kind) listBroken(store, of, { rule, rows });
    }
    forgetListed(store, of, { kind, subject });
  }
}

function forgetListed(store: ReplicaStore, of: RuleTable, rule: Pick<RowRule, 'kind' | 'subject'>): void {
  store.db
    .prepare<unknown[]>('delete from _concord_finding_row where kind = ? and tbl = ? and subject = ?')
    .run(rule.kind, BigInt(of.table.tbl), rule.subject);
  endFinding(store, { ...rule, table: of.table.name ?? '' });
}

/** Forgets what is listed of tables that are gone. */
export function forgetDroppedTables({ db }: Pick<ReplicaStore, 'db'>): void {
  db.exec(`delete from _concord_finding_row where tbl in (select tbl from _concord_table where name is null);
    delete from _concord_finding_scan where tbl in (select tbl from _concord_table where name is null)`);
}

const countListed = ({ db }: Pick<ReplicaStore, 'db'>, of: RuleTable, rule: RowRule): number =>
  toNumber(
    db
      .preparePluck<unknown[]>(
        'select count(*) from _concord_finding_row where kind = ? and tbl = ? and subject = ?',
      )
      .get(rule.kind, BigInt(of.table.tbl), rule.subject) ?? 0n,
  );

function settleHeader(store: ReplicaStore, of: RuleTable, rule: RowRule): void {
  const { kind, subject, detail, advice } = rule;
  const finding = { kind, table: of.table.name ?? '', subject, detail, advice };
  if (countListed(store, of, rule) > 0) writeFinding(store, finding);
  else endFinding(store, finding);
}

function noteMore({ db }: Pick<ReplicaStore, 'db'>, of: RuleTable, rule: RowRule): void {
  db.prepare<unknown[]>(
    'update _concord_finding set has_more = 1 where kind = ? and tbl = ? and subject = ?',
  ).run(rule.kind, of.table.name ?? '', rule.subject);
}

/** Whether there were more rows than are listed; that is to be found out anew. */
const takeMore = ({ db }: Pick<ReplicaStore, 'db'>, of: RuleTable, rule: RowRule): boolean =>
  db
    .prepare<unknown[]>(
      'update _concord_finding set has_more = 0 where kind = ? and tbl = ? and subject = ? and has_more = 1',
    )
    .run(rule.kind, of.table.name ?? '', rule.subject).changes > 0;

/** Has a table looked through, some rows at a time. */
export function requestScan({ db }: Pick<ReplicaStore, 'db'>, tbl: number): void {
  db.prepare<[bigint]>(
    'insert into _concord_finding_scan (tbl, after) values (?, null) on conflict (tbl) do update set after = null',
  ).run(BigInt(tbl));
}

/** How many rows are listed of a rule, and the places of some of them. */
export function selectPlaces(
  db: StoreDatabase,
  rule: { readonly kind: string; readonly tbl: number; readonly subject: string },
  limit: number,
): { readonly count: number; readonly places: readonly KeyValue[] } {
  const { kind, tbl, subject } = rule;
  const of = 'from _concord_finding_row where kind = ? and tbl = ? and subject = ?';
  const count = db.preparePluck<unknown[]>(`select count(*) ${of}`).get(kind, BigInt(tbl), subject);
  const places = db
    .preparePluck<unknown[], KeyValue>(`select rid ${of} order by rid limit ?`)
    .all(kind, BigInt(tbl), subject, BigInt(limit));
  return { count: toNumber(count ?? 0n), places };
}
