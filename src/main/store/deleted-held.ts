import type { ChangeGroup, Stamp } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import { readEntry } from './held-entries.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

// What a person deleted of what is held may be held by others still, and come by another way: it is not held anew. A row
// that waits takes in what is written to it, so what comes need not be what was deleted: it is over if every cell of it was
// deleted with its stamp or a later one.

/** A fact that waits, or would. */
export interface FactToHold {
  readonly op: 'row' | 'cells' | 'delete' | 'migration';
  readonly tableId: string;
  readonly key: SqlValue;
  readonly life: number;
  /** The fact alone. */
  readonly group: ChangeGroup;
}

/** Stamps of a fact: the row's own, and of each cell beside the key. */
interface FactStamps {
  readonly row: Stamp;
  readonly cells: ReadonlyMap<string, Stamp>;
}

/** Keeps in mind that held changes are settled on purpose, by their numbers: while they are held still. */
export function rememberDeleted(store: ReplicaStore, numbers: readonly number[]): void {
  const { db, ports } = store;
  const insert = db.prepare<unknown[]>(
    `insert or ignore into _concord_held_deleted (table_id, key, op, life, stamps, at_ms) values (?, ?, ?, ?, ?, ?)`,
  );
  const nowMs = BigInt(ports.clock.nowMs());
  for (const n of numbers) {
    const entry = readEntry(store, BigInt(n));
    if (entry === null) continue;
    const { tableId, key, op, life } = entry;
    insert.run(tableId, key, op, BigInt(life), textOf(stampsOf(store, entry)), nowMs);
  }
}

/** Whether a person deleted all that a fact says, or what comes after it. */
export function isDeletedHere(store: ReplicaStore, fact: FactToHold): boolean {
  const deleted = store.db
    .prepareRaw<[string, SqlValue], [string, bigint, string]>(
      'select op, life, stamps from _concord_held_deleted where table_id = ? and key = ?',
    )
    .all(fact.tableId, fact.key);
  if (deleted.length === 0) return false;
  if (fact.op === 'migration') return true;
  if (deleted.some(([op, life]) => op !== 'delete' && toNumber(life) > fact.life)) return true;
  const alike = deleted
    .filter(([op, life]) => toNumber(life) === fact.life && (op === 'delete') === (fact.op === 'delete'))
    .map(([op, , stamps]) => ({ op, ...stampsFrom(stamps) }));
  const { row, cells } = stampsOf(store, fact);
  const isRowDeleted =
    fact.op === 'cells' || alike.some((other) => other.op === fact.op && isUpTo(row, other.row));
  return (
    isRowDeleted &&
    [...cells].every(([id, stamp]) => alike.some((other) => isUpTo(stamp, other.cells.get(id))))
  );
}

const isUpTo = (stamp: Stamp, other: Stamp | undefined): boolean =>
  other !== undefined && compareStamps(stamp, other) <= 0;

/** Forgets the deletions before a time: by then nobody holds what was deleted, so nobody offers it. */
export function forgetDeletionsBefore({ db }: Pick<ReplicaStore, 'db'>, beforeMs: bigint): void {
  db.prepare<[bigint]>('delete from _concord_held_deleted where at_ms < ?').run(beforeMs);
}

function stampsOf(
  { registry, site: ownSite }: ReplicaStore,
  { tableId, group }: Pick<FactToHold, 'tableId' | 'group'>,
): FactStamps {
  const [block] = group.blocks;
  // A migration is told by its key alone.
  if (block === undefined) return { row: { hlc: 0n, site: ownSite }, cells: new Map() };
  const table = registry.byId(tableId);
  const reference = group.tables[block.table];
  const stampAt = (hlc: bigint, site: number): Stamp => ({ hlc, site: group.sites[site] ?? ownSite });
  const row = stampAt(block.hlc, block.site);
  const own = new Map(block.clocks.map(([, place, hlc, site]) => [place, stampAt(hlc, site)]));
  const cells = block.columns.flatMap((index, place): readonly (readonly [string, Stamp])[] => {
    const id = reference?.columns[index]?.id;
    if (id === undefined || reference?.key.includes(index) === true) return [];
    const here = table === null ? null : registry.resolveColumn(table, id);
    return [[here?.kind === 'column' ? here.column.id : id, own.get(place) ?? row]];
  });
  return { row, cells: new Map(block.kind === 'deletes' ? [] : cells) };
}

/** JSON: the row's stamp, and of each column its own, or null where it is the row's. */
function textOf({ row, cells }: FactStamps): string {
  const own = [...cells].map(([id, stamp]) => [id, compareStamps(stamp, row) === 0 ? null : pairOf(stamp)]);
  return JSON.stringify([pairOf(row), own]);
}

const pairOf = ({ hlc, site }: Stamp): readonly [string, SiteId] => [hlc.toString(), site];

function stampsFrom(text: string): FactStamps {
  // Written by `textOf` alone.
  const [row, cells] = JSON.parse(text) as [[string, SiteId], [string, [string, SiteId] | null][]];
  return {
    row: stampFrom(row),
    cells: new Map(cells.map(([id, own]) => [id, stampFrom(own ?? row)])),
  };
}

const stampFrom = ([hlc, site]: readonly [string, SiteId]): Stamp => ({ hlc: BigInt(hlc), site });
