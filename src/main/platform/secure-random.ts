import { randomBytes } from 'node:crypto';

import type { Random } from '../engine/ports.ts';

/** Bytes of the system's own generator. */
export const secureRandom: Random = { bytes: (count) => new Uint8Array(randomBytes(count)) };
