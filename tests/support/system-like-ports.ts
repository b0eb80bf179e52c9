import { createHash, randomBytes } from 'node:crypto';

import type { Ports } from '#main/engine/ports.ts';

/** Ports of a real host: wall clock, true randomness; the log says nothing. */
export const systemLikePorts = (): Ports => ({
  clock: { nowMs: () => Date.now(), isWallClock: true },
  random: { bytes: (count) => new Uint8Array(randomBytes(count)) },
  hash: (text) => new Uint8Array(createHash('sha256').update(text).digest()),
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
});
