import type { Clock } from '../engine/ports.ts';

/** The machine's wall clock. It may step back. */
export const systemClock: Clock = { nowMs: () => Date.now(), isWallClock: true };
