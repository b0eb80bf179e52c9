import type { Handlers } from '#shared/api/types.ts';
import { ok } from '#shared/result.ts';
import type { EventRecords } from '../console/event-records.ts';

/** The list of what happened. */
export function createActivityHandlers(events: EventRecords): Pick<Handlers, 'activity.list'> {
  return { 'activity.list': async (page) => Promise.resolve(ok(events.list(page))) };
}
