import { queryOptions } from '@tanstack/react-query';

import type { Client } from '#shared/api/types.ts';
import { ConflictId } from '#shared/model/ids.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import { CallError, valueOf } from '../../api/client.ts';

/** Names one conflict on one replica, as an address gives it. */
export interface ConflictPlace {
  readonly ref: string;
  readonly conflictId: string;
}

export function blockedQuery(client: Client, place: ConflictPlace) {
  return queryOptions({
    queryKey: ['blocked', place.ref, place.conflictId],
    queryFn: () => valueOf(client, 'blocked.get', conflictOf(place)),
  });
}

/**
 * The scratch run of one option. Under a key of its own: each retry of the batch changes the topic `blocked`, and a
 * scratch run of every replica is too dear to follow it. The page says when it was run, and runs it again when asked.
 */
export function previewQuery(client: Client, place: ConflictPlace & { readonly option: ResolutionOption }) {
  return queryOptions({
    queryKey: ['preview', place.ref, place.conflictId, place.option],
    queryFn: () => valueOf(client, 'blocked.preview', { ...conflictOf(place), option: place.option }),
  });
}

/** Brands the ID of an address. One that cannot be an ID names no conflict, which is said as that. */
export function conflictOf(place: ConflictPlace) {
  const conflictId = ConflictId.safeParse(place.conflictId);
  if (!conflictId.success) {
    throw new CallError({ code: 'no-such-conflict', message: `“${place.conflictId}” names no conflict.` });
  }
  return { ref: place.ref, conflictId: conflictId.data };
}
