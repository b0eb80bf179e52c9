import type { ActivityEntry, ActivityKind } from '#shared/api/activity-procedures.ts';
import type { EventRecords } from '../console/event-records.ts';
import type { PushHub } from './push-hub.ts';

export interface ActivityLog {
  /** `about` is the replica that it concerns, by its name now. */
  readonly note: (
    kind: ActivityKind,
    facts: ActivityEntry['facts'],
    about?: { readonly ref: string; readonly name: string },
  ) => void;
}

/** Writes down what happened, and tells that there is something new. */
export function createActivityLog(deps: {
  readonly events: EventRecords;
  readonly hub: PushHub;
  readonly nowMs: () => number;
}): ActivityLog {
  return {
    note: (kind, facts, about) => {
      deps.events.add({
        atMs: deps.nowMs(),
        kind,
        facts,
        ref: about?.ref ?? null,
        name: about?.name ?? null,
      });
      deps.hub.push('activity');
    },
  };
}
