import type { Random } from '../engine/ports.ts';

const REF_BYTES = 9;

/** A name for a replica, a link or a host of this console: short, without a slash, and never drawn twice. */
export function drawRef(random: Random): string {
  return Buffer.from(random.bytes(REF_BYTES)).toString('base64url');
}
