import type { ChangeGroup, FactBlock } from '#shared/model/change-group.ts';

import { readKeyExactly } from './exact-values.ts';
import { readFormerKeys } from './former-keys.ts';
import type { KeyValue } from './key-expression.ts';
import { decodeKey } from './key-lookup.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { ReplicaStore } from './replica-store.ts';
import { OWN_SITE_ORDINAL } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';

/** What is known to be deleted of a table, or left out of its life, as the facts that would bring it to a peer. */
export function* deletionsOf(store: ReplicaStore, table: TrackedTable): Generator<ChangeGroup> {
  const { db } = store;
  const under = db.prepareRaw<[bigint], StoredDeletion>(
    `select y.key, y.life, y.seq, l.hlc, l.site from _concord_life as y join _concord_log as l on l.seq = y.seq
     where y.tbl = ? and (y.life % 2 = 0 or l.kind = ${LOG_KIND.delete}) order by y.seq`,
  );
  for (const row of under.all(BigInt(table.tbl))) yield deletionOf(store, { table, key: table.key, row });
  const formerly = db.prepareRaw<[bigint, string], StoredDeletion>(
    `select y.key, y.life, y.seq, l.hlc, l.site from _concord_former as y join _concord_log as l on l.seq = y.seq
     where y.tbl = ? and y.cols = ? order by y.seq`,
  );
  for (const { cols, columns } of readFormerKeys(db, table)) {
    for (const row of formerly.all(BigInt(table.tbl), cols))
      yield deletionOf(store, { table, key: columns, row });
  }
}

type StoredDeletion = readonly [key: KeyValue, life: bigint, seq: bigint, hlc: bigint, site: bigint | null];

/** What a deletion is taken for when it says nothing of a life. */
const PLAIN_LIFE = 2n;

function deletionOf(
  store: ReplicaStore,
  deleted: {
    readonly table: TrackedTable;
    readonly key: readonly TrackedColumn[];
    readonly row: StoredDeletion;
  },
): ChangeGroup {
  const { table, key, row } = deleted;
  const [identity, life, seq, hlc, site] = row;
  const exact = readKeyExactly(store, { seq: toNumber(seq), key: identity });
  const places = key.map((_column, place) => place);
  const block: FactBlock = {
    table: 0,
    hlc: toBigInt(hlc),
    site: 0,
    kind: 'deletes',
    columns: places,
    rows: [decodeKey({ key }, exact)],
    lives: life === PLAIN_LIFE ? [] : [[0, toNumber(life)]],
    clocks: [],
  };
  return {
    sites: [store.sites.siteOf(site === null ? OWN_SITE_ORDINAL : toNumber(site))],
    tables: [
      {
        id: table.id,
        name: table.name ?? '',
        columns: key.map(({ id, name }) => ({ id, name })),
        key: places,
      },
    ],
    migrations: [],
    blocks: [block],
  };
}
