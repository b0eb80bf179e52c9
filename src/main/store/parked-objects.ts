import type { Migration } from '#shared/model/change-group.ts';

import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { mentionedNames } from '../sql/mentioned-names.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { renderStatement } from '../sql/render-statement.ts';
import type { FileObject } from './catalog-read.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import { whyNotStanding, whyNotStandingInFile } from './object-standing.ts';
import type { RecordedObject } from './recorded-objects.ts';
import { renderHere, type BodyStatement } from './render-migration.ts';
import type { ReplicaStore } from './replica-store.ts';

/** A recorded view or trigger. */
export type BodyObject = RecordedObject & { readonly kind: 'view' | 'trigger' };

/**
 * Brings the views and triggers of the file in line with a changed catalog: takes out those that no longer stand, and
 * puts back those that can stand again, until nothing more moves. Only what is recorded is touched.
 *
 * Runs in the transaction of the change, once the record knows of it. `changed`: names before and after of the tables and
 * views that changed; without it all are looked at.
 */
export function settleParked(store: ReplicaStore, changed?: Iterable<string>): void {
  const objects = store.objects.all().filter(isBody);
  if (objects.length === 0) return;
  const concerned = changed === undefined ? objects : concernedBy(objects, changed);
  takeOutBroken(store, concerned.filter(isStanding));
  putBackParked(
    store,
    concerned.flatMap(({ kind, name }) => store.objects.get(kind, name) ?? []).filter(isBody),
  );
}

const isBody = (object: RecordedObject): object is BodyObject => object.kind !== 'index';

const isStanding = ({ text }: RecordedObject): boolean => text !== null;

/** Those whose text names one of the tables or views, also by way of other views, and all that are parked. */
function concernedBy(objects: readonly BodyObject[], changed: Iterable<string>): readonly BodyObject[] {
  const names = new Set([...changed].map(foldIdentifier));
  const concerned = new Set<BodyObject>();
  let size = -1;
  while (size !== concerned.size) {
    size = concerned.size;
    for (const object of objects) {
      if (
        object.text !== null &&
        !names.has(object.name) &&
        !namesIn(object.text).some((name) => names.has(name))
      )
        continue;
      concerned.add(object);
      if (object.kind === 'view') names.add(object.name);
    }
  }
  return [...concerned];
}

const namesByText = new Map<string, readonly string[]>();

/** Bounds memory; the oldest go first. */
const NAMES_MAX = 10_000;

function namesIn(text: string): readonly string[] {
  const known = namesByText.get(text);
  if (known !== undefined) return known;
  const parsed = parseDdl(text);
  const names = parsed.ok ? mentionedNames(parsed.value).identifiers : [];
  if (namesByText.size >= NAMES_MAX) namesByText.clear();
  namesByText.set(text, names);
  return names;
}

function takeOutBroken(store: ReplicaStore, standing: readonly BodyObject[]): void {
  let left = standing;
  let size = -1;
  while (size !== left.length) {
    size = left.length;
    left = left.filter((object) => {
      if (followText(store, object)) return true;
      takeOut(store, object);
      return false;
    });
  }
}

/** Whether it stands. Its text may be another than before: SQLite puts new names into it. */
function followText(store: ReplicaStore, object: BodyObject): boolean {
  const found = inFile(store, object);
  if (found === null) return false;
  const statement = statementIn(found.sql);
  if (statement === null || whyNotStandingInFile(store, statement) !== null) return false;
  if (found.sql !== object.text) store.objects.put({ ...object, text: found.sql });
  return true;
}

/** What stands in the file under the name, whoever made it. */
export function inFile(
  store: ReplicaStore,
  { kind, name }: Pick<BodyObject, 'kind' | 'name'>,
): FileObject<unknown> | null {
  const { views, triggers } = store.catalog.read();
  return (kind === 'view' ? views : triggers).get(foldIdentifier(name)) ?? null;
}

function statementIn(sql: string): BodyStatement | null {
  const parsed = parseDdl(sql);
  if (!parsed.ok) return null;
  return parsed.value.kind === 'createView' || parsed.value.kind === 'createTrigger' ? parsed.value : null;
}

/** Takes a recorded view or trigger out of the file and remembers it as parked. A view takes its triggers along. */
export function takeOut(store: ReplicaStore, object: BodyObject): void {
  const found = object.text === null ? null : inFile(store, object);
  if (found !== null) store.db.exec(`drop ${object.kind} if exists ${quoteIdentifier(found.name)}`);
  store.objects.put({ ...object, text: null });
  if (object.kind !== 'view') return;
  const { triggers } = store.catalog.read();
  for (const trigger of store.objects.all().filter(isBody)) {
    if (trigger.kind === 'trigger' && trigger.text !== null && !triggers.has(trigger.name))
      store.objects.put({ ...trigger, text: null });
  }
}

/** Views come first: triggers may lie on them. */
function putBackParked(store: ReplicaStore, objects: readonly BodyObject[]): void {
  let parked = objects
    .filter(({ text }) => text === null)
    .toSorted((left, right) => Number(left.kind === 'trigger') - Number(right.kind === 'trigger'));
  let size = -1;
  while (size !== parked.length) {
    size = parked.length;
    parked = parked.filter((object) => !putBack(store, object));
  }
}

/** Whether nothing more is to be done about it: it stands, or never will again. */
function putBack(store: ReplicaStore, object: BodyObject): boolean {
  const recorded = store.migrations.byNumber(object.migration);
  if (recorded === null) return false;
  const statement = renderHere(store, recorded.migration);
  if (statement.kind !== 'createView' && statement.kind !== 'createTrigger') return false;
  if (hasEnded(store, recorded.migration, statement)) {
    store.objects.remove(object.kind, object.name);
    store.migrations.retireOne(recorded.n);
    return true;
  }
  // Another program's, which is not recorded because it does not stand.
  if (inFile(store, object) !== null) return false;
  if (whyNotStanding(store, statement) !== null) return false;
  const text = renderStatement({ ...statement, ifNotExists: false });
  try {
    store.db.exec(text);
  } catch (cause) {
    if (sqliteCodeOf(cause) !== 'SQLITE_ERROR') throw cause;
    return false;
  }
  store.objects.put({ ...object, text });
  return true;
}

/** A trigger goes with its table for good, as SQLite has it: a table made anew under the name does not bring it back. */
export function hasEnded(store: ReplicaStore, migration: Migration, statement: BodyStatement): boolean {
  if (statement.kind !== 'createTrigger') return false;
  const parsed = parseDdl(migration.ddl);
  if (!parsed.ok || parsed.value.kind !== 'createTrigger') return false;
  const { table } = parsed.value.trigger;
  const mention = migration.mentions.find(({ name }) => isSameName(name, table));
  return mention !== undefined && store.registry.byId(mention.table)?.name === null;
}
