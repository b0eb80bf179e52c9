import type { SiteId } from '#shared/model/ids.ts';

/** Who is at the other end of a connection, and what they may. */
export interface Principal {
  /** For the decision journal and the activity list. */
  readonly name: string;
  readonly role: 'sync' | 'read' | 'operate';
  /** The sites that may be synced; null for all. */
  readonly sites: readonly SiteId[] | null;
  /** False once it was withdrawn or has expired: what is open then ends. */
  readonly isInForce: () => boolean;
}
