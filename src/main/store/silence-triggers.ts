import type { TriggerDefinition } from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { triggerEffects } from '../sql/trigger-effects.ts';
import { attemptWithin } from './admission-attempt.ts';
import type { Admission } from './admission-context.ts';
import type { FileObject } from './catalog-read.ts';
import { keepCaptureAhead } from './capture-order.ts';
import { constraintOf, isRefusedValue, sqliteCodeOf } from './constraint-failure.ts';
import { whyNotCompiling } from './object-standing.ts';
import type { ReplicaStore } from './replica-store.ts';
import { followDdl } from './taken-catalog.ts';
import { TABLE_KIND } from './table-registry.ts';
import { writeFinding } from './write-finding.ts';

type TriggerInFile = FileObject<TriggerDefinition>;

/**
 * Takes the application's triggers off a table until the admission ends: their effects were captured at the author and
 * travel as facts of their own. A guard in their WHEN would not do: a function that is missing here fails all the same.
 *
 * Those that write only to what never replicates stay, a full-text index would go stale otherwise; unless they cannot
 * run here, which becomes a finding.
 *
 * Source: engine.md, section 1.
 */
export function silenceTriggers(admission: Admission, table: string): void {
  if (admission.silenced.has(foldIdentifier(table))) return;
  const triggers = triggersOf(admission.store, table);
  const staying = triggers.filter(({ definition }) => writesOnlyHere(admission.store, definition));
  silence(admission, table, { triggers, staying });
  for (const trigger of staying) {
    const why = trigger.definition === null ? null : whyNotCompiling(admission.store, trigger.definition);
    if (why !== null) silenceFailing(admission, trigger, why);
  }
}

/**
 * Takes all triggers of the application off a table whose own rows are taken in anew: nothing happens to them that a trigger
 * should hear of. What follows them by their places has to be rebuilt, which is a finding.
 */
export function silenceAllTriggers(admission: Admission, table: string): void {
  silenceTriggers(admission, table);
  for (const trigger of triggersOf(admission.store, table)) {
    silenceAlso(admission, trigger);
    if (!writesToVirtual(admission.store, trigger.definition)) continue;
    noteStale(admission.store, trigger, `the rows of ${table} were stored anew under another shape`);
  }
}

/**
 * Writes admitted rows to a table beside the triggers that stay on it. Where one of them fails, none of them runs: the
 * rows are written all the same, and a finding says what went stale.
 */
export function besideTriggers(admission: Admission, table: string, write: () => void): void {
  const staying = triggersOf(admission.store, table);
  if (staying.length === 0) {
    write();
    return;
  }
  const failure: unknown[] = [];
  const isWritten = attemptWithin(admission, () => {
    try {
      write();
      return true;
    } catch (cause) {
      if (sqliteCodeOf(cause) === undefined) throw cause;
      failure.push(cause);
      return false;
    }
  });
  if (isWritten) return;
  const [cause] = failure;
  for (const trigger of staying) {
    silenceFailing(admission, trigger, cause instanceof Error ? cause.message : String(cause));
  }
  write();
}

/**
 * Whether a row has no place in a table because of what is in it: a constraint of the table, or an expression that fails on
 * it. Where triggers stay, a failure may be theirs, and they are taken off first (`besideTriggers`).
 */
export function isFaultOfRow(store: ReplicaStore, table: string, cause: unknown): boolean {
  if (constraintOf(cause) !== null) return true;
  return isRefusedValue(cause) && triggersOf(store, table).length === 0;
}

/** Those that are on the table now. */
const triggersOf = ({ catalog }: ReplicaStore, table: string): readonly TriggerInFile[] =>
  [...catalog.read().triggers.values()].filter(
    (trigger) => foldIdentifier(trigger.table) === foldIdentifier(table),
  );

function silence(
  admission: Admission,
  table: string,
  {
    triggers,
    staying,
  }: { readonly triggers: readonly TriggerInFile[]; readonly staying: readonly TriggerInFile[] },
): void {
  const key = foldIdentifier(table);
  const silent = triggers.filter((trigger) => !staying.includes(trigger));
  const { store } = admission;
  if (silent.length > 0)
    followDdl(store, namesOf(silent), () => {
      for (const { name } of silent) store.db.exec(`drop trigger ${quoteIdentifier(name)}`);
    });
  // All are made anew together, so that they go on in the order in which the catalog had them.
  const back = silent.length === 0 ? [] : [...staying.map(dropOf), ...triggers.map(({ sql }) => sql)];
  admission.silenced.set(key, back);
}

const namesOf = (triggers: readonly TriggerInFile[]): readonly string[] => triggers.map(({ name }) => name);

const dropOf = ({ name }: TriggerInFile): string => `drop trigger if exists ${quoteIdentifier(name)}`;

/** One that was to stay and cannot run. */
function silenceFailing(admission: Admission, trigger: TriggerInFile, why: string): void {
  silenceAlso(admission, trigger);
  noteStale(admission.store, trigger, `it cannot run here for rows that come from peers: ${why}`);
}

/** One more of a table of which some are silenced. */
function silenceAlso({ store, silenced }: Admission, trigger: TriggerInFile): void {
  const key = foldIdentifier(trigger.table);
  const triggers = triggersOf(store, trigger.table);
  followDdl(store, [trigger.name], () => {
    store.db.exec(dropOf(trigger));
  });
  if ((silenced.get(key) ?? []).length > 0) return;
  const others = triggers.filter(({ name }) => name !== trigger.name);
  silenced.set(key, [...others.map(dropOf), ...triggers.map(({ sql }) => sql)]);
}

function noteStale(store: ReplicaStore, { name, table }: TriggerInFile, why: string): void {
  writeFinding(store, {
    kind: 'trigger',
    table,
    subject: name,
    detail: `What the trigger ${name} of ${table} keeps up to date has gone stale: ${why}.`,
    advice: `Rebuild what ${name} writes to, in the application that brings what it needs.`,
  });
}

/** Puts the triggers of all silenced tables back, each table's in catalog order. Those of a table that is gone went with it. */
export function restoreTriggers({ store, silenced }: Admission): void {
  for (const [table, statements] of silenced) {
    if (statements.length === 0 || !store.catalog.read().tables.has(table)) continue;
    followDdl(store, namesOf(triggersOf(store, table)), () => {
      for (const sql of statements) restoreTrigger(store, table, sql);
      keepCaptureAhead(store, table, statements.join(' '));
    });
  }
  silenced.clear();
}

function restoreTrigger({ db, ports }: ReplicaStore, table: string, sql: string): void {
  try {
    db.exec(sql);
  } catch (cause) {
    if (sqliteCodeOf(cause) !== 'SQLITE_ERROR') throw cause;
    // It speaks of a column that a decision about the table's shape took away (engine.md, section 3).
    ports.log.warn('admission.trigger-lost', { table, sql });
  }
}

/**
 * Whether a trigger writes to nothing that replicates: virtual tables, their shadows, and tables without a key, whose
 * rows stay on each replica; by way of the triggers on those neither. One that can refuse or pass over a row is none of
 * these, and neither is one that only looks.
 */
function writesOnlyHere(
  store: ReplicaStore,
  definition: TriggerDefinition | null,
  passed: readonly string[] = [],
): boolean {
  if (definition === null) return false;
  const { writes, raises } = triggerEffects(definition);
  const { localOnly } = store.catalog.read();
  const staysHere = (name: string): boolean => {
    if (localOnly.has(name) || passed.includes(name)) return true;
    return (
      store.registry.byName(name)?.kind === TABLE_KIND.noKey &&
      triggersOf(store, name).every((next) => writesOnlyHere(store, next.definition, [...passed, name]))
    );
  };
  return !raises && writes.length > 0 && writes.every(staysHere);
}

function writesToVirtual({ catalog }: ReplicaStore, definition: TriggerDefinition | null): boolean {
  const { localOnly } = catalog.read();
  return definition !== null && triggerEffects(definition).writes.some((name) => localOnly.has(name));
}
