import { useMutation, useQueryClient } from '@tanstack/react-query';

import type { Method } from '#shared/api/contract.ts';
import type { Input, Output } from '#shared/api/types.ts';

import { failureWords } from '../ui/failure-words.ts';
import { useNotify } from '../ui/notifications.tsx';
import { useApi } from './api-context.tsx';
import { valueOf } from './client.ts';

interface CommandOptions<M extends Method> {
  /** Said when it is done. */
  readonly doneText: (output: Output<M>, input: Input<M>) => string;
  readonly onDone?: (output: Output<M>) => void;
  /** True where the caller shows the failure itself; else it is said in a notice. */
  readonly showsFailure?: boolean;
}

/** A command that changes the fleet: asks for the fleet again when it is done, and says what came of it. */
export function useCommand<M extends Method>(method: M, options: CommandOptions<M>) {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const notify = useNotify();
  return useMutation({
    mutationFn: (input: Input<M>) => valueOf(client, method, input),
    onSuccess: async (output, input) => {
      await queryClient.invalidateQueries({ queryKey: ['fleet'] });
      options.onDone?.(output);
      notify({ tone: 'done', text: options.doneText(output, input) });
    },
    onError: (error) => {
      if (options.showsFailure === true) return;
      const { why, next } = failureWords(error);
      notify({ tone: 'failed', text: `${why} ${next}` });
    },
  });
}
