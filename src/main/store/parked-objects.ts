import type { TableId } from '#shared/model/ids.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import { mentionedNames } from '../sql/mentioned-names.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { putBackParked, takeOut, takeOutBroken, workOnBodies, type BodiesAtWork } from './bodies-at-work.ts';
import { bodyCreation } from './body-creation.ts';
import type { NamesInFile } from './file-objects.ts';
import { hasFindingsOf, settleObjectFindings } from './object-findings.ts';
import { isBody, type BodyObject } from './recorded-objects.ts';
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

/** Takes the views and triggers out of the file that name one of these tables or views, until `settleParked` is told of them. */
export function parkNaming(store: ReplicaStore, names: readonly string[]): void {
  const work = workOnBodies(store);
  const concerned = concernedBy(store, store.objects.bodies(), new Set(names.map(foldIdentifier)));
  for (const { kind, name } of concerned) {
    const object = store.objects.get(kind, name);
    if (object !== null && isBody(object) && object.text !== null) takeOut(work, object);
  }
}

function settleNamed(store: ReplicaStore, changed: ReadonlySet<string>): void {
  const concerned = concernedBy(store, store.objects.bodies(), changed);
  if (concerned.length === 0 && !hasFindingsOf(store, changed)) return;
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
  const objects = store.objects.bodies();
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

/** Those that name one of the tables or views that changed, by its name or by its ID, also by way of views. */
function concernedBy(
  store: ReplicaStore,
  objects: readonly BodyObject[],
  changed: ReadonlySet<string>,
): readonly BodyObject[] {
  if (changed.size === 0) return [];
  const said = saidBy(store, objects);
  const names = [...changed];
  const concerned = new Set([...idsOf(store, changed)].flatMap((id) => said.byTable.get(id) ?? []));
  for (const { kind, name } of concerned) if (kind === 'view') names.push(name);
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const object of said.byName.get(name) ?? []) {
      concerned.add(object);
      if (object.kind === 'view') names.push(object.name);
    }
  }
  return objects.filter((object) => concerned.has(object));
}

/** Which views and triggers name what. */
interface NamedBy {
  readonly byName: ReadonlyMap<string, readonly BodyObject[]>;
  readonly byTable: ReadonlyMap<TableId, readonly BodyObject[]>;
}

const namedByObjects = new WeakMap<readonly BodyObject[], NamedBy>();

/** Put together once for a list: it is the same one as long as nothing in it has changed. */
function saidBy(store: ReplicaStore, objects: readonly BodyObject[]): NamedBy {
  const known = namedByObjects.get(objects);
  if (known !== undefined) return known;
  const byName = new Map<string, BodyObject[]>();
  const byTable = new Map<TableId, BodyObject[]>();
  for (const object of objects) {
    const { names, tables } = namesOf(store, object);
    for (const name of new Set(names)) addTo(byName, name, object);
    for (const table of new Set(tables)) addTo(byTable, table, object);
  }
  const said = { byName, byTable };
  namedByObjects.set(objects, said);
  return said;
}

function addTo<Key>(lists: Map<Key, BodyObject[]>, key: Key, object: BodyObject): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [object]);
  else list.push(object);
}

/** The IDs of tables, those of their twins included. */
function idsOf({ db, registry }: ReplicaStore, names: ReadonlySet<string>): ReadonlySet<TableId> {
  const twins = db.preparePluck<[number], TableId>(
    `select id from _concord_alias where kind = 't' and tbl = ?`,
  );
  return new Set(
    [...names].flatMap((name) => {
      const table = registry.byName(name);
      return table === null ? [] : [table.id, ...twins.all(table.tbl)];
    }),
  );
}

interface NamesSaid {
  /** Folded, as it is written in the file; of one that is parked as its author wrote it. */
  readonly names: readonly string[];
  readonly tables: readonly TableId[];
}

function namesOf(store: ReplicaStore, object: BodyObject): NamesSaid {
  const creation = bodyCreation(store, object);
  const text = object.text ?? creation?.ddl;
  return {
    names: [object.name, ...(text === undefined ? [] : namesIn(text))],
    tables: creation?.mentions.map(({ table }) => table) ?? [],
  };
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
