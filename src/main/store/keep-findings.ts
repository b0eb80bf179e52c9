import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { LOG_KIND, MASK_COLUMNS, ROW_KINDS } from './metadata-schema.ts';
import {
  dropFormerRules,
  forgetDroppedTables,
  hasListedRows,
  listBroken,
  requestScan,
  unlistMended,
  type RowsToCheck,
} from './finding-rows.ts';
import { findKeyGaps } from './key-gaps.ts';
import { keyLookup } from './key-lookup.ts';
import { readMeta, writeMeta } from './replica-meta.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { ParentKey, RowRule } from './row-rules.ts';
import { ruleTable, ruleTableNamed, type RuleTable } from './rule-table.ts';
import { scanFindings } from './scan-findings.ts';
import { toNumber, type StoredValue } from './store-database.ts';

/** A stretch of the log: entries after `from` up to `to`. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What happened to a table within a stretch. */
interface Touched {
  readonly tbl: number;
  readonly came: boolean;
  readonly changed: boolean;
  readonly went: boolean;
  /** Rows that were there before anything was recorded. */
  readonly found: boolean;
  /** Whether programs wrote to it here: what comes from elsewhere has keys. */
  readonly byOwn: boolean;
}

/**
 * Brings the findings of rows (CHECK, foreign key) up to the newest entry of the log: what was written is looked at, what
 * is listed is looked at again where it may have been mended, and children of rows that went are looked for (FINDING-001).
 *
 * Runs in a write transaction, after a notice. The cost follows what was written and what is listed. Where it could not,
 * for want of an index on the children, the table is looked through a bounded number of rows at a time.
 */
export function keepFindings(store: ReplicaStore): void {
  const from = Number(readMeta(store.db, 'foundSeq') ?? 0n);
  const to = store.logWriter.head();
  if (hasNews(store, { from, to })) {
    bringUp(store, { from, to });
    writeMeta(store.db, 'foundSeq', BigInt(to));
  }
  scanFindings(store);
}

/** More than that a group was closed. */
const hasNews = ({ db }: ReplicaStore, { from, to }: Stretch): boolean =>
  db
    .preparePluck<[number, number]>(
      `select 1 from _concord_log where seq > ? and seq <= ? and kind <> ${LOG_KIND.notice} limit 1`,
    )
    .get(from, to) !== undefined;

function bringUp(store: ReplicaStore, stretch: Stretch): void {
  followSchema(store, stretch);
  const { rules, children } = store.rules();
  const isListing = hasListedRows(store);
  for (const touched of readTouched(store, stretch)) {
    const of = ruleTable(store, touched.tbl);
    if (of === null) continue;
    if (touched.byOwn) findKeyGaps(store.db, of.table, store.ports.clock.nowMs());
    if (rules.size === 0) continue;
    const name = foldIdentifier(of.table.name ?? '');
    if (of.rules.length > 0) lookAtRows(store, of, { stretch, touched, isListing });
    for (const child of children.get(name) ?? []) {
      const childTable = ruleTableNamed(store, child);
      if (childTable !== null) lookAtChildren(store, { parent: of, child: childTable, stretch, touched });
    }
  }
}

function readTouched({ db }: ReplicaStore, { from, to }: Stretch): readonly Touched[] {
  const rows = db
    .prepareRaw<[number, number, number, number], [bigint, bigint, bigint, bigint, bigint, bigint]>(
      `select tbl, max(kind in (${LOG_KIND.insert}, ${LOG_KIND.range}) or (kind = ${LOG_KIND.update} and key is not null)),
         max(kind = ${LOG_KIND.update}), max(kind in (${LOG_KIND.delete}, ${LOG_KIND.watch}) or key is not null), max(kind = ${LOG_KIND.baseline}),
         max(site is null and via is null)
       from _concord_log where seq > ? and seq <= ? and kind in (${ROW_KINDS.join(', ')}) group by tbl
       union all
        select t.tbl, 0, 0, 1, 0, 0 from _concord_log as l cross join _concord_held as h on h.n = l.rid
         cross join _concord_table as t on t.id = h.table_id
       where l.seq > ? and l.seq <= ? and l.kind = ${LOG_KIND.held} and h.reason = 'uniqueCollision' group by t.tbl`,
    )
    .all(from, to, from, to);
  return rows.map(([tbl, came, changed, went, found, byOwn]) => ({
    tbl: toNumber(tbl),
    came: came === 1n,
    changed: changed === 1n,
    went: went === 1n,
    found: found === 1n,
    byOwn: byOwn === 1n,
  }));
}

function lookAtRows(
  store: ReplicaStore,
  of: RuleTable,
  seen: { readonly stretch: Stretch; readonly touched: Touched; readonly isListing: boolean },
): void {
  const { stretch, touched, isListing } = seen;
  if (touched.found) requestScan(store, of.table.tbl);
  const rows = touched.came || touched.changed ? rowsToCheck(store, of, stretch) : [];
  for (const rule of of.rules) {
    if (isListing) unlistMended(store, of, rule);
    for (const some of rows) listBroken(store, of, { rule, rows: some });
  }
}

/** The rows of a table that were inserted or changed: single ones, and stretches. */
function rowsToCheck({ db }: ReplicaStore, of: RuleTable, { from, to }: Stretch): readonly RowsToCheck[] {
  const { tbl } = of.table;
  const single = `(select distinct rid as _concord_rid from _concord_log where seq > ? and seq <= ? and tbl = ?
    and kind in (${LOG_KIND.insert}, ${LOG_KIND.update}))`;
  const ranges = db
    .prepareRaw<[number, number, number], [bigint, bigint]>(
      `select rid, hi from _concord_log where seq > ? and seq <= ? and tbl = ? and kind = ${LOG_KIND.range}`,
    )
    .all(from, to, tbl);
  return [
    {
      from: `${single} as l cross join ${of.name} as t`,
      where: of.at('l._concord_rid'),
      bound: [BigInt(from), BigInt(to), BigInt(tbl)],
    },
    ...ranges.map(([lo, hi]) => ({
      from: `${of.name} as t`,
      where: `${of.rid} between ? and ?`,
      bound: [lo, hi],
    })),
  ];
}

interface Kinship {
  readonly parent: RuleTable;
  readonly child: RuleTable;
  readonly stretch: Stretch;
  readonly touched: Touched;
}

function lookAtChildren(store: ReplicaStore, kinship: Kinship): void {
  const { parent, child, touched } = kinship;
  for (const rule of child.rules) {
    if (rule.parent === null || !isSameName(rule.parent.table, parent.table.name ?? '')) continue;
    if (touched.came || touched.changed) unlistMended(store, child, rule);
    lookForOrphans(store, kinship, { rule, key: rule.parent });
  }
}

/** By index where the log knows which keys went and the children have one; else in the whole table, some rows at a time. */
function lookForOrphans(
  store: ReplicaStore,
  kinship: Kinship,
  { rule, key }: { readonly rule: RowRule; readonly key: ParentKey },
): void {
  const { child, touched } = kinship;
  if (touched.went && key.isPrimary && isIndexed(store, child, key)) {
    listBroken(store, child, { rule, rows: childrenOfGone(kinship, key) });
    return;
  }
  const mayMiss = touched.went || (!key.isPrimary && isReferredChanged(store, kinship, key));
  if (mayMiss) requestScan(store, child.table.tbl);
}

/** Children of rows that were deleted, moved, or went to held. */
function childrenOfGone({ parent, child, stretch }: Kinship, key: ParentKey): RowsToCheck {
  const gone = `(select key as _concord_key from _concord_log where seq > ? and seq <= ? and tbl = ? and key is not null
    union select h.key from _concord_log as l cross join _concord_held as h on h.n = l.rid
      where l.seq > ? and l.seq <= ? and l.kind = ${LOG_KIND.held} and h.table_id = ?)`;
  const columns = key.childColumns.map((name, at) => ({
    name,
    collation: parent.table.key[at]?.collation ?? 'BINARY',
  }));
  const bounds: readonly StoredValue[] = [BigInt(stretch.from), BigInt(stretch.to)];
  return {
    from: `${gone} as l cross join ${child.name} as t`,
    where: keyLookup(columns, 't.', 'l._concord_key'),
    bound: [...bounds, BigInt(parent.table.tbl), ...bounds, parent.table.id],
  };
}

/** Whether children are found by an index that begins with the first column that refers. */
function isIndexed({ db }: ReplicaStore, { table }: RuleTable, { childColumns }: ParentKey): boolean {
  const [first = ''] = childColumns;
  const [key] = table.key;
  if (key !== undefined && isSameName(key.name, first)) return true;
  return (
    db
      .preparePluck<[string, string]>(
        `select 1 from pragma_index_list(?) as i join pragma_index_info(i.name) as c on c.seqno = 0
         where i.partial = 0 and c.name = ? collate nocase limit 1`,
      )
      .get(table.name ?? '', first) !== undefined
  );
}

/** Whether a column that is referred to, beside the primary key, was changed in any row: its old value is not known. */
function isReferredChanged(
  { db }: ReplicaStore,
  { parent, stretch, touched }: Kinship,
  key: ParentKey,
): boolean {
  if (!touched.changed) return false;
  return key.columns.some((name) => {
    const column = parent.table.columns.find((candidate) => isSameName(candidate.name, name));
    if (column === undefined) return false;
    const base = Math.floor(column.col / MASK_COLUMNS) * MASK_COLUMNS;
    return (
      db
        .preparePluck<unknown[]>(
          `select 1 from _concord_log where seq > ? and seq <= ? and tbl = ? and kind = ${LOG_KIND.update} and hi = ?
             and (mask >> ?) & 1 limit 1`,
        )
        .get(stretch.from, stretch.to, parent.table.tbl, BigInt(base), BigInt(column.col - base)) !==
      undefined
    );
  });
}

/** Migrations after which rows may break a rule that they did not break before. */
const NEW_RULES = [
  'create_table',
  'add_column',
  'add_constraint',
  'alter_column',
  'alter_primary_key',
  'redefine_table',
];

/** Rules that came, went or are called otherwise now. */
function followSchema(store: ReplicaStore, { from, to }: Stretch): void {
  const changed = store.db
    .prepareRaw<[number, number], [bigint, bigint, string]>(
      `select m.tbl, max(m.type in (select value from json_each('${JSON.stringify(NEW_RULES)}'))), max(m.object)
       from _concord_log as l cross join _concord_migration as m on m.n = l.rid
       where l.seq > ? and l.seq <= ? and l.kind = ${LOG_KIND.migration} and m.kind = 'table' and m.tbl is not null group by m.tbl`,
    )
    .all(from, to);
  if (changed.length === 0) return;
  forgetDroppedTables(store);
  for (const [tbl, isNew, object] of changed) {
    const of = ruleTable(store, toNumber(tbl));
    if (of !== null) dropFormerRules(store, of);
    if (of !== null && isNew === 1n && of.rules.length > 0) requestScan(store, of.table.tbl);
    for (const name of [object, of?.table.name ?? object]) followChildren(store, name, of === null);
  }
}

/** A parent that came may mend its children; without one that went they all are without. */
function followChildren(store: ReplicaStore, parent: string, isGone: boolean): void {
  for (const name of store.rules().children.get(foldIdentifier(parent)) ?? []) {
    const child = ruleTableNamed(store, name);
    if (child === null) continue;
    dropFormerRules(store, child);
    for (const rule of child.rules) {
      if (rule.parent?.table === foldIdentifier(parent)) unlistMended(store, child, rule);
    }
    if (isGone) requestScan(store, child.table.tbl);
  }
}
