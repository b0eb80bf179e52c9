import type { ChangeGroup, Cursor, Migration, Page, PullRequest } from '#shared/model/change-group.ts';
import type { ConflictId, MigrationId, SiteId } from '#shared/model/ids.ts';
import { err, ok, type Result } from '#shared/result.ts';

import { PEER_CAUSES } from '../store/blocked-batches.ts';
import { checkCursor, noteServed } from '../store/era-list.ts';
import { readLastNotice } from '../store/log-notice.ts';
import { readLogPage } from '../store/log-page.ts';
import { readPlace } from '../store/peer-records.ts';
import { findMissed, readPruned } from '../store/pruned-deletes.ts';
import { placeAsked } from '../store/read-again.ts';
import { noteStray } from '../store/stray-note.ts';
import type { RecordedMigration } from '../store/migration-records.ts';
import { readLineage, redefinitionsAnswering } from '../store/redefinition-lineage.ts';
import { readFormerSites } from '../store/renew-site.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import type { TrackedTable } from '../store/table-registry.ts';
import { knewOf } from '../engine/migration/knew-of.ts';
import { isCreation } from '../engine/migration/precedence.ts';
import { noticeForServing } from './notice-for-serving.ts';
import { fileReplaced, oneSiteTwice, placeUnknown, tooOldForPuller } from './line-refusals.ts';
import type { PeerIdentity, PullRefusal } from './replica.ts';

/**
 * Serves one page: takes notice of what others wrote, then reads what follows the cursor.
 *
 * Answers to the conflicts that block the puller come first, whatever its cursor. A puller without a cursor gets the
 * catalog as it is now, never a replay of its whole history, then the rows.
 *
 * Errors: `epoch-changed` when the cursor is none of this file's history; nobody guesses what was meant.
 */
export function servePage(
  store: ReplicaStore,
  puller: SiteId,
  request: PullRequest,
): Result<Page, PullRefusal> {
  if (puller === store.site) {
    noteStray(store, null);
    return err(oneSiteTwice(store));
  }
  if (request.cursor !== undefined && checkCursor(store.db, request.cursor).code !== 'ok') {
    noteStray(store, request.cursor);
    return err(placeUnknown(store, request.cursor.seq));
  }
  const missed = findMissed(store, request.pruned ?? []);
  if (missed !== null) return err(tooOldForPuller(store, puller, missed));
  noticeForServing(store);
  const page = store.db.raw.transaction(() => readPage(store, puller, request)).deferred();
  if (page.groups.length > 0) noteServed(store);
  return ok(page);
}

function readPage(store: ReplicaStore, puller: SiteId, request: PullRequest): Page {
  const { db, registry, sites } = store;
  const head = readLastNotice(db).seq;
  const asked = (request.cursor === undefined ? null : placeAsked(request.cursor)) ?? {
    epoch: store.epoch,
    era: store.era,
    seq: 0,
    catalogSeq: head,
    inside: catalogPlace(0),
  };
  const from = { ...asked, epoch: store.epoch, era: store.era };
  const { catalog, cursor } = readCatalogGroups(store, { asked: from, puller });
  const migrationOf = (n: number): Migration | null => sentFor(store, n);
  const page = readLogPage(db, { registry, sites, cursor, facts: request.facts, puller, migrationOf });
  const ahead = answersTo(store, request);
  const formerly = readFormerSites(store);
  // Who has read all has every row that this replica has every row of.
  const whole = page.more ? {} : { whole: { ...sites.whole(), [store.site]: readLastNotice(db).hlc } };
  return {
    ...page,
    ...whole,
    groups: [...ahead, ...catalog, ...page.groups].map((group) => withLineage(store, group)),
    read: page.read + ahead.length + catalog.length,
    ...prunedOf(store),
    ...(formerly.length === 0 ? {} : { formerly }),
  };
}

/**
 * What is sent in the place of a recorded migration. Where a decision about its shape stands for a table's creation, it
 * comes where the creation came: what was done to the table since follows it.
 */
function sentFor(store: ReplicaStore, n: number): Migration | null {
  const recorded = store.migrations.byNumber(n);
  if (recorded === null || recorded.inForce) return recorded?.migration ?? null;
  const { migration, tbl } = recorded;
  return migration.type === 'create_table' && tbl !== null ? decisionInForce(store, tbl) : null;
}

function decisionInForce(store: ReplicaStore, tbl: number): Migration | null {
  if (store.registry.byTbl(tbl)?.name === null) return null;
  const decisions = readLineage(store, tbl).redefinitions;
  return decisions.findLast(({ inForce }) => inForce)?.migration ?? null;
}

/**
 * Some migrations are judged by others, which come in one unit with them, out of their turn:
 *
 * - A drop and a decision about a table's shape bring the creations that they are about: only so a receiver that made the
 *   same table or column by itself learns that they are meant for its twin too. So do facts of a dropped table.
 * - A creation brings what took its name away since: who has a table or column of that name need not be blocked by it.
 */
function withLineage(store: ReplicaStore, group: ChangeGroup): ChangeGroup {
  const own = new Set(group.migrations.map(({ id }) => id));
  const related = new Map<MigrationId, Migration>();
  for (const { id } of group.tables) {
    const table = store.registry.byId(id);
    if (table?.name === null) for (const one of lineageOfTable(store, table)) related.set(one.id, one);
  }
  const migrations = group.migrations.flatMap((migration) => [...lineageOf(store, migration), migration]);
  for (const migration of migrations) related.set(migration.id, migration);
  if (related.size === own.size) return group;
  const outOfTurn = [...related.keys()].filter((id) => !own.has(id));
  return { ...group, migrations: [...related.values()], outOfTurn };
}

function lineageOf(store: ReplicaStore, migration: Migration): readonly Migration[] {
  switch (migration.type) {
    case 'create_table':
    case 'add_column':
      return renamesSince(store, migration);
    case 'drop_column':
      return ofColumn(store, migration).filter(({ type }) => type === 'add_column');
    case 'drop_table':
    case 'redefine_table':
      return lineageOfSubject(store, migration);
    default:
      return DROPS_BY_NAME.has(migration.type) ? creationsByName(store, migration) : [];
  }
}

function lineageOfSubject(store: ReplicaStore, { id, tableId, redefine }: Migration): readonly Migration[] {
  const ids = [
    ...(tableId === null ? [] : [tableId]),
    ...(redefine?.creations ?? []).map(({ table }) => table),
  ];
  const [table] = ids.flatMap((known) => store.registry.byId(known) ?? []);
  return table === undefined ? [] : lineageOfTable(store, table).filter((related) => related.id !== id);
}

function lineageOfTable(store: ReplicaStore, table: TrackedTable): readonly Migration[] {
  const { creations, redefinitions } = readLineage(store, table.tbl);
  const drop = table.dropped === null ? null : store.migrations.byNumber(table.dropped);
  return [
    ...creations,
    ...redefinitions.filter(({ inForce }) => inForce),
    ...(drop === null ? [] : [drop]),
  ].map((entry) => entry.migration);
}

/**
 * What took the name of a table or column away after it was made: its renames, and of a column its drop. These may be about a
 * twin: then its creation comes along, which tells that the two are one.
 */
function renamesSince(store: ReplicaStore, creation: Migration): readonly Migration[] {
  const table = creation.tableId === null ? null : store.registry.byId(creation.tableId);
  if (table === null) return [];
  if (creation.type === 'create_table')
    return migrationsOf(store, table.tbl).filter(({ type }) => type === 'rename_table');
  const about = ofColumn(store, creation);
  const since = about.filter(({ type }) => type === 'rename_column' || type === 'drop_column');
  return since.length === 0 ? [] : [...about.filter(({ type }) => type === 'add_column'), ...since];
}

/** All that is recorded of the column that a migration is about, its twins included. */
function ofColumn(store: ReplicaStore, { tableId, columns: [column] }: Migration): readonly Migration[] {
  const table = tableId === null ? null : store.registry.byId(tableId);
  if (table === null || column === undefined) return [];
  const col = store.registry.ordinalOf(table, column.id);
  if (col === null) return [];
  return migrationsOf(store, table.tbl).filter(
    ({ columns: [other] }) => other !== undefined && store.registry.ordinalOf(table, other.id) === col,
  );
}

const migrationsOf = (store: ReplicaStore, tbl: number): readonly Migration[] =>
  store.migrations.ofTable(tbl).map(({ migration }) => migration);

/** What has a name alone: a receiver that made the same by itself learns only so that the drop is meant for it too. */
const DROPS_BY_NAME: ReadonlySet<Migration['type']> = new Set(['drop_index', 'drop_view', 'drop_trigger']);

function creationsByName(store: ReplicaStore, drop: Migration): readonly Migration[] {
  return store.migrations
    .ofName(drop.kind, drop.object)
    .map(({ migration }) => migration)
    .filter(({ type, stamp }) => isCreation(type) && knewOf(drop, stamp));
}

const catalogPlace = (n: number): string => `catalog:${String(n)}`;

/**
 * What a puller from the start gets before all rows: everything in force, a unit each, so that one conflict does not
 * keep back what came before it. The place within says up to which migration it has them.
 */
function readCatalogGroups(
  store: ReplicaStore,
  { asked, puller }: { readonly asked: Cursor; readonly puller: SiteId },
): { readonly catalog: readonly ChangeGroup[]; readonly cursor: Cursor } {
  const { inside, ...cursor } = asked;
  const after = /^catalog:(\d+)$/.exec(inside ?? '')?.[1];
  if (after === undefined) return { catalog: [], cursor: asked };
  const entries = catalogEntries(store, puller).filter(({ place }) => place > Number(after));
  const catalog = entries.map(({ migration }, index) => ({
    cursor: index === entries.length - 1 ? cursor : { ...cursor, inside: placeAfter(entries, index) },
    sites: [],
    tables: [],
    migrations: [migration],
    blocks: [],
  }));
  return { catalog, cursor };
}

/** Of several at one place, all but the last lead no further than before it: who is broken off among them gets them again. */
function placeAfter(entries: readonly { readonly place: number }[], index: number): string {
  const place = entries[index]?.place ?? 0;
  return catalogPlace(entries[index + 1]?.place === place ? place - 1 : place);
}

/** Everything in force that the puller neither wrote nor brought, by its number; a decision about a table's shape stands where its first creation was recorded. */
function catalogEntries(
  store: ReplicaStore,
  puller: SiteId,
): readonly { readonly place: number; readonly migration: Migration }[] {
  const ordinal = store.sites.findOrdinal(puller);
  const isPullers = ({ migration, via }: RecordedMigration): boolean =>
    migration.stamp.site === puller || (ordinal !== null && via === ordinal);
  return store.migrations
    .inForce()
    .filter((recorded) => !isPullers(recorded))
    .map(({ n, migration, tbl }) => {
      const isDecision = migration.type === 'redefine_table' && tbl !== null;
      const [first] = isDecision ? store.migrations.ofTable(tbl) : [];
      return { place: first?.n ?? n, migration };
    })
    .sort((left, right) => left.place - right.place);
}

function answersTo(store: ReplicaStore, request: PullRequest): readonly ChangeGroup[] {
  return redefinitionsAnswering(store, request.conflicts).map(({ migration }) => ({
    sites: [],
    tables: [],
    migrations: [migration],
    blocks: [],
  }));
}

/** What to ask a peer for next: from where this replica stands, with the conflicts that block it. */
export function planPull(store: ReplicaStore, peer: PeerIdentity): Result<PullRequest, PullRefusal> {
  if (peer.site === store.site) {
    return err(oneSiteTwice(store));
  }
  const place = readPlace(store, peer.site);
  if (place !== null && place.epoch !== peer.epoch) {
    return err(fileReplaced(peer.site));
  }
  const conflicts = store.db
    .preparePluck<[], ConflictId>(
      `select distinct conflict_id from _concord_blocked where cause not in (${PEER_CAUSES})`,
    )
    .all();
  return ok({
    ...(place === null ? {} : { cursor: place }),
    facts: store.settings.pageFacts,
    conflicts,
    ...prunedOf(store),
  });
}

function prunedOf(store: ReplicaStore): Pick<Page, 'pruned'> {
  const pruned = readPruned(store);
  return pruned.length === 0 ? {} : { pruned };
}
