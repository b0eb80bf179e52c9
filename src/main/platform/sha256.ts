import { createHash } from 'node:crypto';

import type { Hash } from '../engine/ports.ts';

export const sha256: Hash = (text) => new Uint8Array(createHash('sha256').update(text, 'utf8').digest());
