import { z } from 'zod';

import { ActivityEntry, ActivityKind } from '#shared/api/activity-procedures.ts';
import type { ConsoleDatabase } from '../store/console-database.ts';

export type NewEvent = Omit<ActivityEntry, 'id'>;

export interface EventRecords {
  readonly add: (event: NewEvent) => void;
  /** Newest first; those with a lower number than `before`. */
  readonly list: (page: {
    readonly before?: number | undefined;
    readonly limit: number;
  }) => readonly ActivityEntry[];
}

/** Kept at most: about a hundred bytes each. */
const EVENTS_MAX = 100_000;
/** Pruned in strides, so that not every event costs a delete. */
const PRUNE_EVERY = 1000;

const EventRow = z
  .object({
    id: z.number(),
    at_ms: z.number(),
    kind: ActivityKind,
    ref: z.string().nullable(),
    name: z.string().nullable(),
    facts: z.string(),
  })
  .transform(({ at_ms, facts, ...rest }) =>
    ActivityEntry.parse({ ...rest, atMs: at_ms, facts: JSON.parse(facts) as unknown }),
  );

/** What happened, in the console's database; the oldest go when there are more than 100,000. */
export function createEventRecords(db: ConsoleDatabase): EventRecords {
  return {
    add: ({ atMs, kind, ref, name, facts }) => {
      const { lastId } = db.run('insert into event (at_ms, kind, ref, name, facts) values (?, ?, ?, ?, ?)', [
        atMs,
        kind,
        ref,
        name,
        JSON.stringify(facts),
      ]);
      if (lastId % PRUNE_EVERY === 0) db.run('delete from event where id <= ?', [lastId - EVENTS_MAX]);
    },
    list: ({ before, limit }) =>
      db
        .all('select id, at_ms, kind, ref, name, facts from event where id < ? order by id desc limit ?', [
          before ?? Number.MAX_SAFE_INTEGER,
          limit,
        ])
        .map((row) => EventRow.parse(row)),
  };
}
