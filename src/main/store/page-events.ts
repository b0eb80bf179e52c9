import type { Migration, TableReplacement } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';

import type { OutgoingFact } from './group-builder.ts';
import { readHeld } from './page-held.ts';
import type { LogEntry } from './log-entry.ts';
import { readLogEntries } from './log-entry.ts';
import { LOG_KIND } from './metadata-schema.ts';
import { createPageReader } from './page-facts.ts';
import type { PageReader } from './page-facts.ts';
import type { PagePlace } from './page-place.ts';
import { readStretch } from './page-stretch.ts';
import { OWN_SITE_ORDINAL } from './site-registry.ts';
import type { SiteRegistry } from './site-registry.ts';
import type { StoreDatabase } from './store-database.ts';
import type { TableRegistry, TrackedTable } from './table-registry.ts';
import { readReplacement } from './table-replacements.ts';

/** What the log says from a place on, in order. `place` is where the reader stands after the event. */
export type PageEvent =
  | FactEvent
  | { readonly type: 'migration'; readonly place: PagePlace; readonly migration: Migration }
  | {
      readonly type: 'replacement';
      readonly place: PagePlace;
      readonly table: TrackedTable;
      readonly replacement: Omit<TableReplacement, 'table'>;
    }
  /** Entries that were overtaken, or that the puller has. */
  | { readonly type: 'passed'; readonly place: PagePlace }
  /** A group ends here, or a baseline begins or ends. */
  | { readonly type: 'boundary'; readonly place: PagePlace };

export interface FactEvent {
  readonly type: 'fact';
  readonly place: PagePlace;
  readonly fact: OutgoingFact;
  readonly bytes: number;
  /** Of one entry with the fact before or after: both go into a page, or neither. */
  readonly joined?: 'first' | 'second';
}

export interface PageEventsRequest {
  readonly registry: TableRegistry;
  readonly sites: SiteRegistry;
  readonly from: PagePlace;
  /** Nothing after this is read. */
  readonly head: number;
  /** How many facts the page may hold: bounds what is read ahead. */
  readonly facts: number;
  readonly cursor: { readonly catalogSeq: number };
  /** Null: a program that follows the tables. It has written nothing, and does not hear of what waits. */
  readonly puller: SiteId | null;
  readonly migrationOf: (n: number) => Migration | null;
}

/** Longest stretch of entries that is read at once. */
const READ_AHEAD_MAX = 1_024;

/** Reads the log from a place to its head. Stop early by leaving the loop: nothing stays open. */
export function* readPageEvents(db: StoreDatabase, request: PageEventsRequest): Generator<PageEvent> {
  const { from, head, sites } = request;
  const reader = createPageReader(db, request);
  const puller = request.puller === null ? null : sites.findOrdinal(request.puller);
  const isPullers = (entry: LogEntry): boolean =>
    request.puller === null
      ? entry.kind === LOG_KIND.held || entry.kind === LOG_KIND.replacement
      : puller !== null && (isBy(entry, puller) || entry.via === puller);

  let seq = from.seq;
  if (from.inside !== null) {
    const [entry] = readLogEntries(db, { after: from.inside.entry - 1, to: from.inside.entry, limit: 1 });
    if (entry !== undefined) {
      yield* readStretch(reader, entry, from.inside.after);
      seq = entry.seq;
    }
  }
  const limit = Math.min(READ_AHEAD_MAX, request.facts + 1);
  while (seq < head) {
    const entries = readLogEntries(db, { after: seq, to: head, limit });
    for (const run of splitRuns(entries, isPullers)) yield* readRun(reader, request, run);
    seq = entries.at(-1)?.seq ?? head;
  }
}

/** What the puller's replacement of a table left out was found by others, row by row. */
const isBy = ({ kind, mask, site }: LogEntry, puller: number): boolean =>
  (site ?? OWN_SITE_ORDINAL) === puller && !(kind === LOG_KIND.delete && mask !== null);

interface Run {
  readonly entries: readonly LogEntry[];
  readonly first: LogEntry;
  readonly last: LogEntry;
  readonly isPullers: boolean;
}

/** Neighbours of one table, kind and mask are read by one statement. */
function splitRuns(entries: readonly LogEntry[], isPullers: (entry: LogEntry) => boolean): readonly Run[] {
  const runs: {
    readonly entries: LogEntry[];
    readonly first: LogEntry;
    last: LogEntry;
    readonly isPullers: boolean;
  }[] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const skips = isPullers(entry);
    if (run?.isPullers === skips && isAlike(run.first, entry)) {
      run.entries.push(entry);
      run.last = entry;
    } else {
      runs.push({ entries: [entry], first: entry, last: entry, isPullers: skips });
    }
  }
  return runs;
}

function isAlike(left: LogEntry, right: LogEntry): boolean {
  const isSettable =
    left.kind !== LOG_KIND.range && left.kind !== LOG_KIND.baseline && left.kind !== LOG_KIND.notice;
  const isMove = left.was !== null || right.was !== null;
  return (
    isSettable &&
    !isMove &&
    left.kind === right.kind &&
    left.tbl === right.tbl &&
    left.mask === right.mask &&
    left.hi === right.hi
  );
}

function* readRun(reader: PageReader, request: PageEventsRequest, run: Run): Generator<PageEvent> {
  const end: PagePlace = { seq: run.last.seq, inside: null, isBaseline: false };
  // A group ends for everybody, whoever wrote it.
  if (run.first.kind === LOG_KIND.notice) {
    yield { type: 'boundary', place: end };
    return;
  }
  if (!run.isPullers) yield* readRunFacts(reader, request, run);
  yield { type: 'passed', place: end };
}

function* readRunFacts(reader: PageReader, request: PageEventsRequest, run: Run): Generator<PageEvent> {
  switch (run.first.kind) {
    case LOG_KIND.migration:
      yield* readMigrations(request, run);
      return;
    case LOG_KIND.range:
    case LOG_KIND.baseline:
      yield* readStretch(reader, run.first, null);
      return;
    case LOG_KIND.insert:
      yield* reader.rows(run);
      return;
    case LOG_KIND.update:
      yield* run.first.was === null ? reader.cells(run) : readMove(reader, run);
      return;
    case LOG_KIND.delete:
    case LOG_KIND.watch:
      yield* reader.deletes(run, null);
      return;
    default:
      yield* readOthers(reader, request, run);
  }
}

function* readOthers(reader: PageReader, request: PageEventsRequest, run: Run): Generator<PageEvent> {
  switch (run.first.kind) {
    case LOG_KIND.held:
      yield* readHeld(reader, run);
      return;
    case LOG_KIND.replacement:
      yield* readReplacements(reader, request, run);
      return;
    default:
      throw new Error(`The log holds an entry of unknown kind ${run.first.kind}.`);
  }
}

/** A row under another key or rowid: its old identity is deleted, the new one is a whole row. */
function* readMove(reader: PageReader, run: Run): Generator<PageEvent> {
  const deletes = [...reader.deletes(run, { seq: run.first.seq - 1, inside: null, isBaseline: false })];
  const rows = [...reader.rows(run)];
  const isPair = deletes.length > 0 && rows.length > 0;
  for (const event of deletes) yield isPair ? { ...event, joined: 'first' } : event;
  for (const event of rows) yield isPair ? { ...event, joined: 'second' } : event;
}

function* readReplacements(reader: PageReader, { sites }: PageEventsRequest, run: Run): Generator<PageEvent> {
  for (const entry of run.entries) {
    const table = reader.tableOf(entry);
    const replacement = table === null ? null : readReplacement({ db: reader.db, sites }, entry.rid);
    if (table === null || replacement === null) continue;
    const place = { seq: entry.seq, inside: null, isBaseline: false };
    yield { type: 'replacement', place, table, replacement };
  }
}

function* readMigrations(request: PageEventsRequest, run: Run): Generator<PageEvent> {
  for (const entry of run.entries) {
    // These came with the catalog of the puller's first page.
    if (entry.seq <= request.cursor.catalogSeq) continue;
    const migration = request.migrationOf(Number(entry.rid));
    if (migration === null) continue;
    yield { type: 'migration', place: { seq: entry.seq, inside: null, isBaseline: false }, migration };
  }
}
