import type { TriggerDefinition, ViewDefinition } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { renderStatement } from '../sql/render-statement.ts';
import type { FileCatalog, FileObject } from './catalog-read.ts';
import { keepCaptureAhead } from './capture-order.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import { creationToShow, hasEnded, retireEnded } from './creation-to-show.ts';
import { isEqualText } from './equal-creations.ts';
import type { RecordedMigration } from './migration-records.ts';
import { whyNotStanding, whyNotStandingInFile } from './object-standing.ts';
import type { BodyObject } from './recorded-objects.ts';
import { renderHere, type BodyStatement } from './render-migration.ts';
import type { ReplicaStore } from './replica-store.ts';
import { followDdl } from './taken-catalog.ts';
import { endFinding, writeFinding } from './write-finding.ts';

/** A file while views and triggers are taken out and put back: its catalog follows each step without being read again. */
export interface BodiesAtWork {
  readonly store: ReplicaStore;
  readonly tables: FileCatalog['tables'];
  readonly localOnly: FileCatalog['localOnly'];
  readonly views: Map<string, FileObject<ViewDefinition>>;
  readonly triggers: Map<string, FileObject<TriggerDefinition>>;
}

/** Begins to work on the views and triggers of a file as they are now. */
export function workOnBodies(store: ReplicaStore): BodiesAtWork {
  const { tables, localOnly, views, triggers } = store.catalog.read();
  return { store, tables, localOnly, views: new Map(views), triggers: new Map(triggers) };
}

/**
 * Takes those that do not stand out of the file, and those that stand on them. A text that SQLite has put new names into
 * becomes the recorded one, as far as those are the names of what its creation mentions.
 */
export function takeOutBroken(work: BodiesAtWork, standing: readonly BodyObject[]): void {
  let left = standing;
  let size = -1;
  while (size !== left.length) {
    size = left.length;
    left = left.filter((object) => {
      if (followText(work, object)) return true;
      takeOut(work, object);
      return false;
    });
  }
}

/** Whether it stands. */
function followText(work: BodiesAtWork, object: BodyObject): boolean {
  const found = inFile(work, object);
  if (found === undefined) return false;
  const statement = bodyIn(found.sql);
  if (statement === null || whyNotStandingInFile(work.store, statement, work) !== null) return false;
  if (found.sql === object.text && !namesGoneColumn(work, object)) return true;
  if (!saysCreation(work, object, found.sql)) return false;
  if (found.sql !== object.text) work.store.objects.put({ ...object, text: found.sql });
  return true;
}

/** Whether its creation names a column that is dropped by now: it has the name there that it had at the author. */
function namesGoneColumn({ store }: BodiesAtWork, { migration }: BodyObject): boolean {
  const mentions = store.migrations.byNumber(migration)?.migration.mentions ?? [];
  return mentions.some((mention) => {
    const table = store.registry.byId(mention.table);
    if (typeof table?.name !== 'string') return false;
    const live = new Set(table.liveColumns.map(({ col }) => col));
    return mention.columns.some(({ id }) => !live.has(store.registry.ordinalOf(table, id) ?? -1));
  });
}

/** SQLite also renames what the author of a body cannot have meant: a column that was not there yet. */
function saysCreation({ store }: BodiesAtWork, { migration }: BodyObject, sql: string): boolean {
  const created = store.migrations.byNumber(migration);
  return created !== null && isEqualText(renderStatement(renderHere(store, created.migration)), sql);
}

/** What stands in the file under the name, whoever made it. */
const inFile = (
  work: BodiesAtWork,
  { kind, name }: Pick<BodyObject, 'kind' | 'name'>,
): FileObject<unknown> | undefined => (kind === 'view' ? work.views : work.triggers).get(name);

/** The view or trigger that a text makes; null where it cannot be read. */
export function bodyIn(sql: string): BodyStatement | null {
  const parsed = parseDdl(sql);
  if (!parsed.ok) return null;
  return parsed.value.kind === 'createView' || parsed.value.kind === 'createTrigger' ? parsed.value : null;
}

/** Takes a recorded view or trigger out of the file and remembers it as parked. A view takes its triggers along. */
export function takeOut(work: BodiesAtWork, object: BodyObject): void {
  const { store, views, triggers } = work;
  const found = object.text === null ? undefined : inFile(work, object);
  if (found !== undefined) {
    const own = object.kind === 'view' ? triggersOn(work, object.name) : [];
    followDdl(store, [found.name, ...own.map(([, { name }]) => name)], () => {
      store.db.exec(`drop ${object.kind} ${quoteIdentifier(found.name)}`);
    });
    (object.kind === 'view' ? views : triggers).delete(object.name);
  }
  store.objects.put({ ...object, text: null });
  if (object.kind !== 'view') return;
  for (const [key] of triggersOn(work, object.name)) {
    triggers.delete(key);
    const trigger = store.objects.get('trigger', key);
    if (trigger !== null) store.objects.put({ ...trigger, text: null });
  }
}

const triggersOn = ({ triggers }: BodiesAtWork, view: string) =>
  [...triggers].filter(([, { table }]) => isSameName(table, view));

/** Puts those that can stand back into the file. Views come first: triggers may lie on them, and other views over them. */
export function putBackParked(work: BodiesAtWork, objects: readonly BodyObject[]): void {
  let parked = objects
    .filter(({ text }) => text === null)
    .toSorted((left, right) => Number(left.kind === 'trigger') - Number(right.kind === 'trigger'));
  let size = -1;
  while (size !== parked.length) {
    size = parked.length;
    parked = parked.filter((object) => !putBack(work, object));
  }
}

/** Whether nothing more is to be done about it: it stands, or never will again. */
function putBack(work: BodiesAtWork, parked: BodyObject): boolean {
  const { store } = work;
  const creation = creationOf(store, parked);
  if (creation === null) {
    forgetBody(store, parked);
    return true;
  }
  const object = { ...parked, migration: creation.n };
  const { migration } = creation;
  const statement = renderHere(store, migration, work);
  if (statement.kind !== 'createView' && statement.kind !== 'createTrigger') return false;
  const why = create(work, object, statement);
  if (why === null) endFinding(store, parkedFinding(object));
  else {
    store.objects.put(object);
    noteParked(store, object, { name: migration.object, why });
  }
  return why === null;
}

/** What it was created by; where a trigger's table is gone for good, what shows of its name now. */
function creationOf(store: ReplicaStore, { migration }: BodyObject): RecordedMigration | null {
  const created = store.migrations.byNumber(migration);
  if (created === null || !hasEnded(store, created.migration)) return created;
  retireEnded(store, created.migration);
  return creationToShow(store, created.migration);
}

/** Why it could not be made, in SQLite's words; null when it stands now. */
function create(work: BodiesAtWork, object: BodyObject, statement: BodyStatement): string | null {
  const { store } = work;
  // What has the name is another program's, and not recorded because it does not stand.
  if (inFile(work, object) !== undefined)
    return `there is another ${object.kind} of that name, which is broken`;
  const why = whyNotStanding(store, statement, work);
  if (why !== null) return why;
  const text = renderStatement({ ...statement, ifNotExists: false });
  try {
    followDdl(store, [], () => {
      store.db.exec(text);
      if (statement.kind === 'createTrigger') keepCaptureAhead(store, statement.trigger.table, text);
    });
  } catch (cause) {
    if (sqliteCodeOf(cause) !== 'SQLITE_ERROR') throw cause;
    return cause instanceof Error ? cause.message : String(cause);
  }
  addToWork(work, object, { statement, text });
  store.objects.put({ ...object, text });
  return null;
}

/** What has the name is another program's, and not recorded because it does not stand. */
export const nameTaken = (kind: BodyObject['kind']): string =>
  `there is another ${kind} of that name, which is broken`;

/** Takes a view or trigger that is not in the file out of the record. */
export function forgetBody(store: ReplicaStore, object: Pick<BodyObject, 'kind' | 'name'>): void {
  store.objects.remove(object.kind, object.name);
  endFinding(store, parkedFinding(object));
}

const parkedFinding = ({ kind, name }: Pick<BodyObject, 'kind' | 'name'>) =>
  ({ kind: 'parked', table: name, subject: kind }) as const;

function noteParked(
  store: ReplicaStore,
  object: BodyObject,
  { name, why }: { readonly name: string; readonly why: string },
): void {
  const reason = why.replace(/^error in (?:view|trigger) .*?: /, '');
  writeFinding(store, {
    ...parkedFinding(object),
    detail: `The ${object.kind} ${name} is not in the file at present: ${reason}. It comes back by itself once that is there.`,
    advice: `Make what ${name} refers to, or drop it.`,
  });
}

function addToWork(
  { views, triggers }: BodiesAtWork,
  { name }: BodyObject,
  { statement, text }: { readonly statement: BodyStatement; readonly text: string },
): void {
  if (statement.kind === 'createView') {
    const { view } = statement;
    views.set(name, { kind: 'view', name: view.name, table: view.name, sql: text, definition: view });
    return;
  }
  const { trigger } = statement;
  triggers.set(name, {
    kind: 'trigger',
    name: trigger.name,
    table: trigger.table,
    sql: text,
    definition: trigger,
  });
}
