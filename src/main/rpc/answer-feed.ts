import { z } from 'zod';

import { formatStamp } from '#shared/model/hlc.ts';
import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import type { JsonSqlValue, SqlValue } from '#shared/model/sql-value.ts';
import type { FeedDoor, FeedFailure } from '../services/feed-service.ts';
import type { FeedFact } from '../store/feed-page.ts';
import type { Principal } from './principal.ts';

export interface FeedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `/replicas/:id/changes`; anything else is another address. */
const FEED_PATH = /^\/replicas\/([^/]+)\/changes$/;

const WAIT_SECONDS_MAX = 60;

const FeedQuery = z.strictObject({
  cursor: z.string().max(10_000).optional(),
  limit: z.coerce.number().optional(),
  /** Names with a comma between them; a name that has one itself is given as %2C twice encoded. */
  tables: z
    .string()
    .max(100_000)
    .transform((text) => text.split(',').map(decodeTwice))
    .optional(),
  wait: z.coerce.number().min(0).max(WAIT_SECONDS_MAX).optional(),
});

/** Status of each refusal. */
const STATUS: Readonly<Record<FeedFailure['code'], number>> = {
  'bad-limit': 400,
  'bad-cursor': 400,
  'no-such-table': 404,
  'replica-unknown': 404,
  // What the cursor meant is gone for good.
  'cursor-lost': 410,
  'replica-unavailable': 503,
};

/** The replica that a feed's address names; null when it is no address of a feed. */
export function feedReplicaOf(path: string): string | null {
  const encoded = FEED_PATH.exec(path)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/**
 * Answers `GET /replicas/:id/changes?cursor=&limit=&tables=&wait=` with `{changes, next?, resume}`, or with
 * `{error: {code, message}}` and the status that fits. `wait`: seconds, up to 60, to wait for a change where there is none.
 *
 * A token for some sites reads the feed of those alone; of another it learns nothing, not even whether it is here.
 */
export async function answerFeed(
  door: FeedDoor,
  principal: Principal,
  asked: { readonly replica: string; readonly search: string },
): Promise<FeedAnswer> {
  const query = readQuery(asked.search);
  if (!query.ok) return refuse(400, 'bad-query', query.message);
  const { sites } = principal;
  if (sites !== null && !sites.some((site) => site === asked.replica))
    return refuse(403, 'forbidden', 'This token has no right to the feed of that replica.');
  const { cursor, limit, tables, wait = 0 } = query.value;
  const page = await door.read(asked.replica, { cursor, limit, tables, waitMs: wait * 1_000 });
  if (!page.ok) return refuse(STATUS[page.error.code], page.error.code, page.error.message);
  const { changes, next, resume } = page.value;
  return json(200, { changes: changes.map(changeOf), ...(next !== undefined && { next }), resume });
}

type Query =
  | { readonly ok: true; readonly value: z.infer<typeof FeedQuery> }
  | { readonly ok: false; readonly message: string };

function readQuery(search: string): Query {
  const given = [...new URLSearchParams(search)];
  const names = given.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return { ok: false, message: `"${twice}" is given twice.` };
  const parsed = FeedQuery.safeParse(Object.fromEntries(given));
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, message: z.prettifyError(parsed.error) };
}

const changeOf = ({ seq, table, key, values, stamp }: FeedFact) => ({
  seq,
  table,
  key: valuesToJson(key),
  op: values === null ? 'delete' : 'upsert',
  values: values === null ? null : valuesToJson(values),
  hlc: formatStamp(stamp),
});

const valuesToJson = (values: Readonly<Record<string, SqlValue>>): Readonly<Record<string, JsonSqlValue>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sqlValueToJson(value)]));

const refuse = (status: number, code: string, message: string): FeedAnswer =>
  json(status, { error: { code, message } });

const json = (status: number, body: unknown): FeedAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

function decodeTwice(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
