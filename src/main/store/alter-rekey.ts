import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { findBreach, refuseBreach } from './alter-breach.ts';
import { keepDeletions, keepLives, readLives } from './alter-lives.ts';
import type { AlterRun } from './alter-table.ts';
import { keyOfDefinition, kindOfDefinition, rowidColumn } from './definition-key.ts';
import { keepEarlierKey, keepJoinedRows } from './earlier-keys.ts';
import { appendBaseline } from './log-baseline.ts';
import {
  keptRowid,
  rebuildTable,
  replaceEmptyTable,
  type RebuildReport,
  type RebuildRequest,
} from './rebuild-table.ts';
import { admitExportedRows, exportRows } from './redefine-rows.ts';
import { restoreTriggers } from './silence-triggers.ts';
import { OWN_SITE_ORDINAL } from './site-registry.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';

/**
 * Gives a table a shape under which its rows have another identity: another key, or one that is stored or compared in
 * another way. Rows keep their stamps and lives, deletions are known further on.
 *
 * Where rowids stay, clocks stay as they are and lives get their new keys; else all rows are taken in anew.
 */
export function rekeyTable(run: AlterRun, request: RebuildRequest, track: () => void): RebuildReport {
  const staysInPlace = keepsRowids(request);
  // A rebuild finds all else by itself. Rows that are taken in anew would be held, one by one.
  if (!staysInPlace || hasGaps(run, request)) {
    const breach = findBreach(run, request);
    if (breach !== null) refuseBreach(request.name, breach);
  }
  if (kindOfDefinition(request.current) === TABLE_KIND.noKey) return beginToSync(run, request, track);
  return staysInPlace ? rekeyInPlace(run, request, track) : takeInAnew(run, request, track);
}

/** Whether rows have NULL in the new key, which SQLite lets in where the key is not the rowid. */
function hasGaps({ admission }: AlterRun, { name, target }: RebuildRequest): boolean {
  const isGap = keyOfDefinition(target).map((column) => `${quoteIdentifier(column.name)} is null`);
  const sql = `select 1 from ${quoteIdentifier(name)} where ${isGap.join(' or ')} limit 1`;
  return admission.store.db.preparePluck<[]>(sql).get() !== undefined;
}

const keepsRowids = (request: RebuildRequest): boolean =>
  kindOfDefinition(request.current) !== TABLE_KIND.withoutRowid &&
  kindOfDefinition(request.target) !== TABLE_KIND.withoutRowid &&
  (rowidColumn(request.target) === null
    ? keptRowid(request) !== null
    : rowidColumn(request.target) === rowidColumn(request.current));

/** Rows of a table that had no key were local until now: they are there from now on, as at an attach. */
function beginToSync(run: AlterRun, request: RebuildRequest, track: () => void): RebuildReport {
  const { store } = run.admission;
  const report = rebuildTable(store.db, request);
  track();
  const before = store.logWriter.head();
  appendBaseline(store.db, store.trackedTable(run.table.tbl), store.clock.tick());
  // Neither an admission nor a local alteration of a key is folded any more.
  store.db
    .prepare<[bigint]>(
      `insert into _concord_range (tbl, lo, hi, seq) select tbl, rid, hi, seq from _concord_log where seq > ?`,
    )
    .run(BigInt(before));
  return report;
}

function rekeyInPlace(run: AlterRun, request: RebuildRequest, track: () => void): RebuildReport {
  const { store } = run.admission;
  const { tbl } = run.table;
  const before = store.trackedTable(tbl);
  const lives = readLives(store, before);
  keepJoinedRows(store.db, before, joining(before, request));
  keepEarlierKey(store, before);
  const report = rebuildTable(store.db, request);
  forget(run, ['life']);
  track();
  const after = store.trackedTable(tbl);
  keepLives(store, after, lives.alive);
  keepDeletions(run.admission, { before, after, deleted: lives.deleted });
  return report;
}

function takeInAnew(run: AlterRun, request: RebuildRequest, track: () => void): RebuildReport {
  const { store } = run.admission;
  const { tbl } = run.table;
  const before = store.trackedTable(tbl);
  const { deleted } = readLives(store, before);
  keepJoinedRows(store.db, before, joining(before, request));
  exportRows(run.admission, before);
  const report = replaceEmptyTable(store.db, request);
  forget(run, ['range', 'cell', 'life']);
  track();
  // Marked as brought by this replica itself: a notice gives such entries no new stamps.
  admitExportedRows(run.admission, { of: tbl, via: run.isLocal ? OWN_SITE_ORDINAL : null });
  if (run.isLocal) endAdmission(run.admission);
  keepDeletions(run.admission, { before, after: store.trackedTable(tbl), deleted });
  // Rows that were taken in anew have the cells and stamps that they had.
  keepEarlierKey(store, before);
  return report;
}

/** Ordinals of the columns that join the key. */
function joining({ columns }: TrackedTable, { target }: RebuildRequest): readonly number[] {
  const names = new Set(keyOfDefinition(target).map(({ name }) => foldIdentifier(name)));
  return columns.flatMap(({ col, name, pk }) => (pk === 0 && names.has(foldIdentifier(name)) ? [col] : []));
}

/** Of rows that were taken in beside a local transaction. */
function endAdmission(admission: Admission): void {
  restoreTriggers(admission);
  for (const tbl of admission.mutedTables) admission.store.logWriter.unmuteInserts(tbl);
  admission.mutedTables.clear();
}

function forget({ admission, table }: AlterRun, derived: readonly string[]): void {
  admission.store.clocks.forget();
  for (const name of derived) {
    admission.store.db.prepare<[number]>(`delete from _concord_${name} where tbl = ?`).run(table.tbl);
  }
}
