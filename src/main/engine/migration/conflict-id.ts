import { encodeBase64url } from '#shared/model/base64url.ts';
import { ConflictId } from '#shared/model/ids.ts';
import type { MigrationId } from '#shared/model/ids.ts';
import { compareIds } from '#shared/model/site-order.ts';
import type { BlockCause } from '#shared/model/vocabulary.ts';

import type { Hash } from '../ports.ts';

const ID_BYTES = 16;

/**
 * Names a conflict between two migrations, the same on both sides of it: a hash of the cause and the two IDs, the lower
 * one first (ADMIT-002).
 */
export function conflictIdOf(
  conflict: { readonly cause: BlockCause; readonly migrations: readonly [MigrationId, MigrationId] },
  hash: Hash,
): ConflictId {
  const [lower, higher] = conflict.migrations.toSorted(compareIds);
  return ConflictId.parse(
    encodeBase64url(hash(`${conflict.cause}\n${lower}\n${higher}`).subarray(0, ID_BYTES)),
  );
}
