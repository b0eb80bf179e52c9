import { z } from 'zod';

import { decodeBase64url, encodeBase64url } from '#shared/model/base64url.ts';
import { Epoch, Era } from '#shared/model/ids.ts';
import { encodeUtf8, decodeUtf8 } from '#shared/model/utf8.ts';
import { err, ok, type Result } from '#shared/result.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import { checkCursor } from '../store/era-list.ts';
import { readFeedFacts, type FeedPlace } from '../store/feed-page.ts';
import { formatPlace, parsePlace } from '../store/page-place.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { noticeForServing } from './notice-for-serving.ts';
import type { FeedError, FeedPage, FeedRequest } from './replica.ts';

const FEED_LIMIT_DEFAULT = 100;
const FEED_LIMIT_MAX = 1_000;

/** The whole query and where its reader stands. Written by this replica and handed back as it is. */
const FeedCursor = z.strictObject({
  v: z.literal(1),
  epoch: Epoch,
  era: Era,
  seq: z.number().int().min(0),
  inside: z.string().optional(),
  isHalfway: z.literal(true).optional(),
  tables: z.array(z.string()).optional(),
});
type FeedCursor = z.infer<typeof FeedCursor>;

/**
 * Gives what changed after a cursor, in the order in which this replica recorded it (F01 to F06).
 *
 * Every change that is current comes exactly once while writes go on: nothing newer than the last notice is given, so nothing
 * lands behind a page. A change that was overtaken before it was read does not come; what overtook it does.
 *
 * Errors:
 * - `bad-limit`: not a whole number from 1 to 1,000.
 * - `bad-cursor`: none that a feed gave, or given together with another choice of tables.
 * - `no-such-table`: a table that the query names.
 * - `cursor-lost`: the file was restored, copied back or made anew since; read it from the start.
 */
export function readFeed(store: ReplicaStore, request: FeedRequest): Result<FeedPage, FeedError> {
  const { limit = FEED_LIMIT_DEFAULT } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > FEED_LIMIT_MAX)
    return err({
      code: 'bad-limit',
      message: `The limit is a whole number from 1 to ${FEED_LIMIT_MAX}, not ${limit}.`,
    });
  const query =
    request.cursor === undefined ? firstQuery(store, request) : laterQuery(store, request.cursor, request);
  if (!query.ok) return query;
  noticeForServing(store);
  const { value: cursor } = query;
  const { facts, place, more } = store.db.raw
    .transaction(() =>
      readFeedFacts(store, {
        from: placeOf(cursor),
        limit,
        tables: cursor.tables === undefined ? null : new Set(cursor.tables),
      }),
    )
    .deferred();
  const after = formatCursor(cursor, { ...store, place });
  return ok({ changes: facts, resume: after, ...(more && { next: after }) });
}

function firstQuery(store: ReplicaStore, { tables }: FeedRequest): Result<FeedCursor, FeedError> {
  const unknown = tables?.find((name) => !isFollowed(store, name));
  if (unknown !== undefined)
    return err({
      code: 'no-such-table',
      message: `There is no table "${unknown}" whose rows replicate here.`,
    });
  const { epoch, era } = store;
  return ok({
    v: 1,
    epoch,
    era,
    seq: 0,
    ...(tables !== undefined && { tables: tables.map(foldIdentifier) }),
  });
}

/** A table whose rows have no key does not replicate them, and its feed would be empty for ever. */
function isFollowed({ registry }: ReplicaStore, name: string): boolean {
  const table = registry.byName(name);
  return table !== null && table.name !== null && table.key.length > 0;
}

function laterQuery(
  store: ReplicaStore,
  text: string,
  { tables }: FeedRequest,
): Result<FeedCursor, FeedError> {
  const cursor = parseCursor(text);
  if (cursor === null)
    return err({
      code: 'bad-cursor',
      message: 'This is no cursor that the feed gave: hand back `next` or `resume` of a page as it came.',
    });
  if (tables !== undefined && tables.map(foldIdentifier).join() !== cursor.tables?.join())
    return err({
      code: 'bad-cursor',
      message:
        'The cursor belongs to a query of other tables: leave `tables` out, or begin without a cursor.',
    });
  const verdict = checkCursor(store.db, cursor);
  if (verdict.code === 'ok') return ok(cursor);
  return err({
    code: 'cursor-lost',
    message:
      'The replica was restored, copied back or made anew since this cursor was given: read the feed from the start, without a cursor.',
  });
}

const placeOf = (cursor: FeedCursor): FeedPlace => ({
  ...parsePlace(cursor),
  isHalfway: cursor.isHalfway === true,
});

function formatCursor(
  { tables }: FeedCursor,
  { epoch, era, place }: Pick<ReplicaStore, 'epoch' | 'era'> & { readonly place: FeedPlace },
): string {
  const inside = formatPlace(place);
  const cursor: FeedCursor = {
    v: 1,
    epoch,
    era,
    seq: place.seq,
    ...(inside !== null && { inside }),
    ...(place.isHalfway && { isHalfway: true }),
    ...(tables !== undefined && { tables }),
  };
  return encodeBase64url(encodeUtf8(JSON.stringify(cursor)));
}

function parseCursor(text: string): FeedCursor | null {
  const bytes = decodeBase64url(text);
  const json = bytes === null ? null : decodeUtf8(bytes);
  if (json === null) return null;
  try {
    const parsed = FeedCursor.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
