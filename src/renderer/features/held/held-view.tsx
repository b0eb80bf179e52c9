import { useQueries } from '@tanstack/react-query';
import { CircleCheck, Inbox } from 'lucide-react';

import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';

import { useApi } from '../../api/api-context.tsx';
import { useFleet } from '../../api/fleet-query.ts';
import { heldCountsQuery } from '../../api/held-query.ts';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { HELD_REASON_WORDS } from '../../ui/held-words.ts';
import { LinkTo } from '../../ui/link-to.tsx';
import { EmptyNotice, FailedNotice, ReadingNotice } from '../../ui/notice.tsx';
import { ScreenFailed } from '../../ui/screen-failed.tsx';
import { SentenceText } from '../../ui/sentence.tsx';
import { TopLine } from '../../ui/verdict-line.tsx';
import { number } from '../../ui/words-model.ts';
import { heldHeadline, heldRows } from './held-model.ts';
import type { HeldRow } from './held-model.ts';

/** What waits for a place, over the whole fleet: by replica, object and reason. */
export function HeldView() {
  const fleet = useFleet();
  if (fleet.data !== undefined) return <FilledHeld fleet={fleet.data} />;
  if (fleet.isError)
    return <ScreenFailed what="Held changes" error={fleet.error} onRetry={() => void fleet.refetch()} />;
  return <ReadingNotice what="held changes" />;
}

function FilledHeld({ fleet }: { readonly fleet: Fleet }) {
  const holders = fleet.replicas.filter((replica) => replica.heldRows > 0);
  if (holders.length === 0) {
    return (
      <>
        <TopLine icon={CircleCheck} className="st-sync">
          <h1>Nothing is held.</h1>
          <p>Every change that arrived has its place.</p>
        </TopLine>
        <EmptyNotice>
          Changes without a place would wait here, each with its reason, and go in by themselves when it fits.
        </EmptyNotice>
      </>
    );
  }
  return (
    <>
      <TopLine icon={Inbox} className="st-held">
        <h1>
          <SentenceText sentence={heldHeadline(holders)} />
        </h1>
        <p>They go in by themselves when their place is there; what is set aside waits for a decision.</p>
      </TopLine>
      <div className="work-only">
        <HeldGroups holders={holders} />
      </div>
    </>
  );
}

function HeldGroups({ holders }: { readonly holders: readonly FleetReplica[] }) {
  const { client } = useApi();
  const answers = useQueries({ queries: holders.map(({ ref }) => heldCountsQuery(client, ref)) });
  const failed = answers.find((answer) => answer.isError && answer.data === undefined);
  const rows = heldRows(
    holders.flatMap((holder, index) => {
      const counts = answers[index]?.data?.counts;
      return counts === undefined ? [] : [{ holder, counts }];
    }),
  );
  return (
    <>
      {rows.length > 0 && (
        <DataGrid
          label="Held changes"
          columns={COLUMNS}
          entries={rowEntries(rows)}
          rowKey={(row) => `${row.ref} ${row.table} ${row.reason}`}
        />
      )}
      {rows.length === 0 && failed === undefined && <ReadingNotice what="held changes" />}
      {failed !== undefined && (
        <FailedNotice
          what="The held changes of a replica"
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<HeldRow>[] = [
  { key: 'table', head: 'Object', isRowHead: true, cell: ({ table }) => <code>{table}</code> },
  {
    key: 'reason',
    head: 'Why',
    cell: ({ reason }) => <span className="sec">{HELD_REASON_WORDS[reason]}</span>,
  },
  { key: 'replica', head: 'On', cell: ({ name }) => name },
  {
    key: 'rows',
    head: 'Changes',
    isNumber: true,
    cell: ({ rows }) => <span className="hot st-held">{number(rows)}</span>,
  },
  {
    key: 'look',
    head: 'Rows',
    isNumber: true,
    cell: ({ ref, name, table }) => (
      <LinkTo
        className="link"
        to={{ screen: 'replica', ref, tab: 'held' }}
        aria-label={`Look at what ${name} holds for ${table}`}
      >
        Look
      </LinkTo>
    ),
  },
];
