import { useMutation, useQuery } from '@tanstack/react-query';

import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import { useApi } from '../../api/api-context.tsx';
import { CallError, valueOf } from '../../api/client.ts';
import { useFleet } from '../../api/fleet-query.ts';
import { ReadingNotice } from '../../ui/notice.tsx';
import type { Route } from '../../ui/route-model.ts';
import { ScreenFailed } from '../../ui/screen-failed.tsx';
import { BatchDecided } from './batch-decided.tsx';
import { BatchOutcome } from './batch-outcome.tsx';
import { BlockedBatch } from './blocked-batch.tsx';
import { blockedQuery, conflictOf } from './blocked-queries.ts';

type BatchRoute = Extract<Route, { readonly screen: 'blockedBatch' }>;

export interface Decision {
  readonly option: ResolutionOption;
  readonly because: string;
}

/** One blocked batch: what happened, both shapes, the ways out with their price, and how it went. */
export function BlockedBatchView({ route }: { readonly route: BatchRoute }) {
  const { client } = useApi();
  const fleet = useFleet();
  const detail = useQuery(blockedQuery(client, route));
  const resolve = useMutation({
    mutationFn: ({ option, because }: Decision) =>
      valueOf(client, 'blocked.resolve', { ...conflictOf(route), option, because }),
  });
  const here = { ref: route.ref, name: nameOf(fleet.data?.replicas, route.ref) };

  if (resolve.data !== undefined && resolve.variables.option !== 'retry') {
    return (
      <BatchOutcome here={here} detail={detail.data} decision={resolve.variables} outcome={resolve.data} />
    );
  }
  if (isDecided(detail.error)) return <BatchDecided here={here} detail={detail.data} />;
  if (detail.data !== undefined) {
    return <BlockedBatch here={here} detail={detail.data} place={route} resolve={resolveProps(resolve)} />;
  }
  if (detail.isError) {
    return (
      <ScreenFailed what="This blocked batch" error={detail.error} onRetry={() => void detail.refetch()} />
    );
  }
  return <ReadingNotice what="the blocked batch" rows={14} />;
}

/** What the page needs of the decision under way. */
export interface ResolveProps {
  readonly decide: (decision: Decision) => void;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly tried: Decision | undefined;
}

function resolveProps(resolve: {
  readonly mutate: (decision: Decision) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly variables: Decision | undefined;
}): ResolveProps {
  return {
    decide: resolve.mutate,
    isBusy: resolve.isPending,
    error: resolve.error,
    tried: resolve.variables,
  };
}

/** The host says so once a conflict is gone, whoever decided it and wherever. */
function isDecided(error: Error | null): boolean {
  return error instanceof CallError && error.failure.code === 'no-such-conflict';
}

function nameOf(
  replicas: readonly { readonly ref: string; readonly name: string }[] | undefined,
  ref: string,
): string {
  return replicas?.find((replica) => replica.ref === ref)?.name ?? ref;
}

export interface Here {
  readonly ref: string;
  readonly name: string;
}

export interface BatchProps {
  readonly here: Here;
  readonly detail: BlockedDetail;
}
