import type { SchemaEvent } from '#shared/model/schema-event.ts';

import { watchSchemaEvents } from '../store/schema-events.ts';
import type { ReplicaStore } from '../store/replica-store.ts';

/**
 * Makes what runs a call that may record schema changes, and tells afterwards what was decided: a log line each, and all
 * of them to the host. Told also when the call throws: what had committed before stays.
 */
export function announceSchema(
  store: ReplicaStore,
  tell: ((events: readonly SchemaEvent[]) => void) | undefined,
): <T>(work: () => T) => T {
  const take = watchSchemaEvents(store);
  return (work) => {
    try {
      return work();
    } finally {
      const events = store.db.inTransaction() ? [] : take();
      for (const event of events) logEvent(store, event);
      if (events.length > 0) tell?.(events);
    }
  };
}

function logEvent({ ports }: ReplicaStore, event: SchemaEvent): void {
  const { verdict, atMs: _atMs, ...facts } = event;
  const isTrouble = verdict === 'conflict' || verdict === 'convergedWithWarning';
  ports.log[isTrouble ? 'warn' : 'info'](`schema.${verdict}`, facts);
}
