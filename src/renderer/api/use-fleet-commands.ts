import { useMutation } from '@tanstack/react-query';

import type { FleetLink } from '#shared/api/fleet-replica.ts';
import type { Output } from '#shared/api/types.ts';

import { failureWords } from '../ui/failure-words.ts';
import { useNotify } from '../ui/notifications.tsx';
import { counted } from '../ui/words-model.ts';
import { useApi } from './api-context.tsx';
import { valueOf } from './client.ts';

/** Syncs the links of some replicas, or of all with null, and says how it went. */
export function useSyncNow() {
  const { client } = useApi();
  const notify = useNotify();
  return useMutation({
    mutationFn: (refs: readonly string[] | null) =>
      valueOf(client, 'fleet.syncNow', { refs: refs === null ? null : [...refs] }),
    onSuccess: (outcome) => {
      notify({ tone: 'done', text: syncWords(outcome) });
    },
    onError: (error) => {
      const { why, next } = failureWords(error);
      notify({ tone: 'failed', text: `Nothing was synced. ${why} ${next}` });
    },
  });
}

/** Pauses or resumes links; both are undone by the other. `name` is what the notice calls them. */
export function usePauseLinks() {
  const { client } = useApi();
  const notify = useNotify();
  const change = useMutation({
    mutationFn: async (change: PauseChange) => {
      const method = change.pause ? 'fleet.pauseLink' : 'fleet.resumeLink';
      for (const { id } of change.links) await valueOf(client, method, { id });
    },
    onSuccess: (_done, done) => {
      notify({
        tone: 'done',
        text: `${done.pause ? 'Paused' : 'Resumed'} ${done.name}.`,
        undo: () => {
          change.mutate({ ...done, pause: !done.pause });
        },
      });
    },
    onError: (error) => {
      const { why, next } = failureWords(error);
      notify({ tone: 'failed', text: `${why} ${next}` });
    },
  });
  return change;
}

export interface PauseChange {
  readonly links: readonly FleetLink[];
  readonly pause: boolean;
  readonly name: string;
}

function syncWords(outcome: Output<'fleet.syncNow'>): string {
  const moved =
    outcome.changes === 0 ? 'Synced: nothing new' : `Synced ${counted(outcome.changes, 'change')}`;
  if (outcome.stopped.length === 0) return `${moved}.`;
  return `${moved}. ${counted(outcome.stopped.length, 'link')} stopped; the fleet says why.`;
}
