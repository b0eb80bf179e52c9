import type { ChangeGroup, FactBlock } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { admitBlock } from './admission-block.ts';
import { selectRows } from './admission-row-read.ts';
import { deletionsOf } from './export-deletions.ts';
import { groupBody, readGroupBody } from './group-body.ts';
import { currentDefinition } from './live-table.ts';
import { rowAsFact } from './row-as-fact.ts';
import { silenceAllTriggers } from './silence-triggers.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';

// Rows of a table that is given another shape, or goes into another one, as the facts that would bring them to a peer. They
// wait in a temporary table, outside of the replica's file: a table may have more of them than memory holds.

/** Rows that are read or admitted together. */
const STRETCH_ROWS = 1_000;

/** Puts all rows of a table aside, with their stamps. No trigger of the application fires when they come back. */
export function exportRows(admission: Admission, table: TrackedTable): void {
  const { db } = admission.store;
  silenceAllTriggers(admission, table.name ?? '');
  db.exec(
    'create temp table if not exists _concord_export (n integer primary key, tbl integer not null, body blob not null)',
  );
  forgetExported(admission, table.tbl);
  const insert = db.prepare<[bigint, Uint8Array]>(
    'insert into temp._concord_export (tbl, body) values (?, ?)',
  );
  for (const rows of stretchesOf(admission, table)) {
    const facts = rows.map((row) => rowAsFact(admission, table, row));
    for (const group of joinAlike(facts)) insert.run(BigInt(table.tbl), groupBody(group));
  }
}

/** Puts aside, behind its rows, what is known to be deleted of a table. */
export function exportDeletions({ store }: Admission, table: TrackedTable): void {
  const insert = store.db.prepare<[bigint, Uint8Array]>(
    'insert into temp._concord_export (tbl, body) values (?, ?)',
  );
  for (const group of deletionsOf(store, table)) insert.run(BigInt(table.tbl), groupBody(group));
}

/** Neighbours that were written together and never changed are one block: such are admitted many at a time. */
function joinAlike(facts: readonly ReturnType<typeof rowAsFact>[]): readonly ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  let open: {
    readonly fact: FactBlock;
    readonly site: SiteId | undefined;
    readonly rows: FactBlock['rows'][number][];
  } | null = null;
  for (const { group, block } of facts) {
    const [site] = group.sites;
    const isPlain = block.lives.length === 0 && block.clocks.length === 0;
    if (isPlain && open?.fact.hlc === block.hlc && open.site === site && isAlike(open.fact, block)) {
      open.rows.push(...block.rows);
      continue;
    }
    const rows = [...block.rows];
    groups.push({ ...group, blocks: [{ ...block, rows }] });
    open = isPlain ? { fact: block, site, rows } : null;
  }
  return groups;
}

/** Rows of one age may have been written before and after a column was added. */
const isAlike = (left: FactBlock, right: FactBlock): boolean =>
  left.columns.length === right.columns.length &&
  left.columns.every((column, at) => column === right.columns[at]);

type Rows = ReturnType<typeof selectRows>;

function* stretchesOf(admission: Admission, table: TrackedTable): Generator<Rows> {
  const places = placesOf(admission, table);
  if (places === null) {
    yield selectRows(admission, table, { where: '1 = 1', values: [] });
    return;
  }
  const order = `order by ${places.join(', ')} limit ${String(STRETCH_ROWS)}`;
  const after = `(${places.join(', ')}) > (${places.map(() => '?').join(', ')})`;
  let rows = selectRows(admission, table, { where: `1 = 1 ${order}`, values: [] });
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    yield rows;
    rows = selectRows(admission, table, { where: `${after} ${order}`, values: placeOf(table, last) });
  }
}

/** What rows can be read in the order of; null where only all at once. */
function placesOf({ store }: Admission, table: TrackedTable): readonly string[] | null {
  if (table.kind !== TABLE_KIND.withoutRowid) return [table.ridExpression];
  // Where columns hide the rowid, a key may hold NULL.
  if (currentDefinition(store, table.name ?? '')?.withoutRowid !== true) return null;
  return table.key.map(
    ({ name, collation }) => `${quoteIdentifier(name)} collate ${quoteIdentifier(collation ?? 'BINARY')}`,
  );
}

const placeOf = (table: TrackedTable, { rid, values }: Rows[number]): readonly SqlValue[] =>
  table.kind === TABLE_KIND.withoutRowid
    ? table.key.map((column) => values[table.columns.indexOf(column)] ?? null)
    : [rid];

/**
 * Admits the rows that were put aside of a table (`of`: its ordinal, which need not be there any more), by the IDs that they
 * name. What finds no place there is held.
 *
 * `via`: whom their entries name as the one who brought them.
 */
export function admitExportedRows(
  admission: Admission,
  { of, via = null }: { readonly of: number; readonly via?: number | null },
): void {
  // Whoever brought the decision did not bring these rows.
  const inner: Admission = {
    ...admission,
    via,
    acceptsOwn: true,
    originOf: (group, hlc, site) => ({ ...admission.originOf(group, hlc, site), via }),
  };
  for (const group of exportedRows(admission, of)) {
    for (const block of group.blocks) admitBlock(inner, group, block);
  }
  forgetExported(admission, of);
}

/** The rows that were put aside of a table. */
export function* exportedRows({ store }: Admission, of: number): Generator<ChangeGroup> {
  const next = store.db.prepareRaw<[bigint, bigint, number], [bigint, Uint8Array]>(
    'select n, body from temp._concord_export where tbl = ? and n > ? order by n limit ?',
  );
  for (let rows = next.all(BigInt(of), 0n, STRETCH_ROWS); rows.length > 0;) {
    for (const [, body] of rows) yield readGroupBody(body);
    rows = next.all(BigInt(of), rows.at(-1)?.[0] ?? 0n, STRETCH_ROWS);
  }
}

/** Ends the putting aside of a table's rows. */
export function forgetExported({ store }: Admission, of: number): void {
  store.db.prepare<[bigint]>('delete from temp._concord_export where tbl = ?').run(BigInt(of));
}
