import type { ChangeGroup, FactBlock } from '#shared/model/change-group.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { attemptWithin } from './admission-attempt.ts';
import type { Admission } from './admission-context.ts';
import { holdFact } from './held-facts.ts';
import { exportedRows, forgetExported } from './redefine-rows.ts';
import { isFaultOfRow, silenceTriggers } from './silence-triggers.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * Puts the rows that were put aside of a table (`of`: its ordinal) into one without a key, where they are no facts any more
 * and stay on this replica. What the shape does not take is held, and so are values of columns that it lacks.
 */
export function insertLocalRows(admission: Admission, table: TrackedTable, of: number): void {
  silenceTriggers(admission, table.name ?? '');
  for (const group of exportedRows(admission, of)) {
    // What was deleted is nowhere.
    for (const block of group.blocks)
      if (block.kind === 'rows') insertBlock(admission, table, { group, block });
  }
  forgetExported(admission, of);
}

function insertBlock(
  admission: Admission,
  table: TrackedTable,
  facts: { readonly group: ChangeGroup; readonly block: FactBlock },
): void {
  const { store, placeholder, bindable } = admission;
  const { group, block } = facts;
  const columns = group.tables[block.table]?.columns ?? [];
  const placed = block.columns.flatMap((index, place) => {
    const here = store.registry.resolveColumn(table, columns[index]?.id ?? '');
    return here.kind === 'column' ? [{ name: here.column.name, place }] : [];
  });
  const unknown = block.columns.flatMap((index, place) =>
    store.registry.resolveColumn(table, columns[index]?.id ?? '').kind === 'unknown' ? [place] : [],
  );
  const names = placed.map(({ name }) => quoteIdentifier(name)).join(', ');
  block.rows.forEach((row, index) => {
    const values = placed.map(({ place }) => row[place] ?? null);
    const sql =
      values.length === 0
        ? `insert into ${quoteIdentifier(table.name ?? '')} default values`
        : `insert into ${quoteIdentifier(table.name ?? '')} (${names}) values (${values.map(placeholder).join(', ')})`;
    const isIn = attemptWithin(admission, () => {
      try {
        store.db.prepare<unknown[]>(sql).run(...values.map(bindable));
        return true;
      } catch (cause) {
        if (!isFaultOfRow(store, table.name ?? '', cause)) throw cause;
        return false;
      }
    });
    if (!isIn) holdFact(admission, { ...facts, row: index, reason: 'refusedValue', wasHere: true });
    else if (unknown.some((place) => row[place] !== null))
      holdFact(admission, { ...facts, row: index, reason: 'unknownColumn', places: unknown, wasHere: true });
  });
}
