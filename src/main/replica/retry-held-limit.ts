import { readBlocked } from '../store/blocked-batches.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { retryBlocked } from './admit-page.ts';

/** Tries the lines again that stand because too much was held: there may be room now. */
export function retryHeldLimit(store: ReplicaStore): void {
  for (const { site, refusal } of readBlocked(store)) {
    if (refusal.cause === 'heldLimit') retryBlocked(store, site);
  }
}
