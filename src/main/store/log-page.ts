import { assert } from '#shared/assert.ts';
import type { ChangeGroup, Cursor, Migration, Page } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { PAGE_BYTES_MAX } from '#shared/wire/limits.ts';

import { createGroupBuilder } from './group-builder.ts';
import type { GroupBuilder } from './group-builder.ts';
import { readLastNotice } from './log-notice.ts';
import { PIECE_BYTES, PIECE_BYTES_MIN, planPieces } from './page-pieces.ts';
import type { LargeFact } from './page-pieces.ts';
import { formatPlace, parsePieceMark, parsePlace } from './page-place.ts';
import type { PagePlace, PieceMark } from './page-place.ts';
import { readPageEvents } from './page-events.ts';
import type { FactEvent, PageEvent } from './page-events.ts';
import type { SiteRegistry } from './site-registry.ts';
import type { StoreDatabase } from './store-database.ts';
import type { TableRegistry } from './table-registry.ts';

export interface LogPageRequest {
  readonly registry: TableRegistry;
  readonly sites: SiteRegistry;
  /** Where the puller stands; checked before by `checkCursor`. `seq` 0 for the start. */
  readonly cursor: Cursor;
  /** Page size in facts. */
  readonly facts: number;
  /** What it wrote itself, or brought here, is not sent back to it. */
  readonly puller: SiteId;
  /** A migration by its number; null of one that is not sent (overtaken, unknown). */
  readonly migrationOf: (n: number) => Migration | null;
}

/** Entries looked at per page: a long stretch of overtaken ones must not keep the reader for ever. */
const PAGE_ENTRIES_MAX = 20_000;

/**
 * Reads what follows a cursor: whole groups, as many as fit; a larger group in parts; a baseline in groups of a page.
 *
 * Only what still holds is sent: an entry that was overtaken is passed over, and a row goes out as it is now, with the
 * clocks of the cells that were changed since. Nothing newer than the last notice goes out.
 *
 * Runs in a transaction after notice and fold. Guarantees (LOG-003): the cursor moves on whenever `more` is true; following it to
 * the end gives every row, cell and deletion that is current.
 */
export function readLogPage(db: StoreDatabase, request: LogPageRequest): Page {
  assert(db.inTransaction(), 'a page is read from one state of the file');
  const head = readLastNotice(db).seq;
  const page = createPacker(request, head);
  if (page.place().seq >= head) return page.finish();
  for (const event of readPageEvents(db, { ...request, from: page.place(), head })) {
    if (!page.take(event)) break;
  }
  return page.finish();
}

interface Packer {
  readonly place: () => PagePlace;
  /** False when the page is full and the event did not go in. */
  readonly take: (event: PageEvent) => boolean;
  readonly finish: () => Page;
}

function createPacker(request: LogPageRequest, head: number): Packer {
  const groups: ChangeGroup[] = [];
  let group: GroupBuilder = createGroupBuilder();
  /** Where the puller stands once all of `groups` are admitted. */
  let settled = parsePlace(request.cursor);
  /** Just after the last event that went into `group`. */
  let reached = settled;
  /** What of the fact after `settled` the puller has. */
  let sent = parsePieceMark(request.cursor);
  let facts = 0;
  let bytes = 0;
  let read = 0;
  return { place: () => settled, take, finish };

  function take(event: PageEvent): boolean {
    if (isFull(event, { facts, bytes, read, factsMax: request.facts })) {
      breakOff();
      return false;
    }
    if (event.type === 'fact' && !takeFact(event)) return false;
    reached = event.place;
    if (event.type === 'migration') group.addMigration(event.migration);
    if (event.type === 'replacement') group.addReplacement(event.table, event.replacement);
    // A baseline begins with a boundary where the puller stands already: what it has of the first row still counts.
    if (event.type === 'boundary') settle(false, group.isEmpty() && isSettled(event.place) ? sent : null);
    else read += 1;
    return true;
  }

  function takeFact(event: FactEvent): boolean {
    const large = planPieces(event);
    if (large !== null && !takePiece(large)) return false;
    group.addFact(large?.fact ?? event.fact, large?.pieced);
    facts += 1;
    bytes += large?.bytes ?? event.bytes;
    return true;
  }

  /** The next piece of a fact that is larger than a page; true when it is the last, and the fact can follow. */
  function takePiece({ pieced: { of }, length, slice }: LargeFact): boolean {
    const at = sent?.of === of ? Math.min(sent.sent, length) : 0;
    const to = Math.min(length, at + Math.max(PIECE_BYTES - bytes, PIECE_BYTES_MIN));
    if (group.hasPiece()) settle(true);
    group.setPiece({ of, at, bytes: slice(at, to) });
    bytes += to - at;
    if (to === length) return true;
    read += 1;
    settle(true, { of, sent: to });
    return false;
  }

  /** Puts the gathered group into the page. */
  function settle(unfinished: boolean, piece: PieceMark | null = null): void {
    if (!group.isEmpty()) groups.push(group.finish(cursorAt(reached, piece), unfinished));
    group = createGroupBuilder();
    settled = reached;
    sent = piece;
  }

  function isSettled({ seq, inside }: PagePlace): boolean {
    return seq === settled.seq && inside === null && settled.inside === null;
  }

  /** The page is full inside a group: it waits for a page of its own, unless it is the first and so larger than a page. */
  function breakOff(): void {
    if (reached.isBaseline || group.isEmpty()) settle(false);
    else if (groups.length === 0) settle(true);
  }

  function finish(): Page {
    return {
      groups,
      cursor: cursorAt(settled, sent),
      head,
      more: settled.seq < head,
      read,
    };
  }

  function cursorAt(place: PagePlace, piece: PieceMark | null = null): Cursor {
    const { epoch, era, catalogSeq } = request.cursor;
    const inside = formatPlace(place, piece);
    return { epoch, era, seq: place.seq, catalogSeq, ...(inside === null ? {} : { inside }) };
  }
}

interface PageState {
  readonly facts: number;
  readonly bytes: number;
  readonly read: number;
  readonly factsMax: number;
}

function isFull(event: PageEvent, { facts, bytes, read, factsMax }: PageState): boolean {
  if (event.type === 'boundary') return false;
  if (event.type !== 'fact') return read >= PAGE_ENTRIES_MAX;
  if (event.joined === 'second') return false;
  if (read >= PAGE_ENTRIES_MAX) return true;
  const wanted = facts + (event.joined === 'first' ? 2 : 1);
  // One fact is always taken, whatever its size: it would never go out otherwise.
  return facts > 0 && (wanted > factsMax || bytes + event.bytes > PAGE_BYTES_MAX);
}
