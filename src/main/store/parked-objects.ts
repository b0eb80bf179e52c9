import { foldIdentifier } from '../sql/fold-identifier.ts';
import { mentionedNames } from '../sql/mentioned-names.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { isBody, putBackParked, takeOutBroken, workOnBodies } from './bodies-at-work.ts';
import type { BodiesAtWork, BodyObject } from './bodies-at-work.ts';
import { bodyCreation, tablesNamed } from './body-creation.ts';
import type { NamesInFile } from './file-objects.ts';
import { settleObjectFindings } from './object-findings.ts';
import { readMeta, writeMeta } from './replica-meta.ts';
import type { ReplicaStore } from './replica-store.ts';

/**
 * Brings the views and triggers of the file in line with a changed catalog: takes out those that no longer stand, and
 * puts back those that can stand again, until nothing more moves. Only what is recorded is touched, and none of it is left
 * broken (SCHEMA-005).
 *
 * Runs in the transaction of the change, once the record knows of it and no trigger is silenced. `changed`: names, before
 * and after, of the tables and views that changed, where the caller knows them. Without it costs a look at schema_version
 * when nothing has changed, else a comparison of the texts with those of the last time; all views and triggers are looked
 * at after a rollback, and when another program changed the schema of a file that was closed.
 */
export function settleParked(store: ReplicaStore, changed?: Iterable<string>): void {
  if (changed === undefined) settleChanges(store);
  else settleNamed(store, new Set([...changed].map(foldIdentifier)));
}

function settleNamed(store: ReplicaStore, changed: ReadonlySet<string>): void {
  const concerned = concernedBy(store, store.objects.all().filter(isBody), changed);
  const work = workOnBodies(store);
  if (concerned.length > 0) settle(work, concerned);
  settleObjectFindings(work, changed);
}

function settleChanges(store: ReplicaStore): void {
  const version = store.catalog.schemaVersion();
  const settled = Number(readMeta(store.db, 'settledVersion') ?? -1n);
  if (settled === version) return;
  const before = stateByStore.get(store);
  const work = workOnBodies(store);
  const objects = store.objects.all().filter(isBody);
  const isKnown = before?.version === settled;
  const concerned = isKnown ? concernedBy(store, objects, changedNames(before.texts, work)) : objects;
  if (concerned.length > 0) settle(work, concerned);
  settleObjectFindings(work);
  const now = store.catalog.schemaVersion();
  writeMeta(store.db, 'settledVersion', BigInt(now));
  stateByStore.set(store, { version: now, texts: textsOf(work) });
}

interface SettledState {
  readonly version: number;
  /** Of tables and views, by folded name. */
  readonly texts: ReadonlyMap<string, string>;
}

const stateByStore = new WeakMap<ReplicaStore, SettledState>();

function settle(work: BodiesAtWork, concerned: readonly BodyObject[]): void {
  takeOutBroken(
    work,
    concerned.filter(({ text }) => text !== null),
  );
  putBackParked(
    work,
    concerned.flatMap(({ kind, name }) => work.store.objects.get(kind, name) ?? []).filter(isBody),
  );
}

function textsOf({ tables, views, localOnly }: NamesInFile): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [key, { sql }] of tables) texts.set(key, sql);
  for (const [key, { sql }] of views) texts.set(key, sql);
  for (const key of localOnly) texts.set(key, '');
  return texts;
}

function changedNames(before: ReadonlyMap<string, string>, file: NamesInFile): ReadonlySet<string> {
  const now = textsOf(file);
  const changed = new Set<string>();
  for (const [key, text] of now) if (before.get(key) !== text) changed.add(key);
  for (const key of before.keys()) if (!now.has(key)) changed.add(key);
  return changed;
}

/** Those whose text names one of the tables or views that changed, also by way of views. */
function concernedBy(
  store: ReplicaStore,
  objects: readonly BodyObject[],
  changed: ReadonlySet<string>,
): readonly BodyObject[] {
  if (changed.size === 0) return [];
  const names = new Set(changed);
  const concerned = new Set<BodyObject>();
  let size = -1;
  while (size !== concerned.size) {
    size = concerned.size;
    for (const object of objects) {
      if (!concerned.has(object) && !namesOf(store, object).some((name) => names.has(name))) continue;
      concerned.add(object);
      if (object.kind === 'view') names.add(object.name);
    }
  }
  return [...concerned];
}

/** What it refers to: by the names that it is written with, and by those that the tables have now. */
function namesOf(store: ReplicaStore, object: BodyObject): readonly string[] {
  const creation = bodyCreation(store, object);
  const here = creation === null ? [] : tablesNamed(store, creation);
  const text = object.text ?? creation?.ddl;
  return [object.name, ...here, ...(text === undefined ? [] : namesIn(text))];
}

const namesByText = new Map<string, readonly string[]>();

/** Bounds memory. */
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
