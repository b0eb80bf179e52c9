import type { QueryClient, QueryKey } from '@tanstack/react-query';

import { Push } from '#shared/api/envelope.ts';
import type { Topic } from '#shared/api/envelope.ts';

import type { Link } from './link.ts';

/** Pushes within this time are answered by one fetch, so that a busy host does not keep the page fetching. */
const GATHER_MS = 150;

/**
 * Keeps the page's knowledge fresh: what the host says has changed is fetched again, and everything is after a loss
 * of the pipe. The only place that maps pushes to keys. Returns what ends it.
 */
export function connectPushes(options: {
  readonly link: Link;
  readonly queryClient: QueryClient;
  readonly later: (run: () => void, delayMs: number) => () => void;
}): () => void {
  const { link, queryClient, later } = options;
  const gathered = new Map<string, QueryKey>();
  let cancelFlush: (() => void) | null = null;
  let wasOpen = link.state.read().status === 'open';
  const flush = (): void => {
    cancelFlush = null;
    for (const queryKey of gathered.values()) void queryClient.invalidateQueries({ queryKey });
    gathered.clear();
  };
  const endPushes = link.onPush((message) => {
    const push = Push.safeParse(message);
    if (!push.success) return;
    for (const queryKey of keysOfPush(push.data.push)) gathered.set(JSON.stringify(queryKey), queryKey);
    cancelFlush ??= later(flush, GATHER_MS);
  });
  const endState = link.state.subscribe(() => {
    const isOpen = link.state.read().status === 'open';
    if (isOpen && !wasOpen) void queryClient.invalidateQueries();
    wasOpen = isOpen;
  });
  return () => {
    cancelFlush?.();
    endPushes();
    endState();
  };
}

/** Keys start with the topic and, where there is one, the replica. */
export function keysOfPush(push: {
  readonly topic: Topic;
  readonly ref?: string | undefined;
}): readonly QueryKey[] {
  const own: QueryKey = push.ref === undefined ? [push.topic] : [push.topic, push.ref];
  switch (push.topic) {
    case 'fleet':
      // The check-list of a replica speaks of its links.
      return [['fleet'], ['checklist']];
    case 'replica':
    case 'blocked':
    case 'held':
      return [own, ['checklist']];
    case 'activity':
      return [['activity']];
  }
}
