import { comparableDefault } from '../sql/comparable-default.ts';
import { isComputedDefault } from '../sql/is-computed-default.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { currentDefinition } from './live-table.ts';
import type { RowPlace } from './log-write.ts';
import type { TrackedColumn } from './table-registry.ts';

/**
 * Columns here that the author of a row did not know were written by nobody; their default fills them. One that is computed
 * is another value on each replica, so whoever fills the row first records it, with the row's own HLC.
 */
export function recordUnwritten(admission: Admission, planned: PlannedBlock, rid: RowPlace): void {
  const { table, known } = planned.plan;
  if (known.length === table.columns.length) return;
  const columns = table.columns.filter((column) => !known.some((entry) => entry.column.col === column.col));
  const computed = columns.filter(
    ({ defaultText }) => defaultText !== null && isComputedDefault(defaultText),
  );
  const { logWriter } = admission.store;
  if (computed.length > 0)
    recordFilled(admission, table.tbl, { rid, columns: computed, hlc: planned.block.hlc });
  const plain = columns.filter((column) => !computed.includes(column));
  const origin = admission.originOf(planned.group, 0n, planned.block.site);
  if (plain.length > 0)
    logWriter.appendCells(table.tbl, { rid, columns: plain.map(({ col }) => col) }, origin);
}

/** Records values that a default gave a row here, as facts of this replica with the HLC of the row. */
export function recordFilled(
  admission: Admission,
  tbl: number,
  cells: { readonly rid: RowPlace; readonly columns: readonly TrackedColumn[]; readonly hlc: bigint },
): void {
  const { rid, columns, hlc } = cells;
  admission.store.logWriter.appendCells(
    tbl,
    { rid, columns: columns.map(({ col }) => col) },
    { hlc, site: null, via: null },
  );
}

/** A column that an INSERT fills beside those that a fact carries. */
export interface UnwrittenValue {
  /** Quoted. */
  readonly column: string;
  readonly sql: string;
}

/**
 * The values of columns that the author of a row did not know: the defaults with which they were added, on every replica
 * alike, whatever the default is by now. Those that SQLite fills in anyhow are left out.
 */
export function unwrittenValues({ store }: Admission, { plan }: PlannedBlock): readonly UnwrittenValue[] {
  const { table, known } = plan;
  if (known.length === table.columns.length) return [];
  const definition = currentDefinition(store, table.name ?? '');
  return table.columns.flatMap(({ col, name, defaultText }) => {
    const column = definition?.columns.find((candidate) => isSameName(candidate.name, name));
    if (column === undefined || known.some((entry) => entry.column.col === col)) return [];
    const added = comparableDefault(defaultText ?? undefined);
    if (added === comparableDefault(column.defaultText)) return [];
    // A default that came later makes room for rows that had none (engine.md, section 3).
    if (added === undefined && column.notNull !== undefined) return [];
    return [{ column: quoteIdentifier(name), sql: added ?? 'null' }];
  });
}
