import type { ChangeGroup, FactBlock, Stamp } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { NO_STAMP_HLC } from './row-clock.ts';
import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import {
  deleteQuietly,
  isLater,
  selectRows,
  stampOf,
  type CellClock,
  type LocalRow,
} from './admission-row-read.ts';
import { holdFact } from './held-facts.ts';
import { keyValueOf } from './key-expression.ts';
import type { TrackedTable } from './table-registry.ts';

/** One row of a block, with the life and cell clocks it travels with. */
export interface RowFact {
  /** Place in the block. */
  readonly index: number;
  readonly life: number;
  readonly clocks: readonly CellClock[];
}

/**
 * Settles who keeps a unique key when a fact collides with rows that are here: the earlier claim stays.
 *
 * A claim is the highest stamp among the cells that the key is made of. Where the fact's claim is the earlier one,
 * the rows that hold the key are moved to held and the answer is `retry`; else `hold` the fact. Unique indexes over
 * expressions or with a condition cannot be read off the fact: there the fact waits.
 */
export function settleCollision(
  admission: Admission,
  planned: PlannedBlock,
  fact: RowFact,
): 'retry' | 'hold' {
  const { table } = planned.plan;
  let displaced = false;
  for (const columns of uniqueKeysOf(admission, table)) {
    const places = columns.map(
      (name) => planned.plan.known.find((entry) => entry.column.name === name)?.place ?? -1,
    );
    if (places.some((place) => place < 0)) continue;
    const row = planned.block.rows[fact.index] ?? [];
    for (const holder of holdersOf(admission, planned, {
      columns,
      values: places.map((place) => row[place] ?? null),
      row,
    })) {
      const incoming = latest(places.map((place) => stampOf(planned, fact.clocks, place).stamp));
      const clocks = admission.store.clocks.row(table.tbl, holder.rid);
      const standing = latest(
        table.columns.filter((column) => columns.includes(column.name)).map((column) => clocks.cell(column)),
      );
      if (!isLater(standing, incoming)) return 'hold';
      moveToHeld(admission, table, holder);
      displaced = true;
    }
  }
  return displaced ? 'retry' : 'hold';
}

/** Columns of each unique key besides the primary one, as far as columns alone make it. */
function uniqueKeysOf(admission: Admission, table: TrackedTable): readonly (readonly string[])[] {
  const { db } = admission.store;
  return db
    .preparePluck<[string], string>(
      `select name from pragma_index_list(?) where "unique" = 1 and partial = 0 and origin <> 'pk'`,
    )
    .all(table.name ?? '')
    .map((index) =>
      db
        .preparePluck<[string], string | null>('select name from pragma_index_info(?) order by seqno')
        .all(index),
    )
    .filter((columns): columns is string[] => columns.every((name) => name !== null));
}

function holdersOf(
  admission: Admission,
  planned: PlannedBlock,
  key: {
    readonly columns: readonly string[];
    readonly values: readonly SqlValue[];
    readonly row: readonly SqlValue[];
  },
): readonly LocalRow[] {
  const { table, keyPlaces } = planned.plan;
  if (key.values.some((value) => value === null)) return [];
  const matches = key.columns.map(
    (name, at) => `${quoteIdentifier(name)} = ${admission.placeholder(key.values[at] ?? null)}`,
  );
  const self = table.key.map((column) => `${quoteIdentifier(column.name)} = ?`);
  return selectRows(admission, table, {
    where: `${matches.join(' and ')} and not (${self.join(' and ')})`,
    values: [...key.values, ...(keyPlaces ?? []).map((place) => key.row[place] ?? null)],
  });
}

const latest = (stamps: readonly Stamp[]): Stamp =>
  stamps.reduce((left, right) => (isLater(right, left) ? right : left));

/** Takes a row out of its table into held, with its stamps, as its author wrote it. */
function moveToHeld(admission: Admission, table: TrackedTable, row: LocalRow): void {
  const { group, block } = rowAsFact(admission, table, row);
  holdFact(admission, { group, block, row: 0, reason: 'uniqueCollision', wasHere: true });
  deleteQuietly(admission, table, row);
  admission.touchedKeys.add(table.tbl);
}

/** A row that is here as the fact that would bring it to a peer. */
export function rowAsFact(
  admission: Admission,
  table: TrackedTable,
  row: LocalRow,
): { readonly group: ChangeGroup; readonly block: FactBlock } {
  const { store } = admission;
  const clocks = store.clocks.row(table.tbl, row.rid);
  const base = clocks.row();
  const sites = [base.site];
  const siteIndex = (site: Stamp['site']): number => {
    if (!sites.includes(site)) sites.push(site);
    return sites.indexOf(site);
  };
  const cells = table.columns.flatMap((column, place) => {
    const stamp = clocks.cell(column);
    // What nobody wrote is no part of the fact: whoever takes it in has a default for it.
    return stamp.hlc === NO_STAMP_HLC && column.pk === 0 ? [] : [{ place, stamp }];
  });
  const own = cells.flatMap(({ stamp }, at) =>
    stamp.hlc === base.hlc && stamp.site === base.site
      ? []
      : [[0, at, stamp.hlc, siteIndex(stamp.site)] as const],
  );
  const key = keyValueOf(
    table,
    table.key.map((column) => row.values[table.columns.indexOf(column)] ?? null),
  );
  const life = key === null ? 1 : (store.clocks.life(table.tbl, key) ?? 1);
  const block: FactBlock = {
    table: 0,
    hlc: base.hlc,
    site: 0,
    kind: 'rows',
    columns: cells.map(({ place }) => place),
    rows: [cells.map(({ place }) => row.values[place] ?? null)],
    lives: life === 1 ? [] : [[0, life]],
    clocks: own,
  };
  const reference = {
    id: table.id,
    name: table.name ?? '',
    columns: table.columns.map((column) => ({ id: column.id, name: column.name })),
    key: table.key.map((key) => table.columns.indexOf(key)),
  };
  return { group: { sites, tables: [reference], migrations: [], blocks: [block] }, block };
}
