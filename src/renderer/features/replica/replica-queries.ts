import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import type { Client } from '#shared/api/types.ts';
import type { HeldSelection } from '#shared/model/held-decision.ts';
import type { Verdict } from '#shared/model/vocabulary.ts';

import { valueOf } from '../../api/client.ts';

// Keys start with the topic that a push names, then the replica.

const PAGE = 200;

export function catalogQuery(client: Client, ref: string) {
  return queryOptions({
    queryKey: ['replica', ref, 'catalog'],
    queryFn: () => valueOf(client, 'replica.catalog', { ref }),
  });
}

export function blockedListQuery(client: Client, ref: string) {
  return queryOptions({
    queryKey: ['blocked', ref, 'list'],
    queryFn: () => valueOf(client, 'replica.blocked', { ref }),
  });
}

export function findingsQuery(client: Client, ref: string) {
  return queryOptions({
    queryKey: ['replica', ref, 'findings'],
    queryFn: () => valueOf(client, 'replica.findings', { ref }),
  });
}

/** Without a peer the host takes the one whose link is worst. */
export function checklistQuery(client: Client, ref: string, peer: string | null) {
  return queryOptions({
    queryKey: ['checklist', ref, peer],
    queryFn: () => valueOf(client, 'replica.checklist', { ref, ...(peer !== null && { peer }) }),
  });
}

export interface HistoryWish {
  /** Null: whatever the verdict. */
  readonly verdict: Verdict | null;
  /** Null: of all objects. */
  readonly object: string | null;
}

export function migrationsQuery(client: Client, ref: string, wish: HistoryWish) {
  return infiniteQueryOptions({
    queryKey: ['replica', ref, 'migrations', wish],
    queryFn: ({ pageParam }) =>
      valueOf(client, 'replica.migrations', {
        ref,
        limit: PAGE,
        ...(wish.verdict !== null && { verdict: wish.verdict }),
        ...(wish.object !== null && { object: wish.object }),
        ...(pageParam !== null && { before: pageParam }),
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.seq),
  });
}

export function heldQuery(client: Client, ref: string) {
  return infiniteQueryOptions({
    queryKey: ['held', ref, 'list'],
    queryFn: ({ pageParam }) =>
      valueOf(client, 'replica.held', { ref, limit: PAGE, ...(pageParam !== null && { before: pageParam }) }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ items }) => (items.length < PAGE ? undefined : items.at(-1)?.id),
  });
}

/** Counted anew each time it is asked: it may have changed since. */
export function heldExtentQuery(client: Client, ref: string, selection: HeldSelection) {
  return queryOptions({
    queryKey: ['held', ref, 'extent', selection],
    queryFn: () => valueOf(client, 'replica.measureHeld', { ref, selection }),
    gcTime: 0,
  });
}

export function journalQuery(client: Client, ref: string) {
  return infiniteQueryOptions({
    queryKey: ['replica', ref, 'journal'],
    queryFn: ({ pageParam }) =>
      valueOf(client, 'replica.journal', {
        ref,
        limit: PAGE,
        ...(pageParam !== null && { before: pageParam }),
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
  });
}
