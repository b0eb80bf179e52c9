import type { ChangeGroup, Cursor, Stamp } from '#shared/model/change-group.ts';
import { encodeBase64url } from '#shared/model/base64url.ts';
import { formatStamp } from '#shared/model/hlc.ts';
import { ConflictId, type MigrationId, type SiteId } from '#shared/model/ids.ts';
import type { BlockedView } from '#shared/model/views.ts';
import type { BlockCause, ObjectKind, ResolutionOption } from '#shared/model/vocabulary.ts';

import { conflictIdOf } from '../engine/migration/conflict-id.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Refusal } from './admission-refused.ts';
import { readUnitBody, unitBody, type UnitBody } from './group-body.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

/** Makes a refused unit the blocked batch of its peer; one that is blocked already is one more attempt. */
export function blockPeer(
  store: ReplicaStore,
  unit: {
    readonly site: SiteId;
    readonly groups: readonly ChangeGroup[];
    readonly cursor: Cursor;
    readonly head: number;
    readonly pruned?: readonly Stamp[] | undefined;
    readonly refusal: Refusal;
  },
): void {
  const { refusal } = unit;
  const nowMs = store.ports.clock.nowMs();
  const conflictId = conflictOf(store, refusal);
  store.db.transaction(() => {
    const site = BigInt(store.sites.ordinalOf(unit.site));
    const before = store.db
      .prepareRaw<[bigint], [string, bigint, bigint]>(
        'select conflict_id, since_ms, attempts from _concord_blocked where site = ?',
      )
      .get(site);
    const isSame = before?.[0] === conflictId;
    const attempts = isSame ? toNumber(before[2]) + 1 : 1;
    const waitMs = Math.min(
      store.settings.retryMaxMs,
      store.settings.retryFirstMs * 2 ** Math.min(attempts - 1, 16),
    );
    store.db
      .prepare<unknown[]>(
        `insert or replace into _concord_blocked (site, conflict_id, cause, kind, object, detail, unit, unit_seq, unit_facts, since_ms, attempts, next_try_ms)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        site,
        conflictId,
        refusal.cause,
        refusal.kind ?? 'table',
        refusal.object,
        JSON.stringify(refusal),
        unitBody({
          groups: unit.groups,
          cursor: unit.cursor,
          head: unit.head,
          ...(unit.pruned === undefined ? {} : { pruned: unit.pruned }),
        }),
        BigInt(unit.cursor.seq),
        BigInt(factsIn(unit.groups)),
        isSame ? before[1] : BigInt(nowMs),
        BigInt(attempts),
        BigInt(nowMs + waitMs),
      );
  });
}

/** The same on both sides of a contradiction of migrations; of other causes, a name of this refusal alone. */
export function conflictOf(store: ReplicaStore, refusal: Refusal): ConflictId {
  if (refusal.migrations !== undefined) {
    return conflictIdOf({ cause: refusal.cause, migrations: refusal.migrations }, store.ports.hash);
  }
  return ConflictId.parse(
    encodeBase64url(
      store.ports
        .hash(`${refusal.cause}\n${store.site}\n${refusal.object}${refusal.about ?? ''}`)
        .subarray(0, 16),
    ),
  );
}

/** A refusal as an admission reports it. */
export const summaryOf = (
  store: ReplicaStore,
  refusal: Refusal,
): {
  readonly conflictId: ConflictId;
  readonly cause: BlockCause;
  readonly object: string;
  readonly message: string;
} => ({
  conflictId: conflictOf(store, refusal),
  cause: refusal.cause,
  object: refusal.object,
  message: refusal.message,
});

const factsIn = (groups: readonly ChangeGroup[]): number =>
  groups.reduce(
    (sum, group) =>
      sum + group.migrations.length + group.blocks.reduce((rows, block) => rows + block.rows.length, 0),
    0,
  );

/** The refused unit of a peer; null when the peer is not blocked. */
export function readBlockedUnit(store: ReplicaStore, site: SiteId): UnitBody | null {
  const ordinal = store.sites.findOrdinal(site);
  if (ordinal === null) return null;
  const body = store.db
    .preparePluck<[bigint], Uint8Array>(
      `select unit from _concord_blocked where site = ? and cause not in (${PEER_CAUSES})`,
    )
    .get(BigInt(ordinal));
  return body === undefined ? null : readUnitBody(body);
}

/** Frees a peer's line, in the transaction that admits its unit. */
export function unblockPeer(store: ReplicaStore, site: SiteId): void {
  store.db
    .prepare<[bigint]>('delete from _concord_blocked where site = ?')
    .run(BigInt(store.sites.ordinalOf(site)));
}

/** Causes that lie in the peer, not in a unit of its: what follows is asked for again, and nothing is tried before it is here. */
export const PEER_CAUSES = `'tooOld', 'epochChanged', 'duplicateSite'`;

export interface BlockedRow {
  readonly site: SiteId;
  readonly conflictId: ConflictId;
  readonly refusal: Refusal;
  readonly unitSeq: number;
  readonly unitFacts: number;
  readonly sinceMs: number;
  readonly attempts: number;
  readonly nextTryMs: number;
  readonly peerHead: number;
  readonly kind: ObjectKind;
}

/** All blocked batches, the oldest first. */
export function readBlocked(store: ReplicaStore): readonly BlockedRow[] {
  return store.db
    .prepare<[], Readonly<Record<string, unknown>>>(
      `select b.site, conflict_id, kind, detail, unit_seq, unit_facts, since_ms, attempts, next_try_ms, coalesce(p.head, unit_seq) as peer_head
       from _concord_blocked as b left join _concord_peer as p on p.site = b.site order by since_ms, b.site`,
    )
    .all()
    .map((row) => ({
      site: store.sites.siteOf(toNumber(row['site'])),
      conflictId: ConflictId.parse(row['conflict_id']),
      // Written by `blockPeer` alone.
      refusal: JSON.parse(String(row['detail'])) as Refusal,
      kind: row['kind'] as ObjectKind,
      unitSeq: toNumber(row['unit_seq']),
      unitFacts: toNumber(row['unit_facts']),
      sinceMs: toNumber(row['since_ms']),
      attempts: toNumber(row['attempts']),
      nextTryMs: toNumber(row['next_try_ms']),
      peerHead: toNumber(row['peer_head']),
    }));
}

/** The blocked batches as people and screens read them. */
export const listBlocked = (store: ReplicaStore): readonly BlockedView[] =>
  readBlocked(store).map((row) => viewOf(store, row));

function viewOf(store: ReplicaStore, row: BlockedRow): BlockedView {
  const { refusal } = row;
  const [localId, remoteId] = refusal.migrations ?? [];
  const local = creationView(store, row.site, localId);
  const remote = creationView(store, row.site, remoteId);
  return {
    conflictId: row.conflictId,
    from: row.site,
    cause: refusal.cause,
    kind: row.kind,
    object: refusal.object,
    column: refusal.column ?? null,
    message: refusal.message,
    localDdl: refusal.localDdl ?? '',
    remoteDdl: refusal.remoteDdl ?? '',
    localCreatedBy: local.by,
    localCreatedHlc: local.hlc,
    remoteCreatedBy: remote.by,
    remoteCreatedHlc: remote.hlc,
    differences: [...(refusal.differences ?? [])],
    localRows: rowsHere(store, refusal.object),
    sinceMs: row.sinceMs,
    attempts: row.attempts,
    nextTryMs: row.nextTryMs,
    unitSeq: row.unitSeq,
    behindChanges: Math.max(0, row.peerHead - row.unitSeq),
    options: [...optionsFor(row)],
  };
}

function creationView(
  store: ReplicaStore,
  peer: SiteId,
  id: MigrationId | undefined,
): { readonly by: SiteId | null; readonly hlc: string | null } {
  const stamp = id === undefined ? null : stampOfMigration(store, peer, id);
  return stamp === null ? { by: null, hlc: null } : { by: stamp.site, hlc: formatStamp(stamp) };
}

/** What a person can answer in this build. */
export function optionsFor(row: Pick<BlockedRow, 'refusal' | 'kind'>): readonly ResolutionOption[] {
  const { cause } = row.refusal;
  if (cause === 'divergentDefinition' && row.kind === 'table')
    return ['takeRemote', 'keepLocal', 'setAside', 'retry'];
  if (cause === 'divergentDefinition' || cause === 'nameCollision')
    return row.kind === 'table' ? ['setAside', 'retry'] : ['retry'];
  if (cause === 'epochChanged' || cause === 'duplicateSite' || cause === 'clockAhead')
    return ['newSite', 'retry'];
  if (cause === 'columnType') return ['takeRemote', 'keepLocal', 'retry'];
  return ['retry'];
}

function stampOfMigration(store: ReplicaStore, peer: SiteId, id: MigrationId): Stamp | null {
  const recorded = store.migrations.byId(id);
  if (recorded !== null) return recorded.migration.stamp;
  const unit = readBlockedUnit(store, peer);
  const arriving = unit?.groups.flatMap((group) => group.migrations).find((migration) => migration.id === id);
  return arriving?.stamp ?? null;
}

function rowsHere(store: ReplicaStore, object: string): number | null {
  const table = store.registry.byName(object);
  if (typeof table?.name !== 'string') return null;
  // Another program may have dropped it since it was looked at.
  const isInFile = store.db
    .preparePluck<[string]>(`select 1 from sqlite_schema where type = 'table' and name = ? collate nocase`)
    .get(table.name);
  if (isInFile === undefined) return null;
  return toNumber(store.db.preparePluck<[]>(`select count(*) from ${quoteIdentifier(table.name)}`).get());
}
