import type { Migration } from '#shared/model/change-group.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import type { Admission } from './admission-context.ts';
import type { RecordedMigration } from './migration-records.ts';
import {
  forgetBody,
  hasEnded,
  putBackParked,
  takeOut,
  workOnBodies,
  type BodyObject,
} from './bodies-at-work.ts';
import { whyNotStanding } from './object-standing.ts';
import { livesOf } from './recorded-facts.ts';
import { recordAdmitted } from './record-admitted.ts';
import { restoreTriggers } from './silence-triggers.ts';
import { renderHere, type BodyStatement } from './render-migration.ts';
import type { ReplicaStore } from './replica-store.ts';

// Views and triggers hold no rows, so what stands under a name follows the record: the creation that shows of those that
// are recorded, as far as it can stand.

/**
 * Makes an admitted view or trigger show. Whatever other creation showed under its name goes first; what cannot stand is
 * parked. Records the migration as executed where that was not done before.
 */
export function createViewOrTrigger(admission: Admission, migration: Migration): 'created' | 'parked' {
  recordOnce(admission, migration);
  const recorded = admission.store.migrations.byId(migration.id);
  return recorded === null ? 'parked' : show(admission, recorded);
}

function recordOnce(admission: Admission, migration: Migration): void {
  if (admission.store.migrations.has(migration.id)) return;
  recordAdmitted(admission, migration, { verdict: 'executed', reason: '', tbl: null });
}

/** Takes a dropped view or trigger away, recorded as above. What its drop ended is sent no more. */
export function dropViewOrTrigger(admission: Admission, migration: Migration): void {
  const { store } = admission;
  const { kind, object } = migration;
  if (kind !== 'view' && kind !== 'trigger') throw new Error(`A ${kind} is dropped elsewhere.`);
  recordOnce(admission, migration);
  for (const { creations, drops } of livesOf(store, migration)) {
    if (drops.length === 0) continue;
    for (const { id } of creations) {
      const creation = store.migrations.byId(id);
      if (creation !== null) store.migrations.retireOne(creation.n);
    }
  }
  const shown = store.objects.get(kind, object);
  if (shown === null) return;
  // A trigger that is silenced stands in the file too.
  restoreTriggers(admission);
  takeOut(workOnBodies(store), { ...shown, kind });
  forgetBody(store, { kind, name: shown.name });
}

/** Makes an older creation show again, of which a drop of a later one did not know. */
export function revealCreation(admission: Admission, creation: RecordedMigration): void {
  admission.store.migrations.restoreOne(creation.n);
  show(admission, creation);
}

/** Why a view or trigger that a migration makes cannot stand here now, in SQLite's words; null when it can. */
export function whyParked(store: ReplicaStore, migration: Migration): string | null {
  const statement = bodyOf(store, migration);
  return whyNotStanding(store, statement);
}

/** A trigger waits for the end of the admission: no row that is admitted with it fires it. */
function show(
  admission: Admission,
  { n, migration }: Pick<RecordedMigration, 'n' | 'migration'>,
): 'created' | 'parked' {
  const { store } = admission;
  const { kind, object } = migration;
  if (kind !== 'view' && kind !== 'trigger') throw new Error(`A ${kind} does not come and go as views do.`);
  restoreTriggers(admission);
  const work = workOnBodies(store);
  const shown = store.objects.get(kind, object);
  if (shown !== null) takeOut(work, { ...shown, kind });
  if (hasEnded(store, migration)) {
    if (shown !== null) forgetBody(store, { kind, name: shown.name });
    store.migrations.retireOne(n);
    return 'parked';
  }
  const parked: BodyObject = { kind, name: foldIdentifier(object), migration: n, tbl: null, text: null };
  store.objects.put(parked);
  if (kind === 'view') putBackParked(work, [parked]);
  return store.objects.get(kind, object)?.text === null ? 'parked' : 'created';
}

function bodyOf(store: ReplicaStore, migration: Migration): BodyStatement {
  const statement = renderHere(store, migration);
  if (statement.kind === 'createView' || statement.kind === 'createTrigger') return statement;
  throw new Error(`${migration.object} is neither a view nor a trigger.`);
}
