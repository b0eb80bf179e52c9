import { formatStamp } from '#shared/model/hlc.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { SchemaEvent } from '#shared/model/schema-event.ts';

import { verdictSentence } from '../engine/migration/verdict-sentence.ts';
import { readBlocked, readBlockedUnit, type BlockedRow } from './blocked-batches.ts';
import { lastMigration, migrationsAfter, type HistoryEntry } from './migration-list.ts';
import type { ReplicaStore } from './replica-store.ts';

/** Hands over what was decided about schema changes since it was asked last. After a commit, outside of transactions. */
export type TakeSchemaEvents = () => readonly SchemaEvent[];

/** Entries that are read at once. */
const PAGE = 1_000;

/**
 * Watches the record for decisions: what is recorded is what has committed, so nothing is told that did not happen, and
 * nothing twice. What is there when the watch begins is not told.
 */
export function watchSchemaEvents(store: ReplicaStore): TakeSchemaEvents {
  const { db } = store;
  const blocked = db.prepareRaw<[], [bigint, string]>('select site, conflict_id from _concord_blocked');
  let seen = lastMigration(db);
  let known = conflictsNow();

  return () => [...takeRecorded(), ...takeConflicts()];

  function takeRecorded(): readonly SchemaEvent[] {
    const last = lastMigration(db);
    const events: SchemaEvent[] = [];
    while (seen < last) {
      const entries = migrationsAfter(db, store.sites, { after: seen, limit: PAGE });
      events.push(...entries.flatMap(eventsOf));
      seen = entries.at(-1)?.view.seq ?? last;
    }
    return events;
  }

  function takeConflicts(): readonly SchemaEvent[] {
    const before = known;
    known = conflictsNow();
    if (known.every((conflict) => before.includes(conflict))) return [];
    return readBlocked(store)
      .filter(({ site, conflictId }) => !before.includes(`${site} ${conflictId}`))
      .map((row) => conflictEvent(store, row));
  }

  function conflictsNow(): readonly string[] {
    return blocked.all().map(([site, conflict]) => `${store.sites.siteOf(Number(site))} ${conflict}`);
  }
}

/** What ran after the rows of its unit had waited for them first. */
function eventsOf({ view, code }: HistoryEntry): readonly SchemaEvent[] {
  const { verdict, type, kind, object, element, id, origin, hlc, from, reason, admittedAtMs } = view;
  const event: SchemaEvent = {
    verdict,
    type,
    kind,
    object,
    element,
    migration: id,
    origin,
    hlc,
    from,
    reason,
    conflictId: null,
    atMs: admittedAtMs,
  };
  if (code !== 'afterRows') return [event];
  const waited = { migration: view, verdict: 'waitingForRows', code: '', by: null } as const;
  return [{ ...event, verdict: 'waitingForRows', reason: verdictSentence(waited) }, event];
}

function conflictEvent(
  store: ReplicaStore,
  { site, conflictId, refusal, kind, sinceMs }: BlockedRow,
): SchemaEvent {
  const arriving = arrivingMigration(store, site, refusal.migrations?.[1]);
  return {
    verdict: 'conflict',
    type: arriving?.type ?? null,
    kind,
    object: refusal.object,
    element: refusal.column ?? null,
    migration: arriving?.id ?? null,
    origin: arriving?.stamp.site ?? null,
    hlc: arriving === undefined ? null : formatStamp(arriving.stamp),
    from: site,
    reason: refusal.message,
    conflictId,
    atMs: sinceMs,
  };
}

function arrivingMigration(store: ReplicaStore, site: SiteId, id: string | undefined) {
  if (id === undefined) return undefined;
  return readBlockedUnit(store, site)
    ?.groups.flatMap((group) => group.migrations)
    .find((migration) => migration.id === id);
}
