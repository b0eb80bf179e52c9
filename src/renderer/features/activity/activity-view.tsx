import { useInfiniteQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';

import type { ActivityEntry } from '#shared/api/activity-procedures.ts';

import { useApi } from '../../api/api-context.tsx';
import { activityQuery } from '../../api/activity-query.ts';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { Moment } from '../../ui/moment.tsx';
import { EmptyNotice, FailedNotice, ReadingNotice } from '../../ui/notice.tsx';
import { SentenceText } from '../../ui/sentence.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { TopLine } from '../../ui/verdict-line.tsx';
import { counted } from '../../ui/words-model.ts';
import { activityLine } from '../../ui/activity-model.ts';

/** Everything that happened, the newest first. */
export function ActivityView() {
  const { client } = useApi();
  const activity = useInfiniteQuery(activityQuery(client));
  const entries = activity.data?.pages.flat();
  return (
    <>
      <TopLine icon={Activity} className="st-plain">
        <h1>{entries === undefined ? 'What happened' : headline(entries.length, activity.hasNextPage)}</h1>
        <p>On this console and on the replicas that it watches, the newest first.</p>
      </TopLine>
      <div className="work-only">
        <ActivityList entries={entries} error={activity.error} onRetry={() => void activity.refetch()} />
        {activity.hasNextPage && (
          <div className="bar">
            <Button busy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
              Show older
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

function headline(count: number, hasMore: boolean): string {
  if (count === 0) return 'Nothing has happened yet.';
  return hasMore
    ? `The newest ${counted(count, 'entry', 'entries')}`
    : `${counted(count, 'entry', 'entries')}, all that happened`;
}

function ActivityList(props: {
  readonly entries: readonly ActivityEntry[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
}) {
  const { entries, error, onRetry } = props;
  if (entries === undefined) {
    if (error !== null) return <FailedNotice what="The activity" error={error} onRetry={onRetry} />;
    return <ReadingNotice what="the activity" rows={12} />;
  }
  if (entries.length === 0)
    return (
      <EmptyNotice>
        Whatever is opened, linked, synced, blocked or decided stands here afterwards.
      </EmptyNotice>
    );
  return (
    <DataGrid
      label="Activity"
      columns={COLUMNS}
      entries={rowEntries(entries)}
      rowKey={(entry) => String(entry.id)}
    />
  );
}

const COLUMNS: readonly Column<ActivityEntry>[] = [
  {
    key: 'what',
    head: 'What happened',
    isRowHead: true,
    cell: (entry) => {
      const { state, sentence } = activityLine(entry);
      return (
        <>
          <StateIcon state={state} /> <SentenceText sentence={sentence} />
        </>
      );
    },
  },
  { key: 'when', head: 'When', isNumber: true, width: '120px', cell: ({ atMs }) => <Moment atMs={atMs} /> },
];
