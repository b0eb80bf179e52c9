import type { Random } from '../engine/ports.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** Doublings after which the longest wait is reached for certain. */
const DOUBLINGS_MAX = 16;

/**
 * How long to wait before the next try: 1 s doubling to 60 s, and up to a fifth less by chance, so that
 * many peers of a host that was away do not come back at the same instant.
 *
 * Units: milliseconds. `failures` counts those in a row and is at least 1.
 */
export function backOffMs(failures: number, random: Random): number {
  const fullMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, DOUBLINGS_MAX));
  const chance = (random.bytes(1)[0] ?? 0) / 256;
  return Math.round(fullMs * (1 - chance / 5));
}
