import { z } from 'zod';

/** Version of the peer protocol. A change of any message or of the meaning of its bytes raises it (WIRE-001). */
export const PROTOCOL_VERSION = 1;

/** Lowest and highest version that a side speaks. */
export const protocolRange = z
  .tuple([z.int().min(1), z.int().min(1)])
  .refine(([lowest, highest]) => lowest <= highest, { error: 'the lowest version comes first' });
export type ProtocolRange = readonly [lowest: number, highest: number];

/** What this program speaks. */
export const PROTOCOL_RANGE: ProtocolRange = [PROTOCOL_VERSION, PROTOCOL_VERSION];

/** The highest version that both sides speak; null when there is none, and both should say which they speak. */
export function commonProtocol(ours: ProtocolRange, theirs: ProtocolRange): number | null {
  const highest = Math.min(ours[1], theirs[1]);
  return highest >= Math.max(ours[0], theirs[0]) ? highest : null;
}
