import type { ChangeGroup, FactBlock, TableReference } from '#shared/model/change-group.ts';

import { readGroupBody } from './group-body.ts';
import type { OutgoingFact } from './group-builder.ts';
import type { FactEvent } from './page-events.ts';
import { factEvent, type EntryRun, type PageReader } from './page-facts.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';

/** Held facts that wait still, as they came: other peers may have the table (U03). */
export function* readHeld(reader: PageReader, run: EntryRun): Generator<FactEvent> {
  const find = reader.db.preparePluck<[bigint], Uint8Array>(`select body from _concord_held where n = ?`);
  for (const { seq, rid } of run.entries) {
    const body = typeof rid === 'bigint' ? find.get(rid) : undefined;
    if (body === undefined) continue;
    const fact = factOf(readGroupBody(body), -seq);
    // A row that never had a key is nobody else's: no peer could tell which row is meant.
    if (fact !== null && fact.table.key.length > 0)
      yield factEvent({ seq, inside: null, isBaseline: false }, fact);
  }
}

/** The one fact of a held group. `tbl`: tells its table apart from others of the page. */
function factOf(group: ChangeGroup, tbl: number): OutgoingFact | null {
  const [block] = group.blocks;
  const reference = block === undefined ? undefined : group.tables[block.table];
  const site = block === undefined ? undefined : group.sites[block.site];
  if (block === undefined || reference === undefined || site === undefined) return null;
  const table = tableOf(reference, tbl);
  return {
    kind: block.kind,
    table,
    columns: block.columns.flatMap((index) => table.columns[index] ?? []),
    values: block.rows[0] ?? [],
    hlc: block.hlc,
    site,
    life: block.lives[0]?.[1] ?? (block.kind === 'deletes' ? 2 : 1),
    clocks: clocksOf(group, block),
  };
}

const clocksOf = (group: ChangeGroup, block: FactBlock): OutgoingFact['clocks'] =>
  block.clocks.flatMap(([, place, hlc, site]) => {
    const author = group.sites[site];
    return author === undefined ? [] : [{ place, hlc, site: author }];
  });

/** The table as the fact's author named it: it need not be here. */
function tableOf(reference: TableReference, tbl: number): TrackedTable {
  const columns = reference.columns.map(({ id, name }, col): TrackedColumn => ({
    col,
    id,
    name,
    pk: reference.key.indexOf(col) + 1,
    collation: null,
    addedSeq: 0,
    defaultText: null,
  }));
  return {
    tbl,
    id: reference.id,
    name: reference.name,
    kind: TABLE_KIND.rowid,
    columns,
    key: reference.key.flatMap((index) => columns[index] ?? []),
    formerColumns: [],
    liveColumns: columns,
    ridExpression: 'rowid',
    definition: '',
    created: null,
    dropped: null,
  };
}
