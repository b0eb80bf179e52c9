import type { LinkHealth } from '#shared/api/fleet-replica.ts';
import type { LinkState } from '../peers/link-state.ts';
import { describeLinkError, isTooOld } from './link-words.ts';

export interface LinkFacts {
  readonly paused: boolean;
  /** One per direction that this host pulls. */
  readonly states: readonly LinkState[];
  /** One of the two ends has a blocked batch of the other: its sentence. */
  readonly blocked: string | null;
  readonly lag: number;
}

/** How a link is, worst first: paused, too old, blocked, unreachable, behind, healthy. */
export function decideLinkHealth({ paused, states, blocked, lag }: LinkFacts): {
  readonly health: LinkHealth;
  readonly reason: string | null;
} {
  if (paused) return { health: 'paused', reason: null };
  const errors = states.map(({ lastError }) => lastError).filter((error) => error !== null);
  const tooOld = errors.find(isTooOld);
  if (tooOld !== undefined) return { health: 'tooOld', reason: describeLinkError(tooOld) };
  const blockedBy = blocked ?? states.find((state) => state.blocked !== null)?.blocked?.message;
  if (blockedBy !== undefined) return { health: 'blocked', reason: blockedBy };
  const error = errors[0];
  if (error !== undefined) return { health: 'unreachable', reason: describeLinkError(error) };
  return { health: lag > 0 ? 'behind' : 'healthy', reason: null };
}
