import type { ReactNode } from 'react';

import { EmptyNotice, FailedNotice, ReadingNotice } from '../../ui/notice.tsx';

interface ListStateProps {
  readonly query: {
    readonly isError: boolean;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly what: string;
  readonly rows: readonly unknown[] | undefined;
  readonly empty: string;
  readonly children: ReactNode;
}

/** Reading, failed, empty or filled. */
export function ListState({ query, what, rows, empty, children }: ListStateProps) {
  if (rows === undefined) {
    if (!query.isError) return <ReadingNotice what={what} rows={10} />;
    const start = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
    return <FailedNotice what={start} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return rows.length === 0 ? <EmptyNotice>{empty}</EmptyNotice> : children;
}
