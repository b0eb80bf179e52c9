import type { Stamp } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { PAGE_BYTES_MAX } from '#shared/wire/limits.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { bindValue } from './bind-value.ts';
import { readExactly } from './exact-values.ts';
import type { OutgoingFact } from './group-builder.ts';
import { keyExpression } from './key-expression.ts';
import { readLastNotice } from './log-notice.ts';
import { readPageEvents } from './page-events.ts';
import type { FactEvent, PageEvent } from './page-events.ts';
import { selectColumns } from './page-facts.ts';
import type { PagePlace } from './page-place.ts';
import type { ReplicaStore } from './replica-store.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { TrackedTable } from './table-registry.ts';

/** Where a reader of the feed stands. */
export interface FeedPlace extends PagePlace {
  /** Whether the deletion was given already of an entry that is a deletion and a row: one that moved. */
  readonly isHalfway: boolean;
}

/** One row as it is now, or gone. */
export interface FeedFact {
  readonly seq: number;
  readonly table: string;
  /** Values of the key by column. */
  readonly key: Readonly<Record<string, SqlValue>>;
  /** All values of the row by column; null where the row is deleted. */
  readonly values: Readonly<Record<string, SqlValue>> | null;
  readonly stamp: Stamp;
}

export interface FeedFacts {
  readonly facts: readonly FeedFact[];
  /** Where the reader stands with these. */
  readonly place: FeedPlace;
  /** Whether something follows. */
  readonly more: boolean;
}

/** Entries looked at for one page: those of other tables must not keep the reader for ever. */
const EVENTS_MAX = 20_000;

/**
 * Reads what changed after a place, in the order in which it was recorded: of each row that an entry speaks of what it is now.
 *
 * Runs in a transaction after notice and fold. Guarantees (LOG-004): following the place to the end gives every row and
 * deletion that is current; an entry that was overtaken is passed over, since what overtook it has a higher seq. What waits
 * in held is in no table and is not told of. What another program's swap of a table left out is told as deleted only where
 * it was recorded row by row, and by the replicas that it reached. `tables`: folded names; null for all.
 */
export function readFeedFacts(
  store: Pick<ReplicaStore, 'db' | 'registry' | 'sites'>,
  request: {
    readonly from: FeedPlace;
    readonly limit: number;
    readonly tables: ReadonlySet<string> | null;
  },
): FeedFacts {
  const { db, registry, sites } = store;
  const { from, limit, tables } = request;
  const head = readLastNotice(db).seq;
  const page = createFeedPage(store, { from, limit, tables });
  for (const event of readPageEvents(db, {
    registry,
    sites,
    from,
    head,
    facts: limit,
    cursor: { catalogSeq: head },
    puller: null,
    migrationOf: () => null,
  })) {
    if (!page.take(event)) return { ...page.taken(), more: true };
  }
  const end = { seq: Math.max(head, from.seq), inside: null, isBaseline: false, isHalfway: false };
  return { ...page.taken(), place: end, more: false };
}

interface OpenFeedPage {
  /** False when the page is full and the event did not go in. */
  readonly take: (event: PageEvent) => boolean;
  readonly taken: () => Omit<FeedFacts, 'more'>;
}

function createFeedPage(
  store: Pick<ReplicaStore, 'db' | 'registry'>,
  { from, limit, tables }: Parameters<typeof readFeedFacts>[1],
): OpenFeedPage {
  const facts: FeedFact[] = [];
  let place = from;
  let events = 0;
  let bytes = 0;
  return { take, taken: () => ({ facts, place }) };

  function take(event: PageEvent): boolean {
    if (events >= EVENTS_MAX) return false;
    events += 1;
    if (event.type === 'fact' && !takeFact(event)) return false;
    place = { ...event.place, isHalfway: isFirstHalf(event) };
    return true;
  }

  function takeFact(event: FactEvent): boolean {
    const wasGiven = from.isHalfway && facts.length === 0 && isFirstHalf(event);
    const fact = wasGiven ? null : readFact(store, event, tables);
    if (fact === null) return true;
    if (facts.length >= limit || bytes >= PAGE_BYTES_MAX) return false;
    facts.push(fact);
    bytes += event.bytes;
    return true;
  }
}

const isFirstHalf = (event: PageEvent): boolean => event.type === 'fact' && event.joined === 'first';

function readFact(
  store: Pick<ReplicaStore, 'db' | 'registry'>,
  { fact, place, joined }: FactEvent,
  tables: ReadonlySet<string> | null,
): FeedFact | null {
  const { table, kind, hlc, site } = fact;
  if (table.name === null || (tables !== null && !tables.has(foldIdentifier(table.name)))) return null;
  const values = kind === 'deletes' ? null : readRow(store, fact);
  // Of a row whose key was folded by its collation the fact has the key as it is spelt by now.
  const key = Object.fromEntries(table.key.map(({ name }, at) => [name, fact.values[at] ?? null]));
  const seq = place.inside?.entry ?? (joined === 'first' ? place.seq + 1 : place.seq);
  return { seq, table: table.name, key, values, stamp: { hlc, site } };
}

/** The row that a fact speaks of, whole; null where it is gone. */
function readRow(
  { db }: Pick<ReplicaStore, 'db'>,
  { table, values }: OutgoingFact,
): Readonly<Record<string, SqlValue>> | null {
  const found = values.slice(0, table.key.length).map(bindValue);
  const where = table.key.map(
    ({ name, collation }, at) =>
      `t.${quoteIdentifier(name)} = ${found[at]?.sql ?? 'null'} collate ${quoteIdentifier(collation ?? 'BINARY')}`,
  );
  const row = db
    .prepareRaw<unknown[]>(
      `select ${ridOf(table)}, ${selectColumns(table.columns)} from ${quoteIdentifier(table.name ?? '')} as t where ${where.join(' and ')}`,
    )
    .get(...found.map(({ bound }) => bound));
  const [rid, ...stored] = row ?? [];
  if (rid === undefined || rid === null) return null;
  const exact = readExactly({ db }, { table, columns: table.columns, rid, values: stored });
  return Object.fromEntries(table.columns.map(({ name }, at) => [name, exact[at] ?? null]));
}

const ridOf = (table: TrackedTable): string =>
  table.kind === TABLE_KIND.withoutRowid ? keyExpression(table.key, 't.') : `t.${table.ridExpression}`;
