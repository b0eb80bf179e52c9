import { comparableDefault } from '../sql/comparable-default.ts';
import { isComputedDefault } from '../sql/is-computed-default.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { keyExpression } from './key-expression.ts';
import { besideTriggers, silenceTriggers } from './silence-triggers.ts';
import { trackAddedDefault } from './track-table.ts';
import { TABLE_KIND, type TrackedColumn, type TrackedTable } from './table-registry.ts';

/** A column whose rows were filled with a default that turns out not to be the one that holds. */
export interface Refill {
  readonly col: number;
  /** What it was added with, as far as all replicas are concerned; null for nothing. */
  readonly defaultText: string | null;
}

/** Which of these defaults are not those that the rows here were filled with. Those that are computed are facts already. */
export function refillsOf(table: TrackedTable, added: readonly Refill[]): readonly Refill[] {
  return added.filter(({ col, defaultText }) => {
    const column = table.columns.find((candidate) => candidate.col === col);
    if (column === undefined) return false;
    if ([column.defaultText, defaultText].some((text) => text !== null && isComputedDefault(text)))
      return false;
    return comparableDefault(column.defaultText ?? undefined) !== comparableDefault(defaultText ?? undefined);
  });
}

/**
 * Gives cells that nobody wrote the default that its column counts as added with: of two that added the column, the later
 * one's. Runs in an admission, after the fold.
 */
export function refillUnwritten(admission: Admission, tbl: number, refills: readonly Refill[]): void {
  if (refills.length === 0) return;
  const { store } = admission;
  for (const { col, defaultText } of refills) {
    const table = store.trackedTable(tbl);
    const column = table.columns.find((candidate) => candidate.col === col);
    if (column === undefined) continue;
    const name = table.name ?? '';
    const fill = comparableDefault(defaultText ?? undefined) ?? 'null';
    silenceTriggers(admission, name);
    besideTriggers(admission, name, () => {
      store.db.exec(
        `update ${quoteIdentifier(name)} as t set ${quoteIdentifier(column.name)} = ${fill} where ${isUnwritten(table, column)}`,
      );
    });
    trackAddedDefault(store.db, { tbl, col, defaultText });
    store.registry.invalidate();
  }
}

/** SQL that is true where the row `t` was recorded before the column came, and nobody wrote its cell since. */
function isUnwritten(table: TrackedTable, { col, addedSeq }: TrackedColumn): string {
  const { tbl, key, kind, ridExpression } = table;
  const rid = kind === TABLE_KIND.withoutRowid ? keyExpression(key, 't.') : `t.${ridExpression}`;
  const cell = (of: number): string =>
    `(select c.seq from _concord_cell as c where c.tbl = ${String(tbl)} and c.rid = +${rid} and c.col = ${String(of)})`;
  const range = `(select g.seq from _concord_range as g where g.tbl = ${String(tbl)} and g.lo <= +${rid} order by g.lo desc limit 1)`;
  return `coalesce((select l.hlc = 0 from _concord_log as l where l.seq = ${cell(col)}), coalesce(${cell(-1)}, ${range}, 0) < ${String(addedSeq)})`;
}
