import type { HeldReason } from '#shared/model/vocabulary.ts';

import { attemptWithin } from './admission-attempt.ts';
import type { Admission } from './admission-context.ts';
import { admitMigrations } from './admission-migrations.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { admitBlock } from './admission-block.ts';
import { heldEntries, heldMigrations, releaseHeld, type HeldEntry } from './held-facts.ts';
import { constraintOf } from './constraint-failure.ts';

const BY_TABLE: readonly HeldReason[] = ['unknownTable', 'unknownColumn', 'setAside', 'notNull'];

/**
 * Lets held changes in that have a place now, in the transaction of what made room.
 *
 * Each is tried by itself: what still has no place stays as it is, with its age, and does not fail the rest.
 */
export function drainHeld(admission: Admission): void {
  if (admission.namesFreed) drainMigrations(admission);
  // Draining may free further keys; each round takes entries out of held, so this ends.
  for (const tbl of admission.changedTables) {
    for (const id of idsOfTable(admission, tbl)) drainTable(admission, id, BY_TABLE);
  }
  for (const tbl of admission.touchedKeys) {
    for (const id of idsOfTable(admission, tbl)) drainTable(admission, id, ['uniqueCollision', 'notNull']);
  }
}

/** Own ID and those of twins: facts wait under the ID that they came with. */
function idsOfTable(admission: Admission, tbl: number): readonly string[] {
  const { store } = admission;
  const aliases = store.db
    .preparePluck<[bigint], string>(`select id from _concord_alias where tbl = ? and kind = 't'`)
    .all(BigInt(tbl));
  const table = store.registry.byTbl(tbl);
  return table === null ? aliases : [table.id, ...aliases];
}

function drainTable(admission: Admission, tableId: string, reasons: readonly HeldReason[]): void {
  const { registry, setAside } = admission.store;
  if (setAside().has(tableId)) return;
  // Of a dropped table only what never had a place is looked at again: the drop may have known of it. What waited for
  // a column or a key was out of its author's sight.
  const isDropped = registry.byId(tableId)?.name === null;
  const tried = isDropped ? reasons.filter((reason) => reason === 'unknownTable') : reasons;
  for (const entry of heldEntries(admission, { tableId, reasons: tried })) {
    if (entry.op !== 'migration') tryEntry(admission, entry);
  }
}

/** Admits one entry, or leaves everything as it was. */
function tryEntry(admission: Admission, entry: HeldEntry): void {
  const inner: Admission = {
    ...admission,
    via: entry.via,
    acceptsOwn: true,
    originOf: (group, hlc, site) => ({ ...admission.originOf(group, hlc, site), via: entry.via }),
  };
  attemptWithin(admission, () => {
    releaseHeld(admission, entry.n);
    return admitted(inner, entry);
  });
}

function admitted(admission: Admission, entry: HeldEntry): boolean {
  const heldBefore = admission.report.held;
  try {
    for (const block of entry.group.blocks) admitBlock(admission, entry.group, block);
  } catch (cause) {
    if (cause instanceof AdmissionRefused || constraintOf(cause) !== null) return false;
    throw cause;
  }
  return admission.report.held === heldBefore;
}

/** Migrations of objects that were set aside: with the name free, they may be in force now. */
function drainMigrations(admission: Admission): void {
  const { store } = admission;
  for (const entry of heldMigrations(admission)) {
    const isIn = attemptWithin(admission, () => {
      releaseHeld(admission, entry.n);
      return migrationAdmitted({ ...admission, via: entry.via }, entry);
    });
    if (isIn) store.endSetAside(entry.tableId);
  }
}

function migrationAdmitted(admission: Admission, entry: HeldEntry): boolean {
  const { report } = admission;
  const heldBefore = report.held;
  try {
    admitMigrations(admission, entry.group.migrations);
  } catch (cause) {
    if (cause instanceof AdmissionRefused) return false;
    throw cause;
  }
  return (
    report.held === heldBefore &&
    entry.group.migrations.every((migration) => admission.store.migrations.has(migration.id))
  );
}
