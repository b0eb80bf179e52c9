import type { Migration } from '#shared/model/change-group.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import type { Admission } from './admission-context.ts';
import { forgetBody, nameTaken, putBackParked, takeOut, workOnBodies } from './bodies-at-work.ts';
import type { BodiesAtWork } from './bodies-at-work.ts';
import { creationToShow, retireEnded } from './creation-to-show.ts';
import { whyNotStanding } from './object-standing.ts';
import type { RecordedMigration } from './migration-records.ts';
import { recordAdmitted } from './record-admitted.ts';
import type { BodyObject } from './recorded-objects.ts';
import { renderHere } from './render-migration.ts';
import { restoreTriggers } from './silence-triggers.ts';
import type { ReplicaStore } from './replica-store.ts';

// Views and triggers hold no rows, so what stands under a name follows the record: the creation that shows of those that
// are recorded, as far as it can stand. Why: docs/decisions/0015-views-and-triggers-follow-the-record.md.

/** Records an admitted creation or drop of a view or trigger as executed, where that was not done before, and follows it. */
export function executeBody(admission: Admission, migration: Migration): void {
  if (!admission.store.migrations.has(migration.id))
    recordAdmitted(admission, migration, { verdict: 'executed', reason: '', tbl: null });
  showByRecord(admission, migration);
}

/**
 * Makes the view or trigger of a name what the record says: the creation that shows takes the place of another one, or
 * is parked where it cannot stand, and what was dropped goes. Does nothing where that is so already.
 */
export function showByRecord(admission: Admission, element: Migration): void {
  const { store } = admission;
  const { kind, object } = element;
  if (kind !== 'view' && kind !== 'trigger') return;
  retireEnded(store, element);
  const creation = creationToShow(store, element);
  const shown = store.objects.get(kind, object);
  if (creation?.n === shown?.migration) return;
  // A trigger that is silenced stands in the file too.
  restoreTriggers(admission);
  const work = workOnBodies(store);
  const name = foldIdentifier(object);
  if (shown !== null) takeOut(work, { ...shown, kind });
  if (creation === null) forgetBody(store, { kind, name });
  else showCreation(work, creation, { kind, name, migration: creation.n, tbl: null, text: null });
}

function showCreation(work: BodiesAtWork, creation: RecordedMigration, parked: BodyObject): void {
  const { migrations, objects } = work.store;
  if (!creation.inForce) migrations.restoreOne(creation.n);
  objects.put(parked);
  putBackParked(work, [parked]);
}

/** Why a view or trigger that a migration makes cannot stand here now, in SQLite's words; null when it can. */
export function whyParked(store: ReplicaStore, migration: Migration): string | null {
  const statement = renderHere(store, migration);
  if (statement.kind === 'createView' || statement.kind === 'createTrigger')
    return whyNameTaken(store, migration) ?? whyNotStanding(store, statement);
  throw new Error(`${migration.object} is neither a view nor a trigger.`);
}

/** By another program's, which is not recorded because it is broken. */
function whyNameTaken(store: ReplicaStore, { kind, object }: Migration): string | null {
  if (kind !== 'view' && kind !== 'trigger') return null;
  const name = foldIdentifier(object);
  const { views, triggers } = store.catalog.read();
  const isInFile = (kind === 'view' ? views : triggers).has(name);
  return isInFile && typeof store.objects.get(kind, name)?.text !== 'string' ? nameTaken(kind) : null;
}
