import { encodeBase64url } from '#shared/model/base64url.ts';

import type { Hash } from '../ports.ts';

/** Bytes of the hash that the text form keeps: as long as an ID. */
const FINGERPRINT_BYTES = 16;

/**
 * Fingerprint of a catalog: equal on two replicas exactly when their catalogs have converged (SCHEMA-004).
 *
 * `texts` are the comparable texts of tables, indexes, views and triggers, in any order. Each is hashed with its length, so
 * that no two lists of texts run together to the same.
 */
export function schemaFingerprint(texts: readonly string[], hash: Hash): string {
  const sorted = texts.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const whole = sorted.map((text) => `${text.length}:${text}`).join('\n');
  return encodeBase64url(hash(whole).subarray(0, FINGERPRINT_BYTES));
}
