import { CircleCheck } from 'lucide-react';

import type { Fleet } from '#shared/api/fleet-replica.ts';

import { useFleet } from '../../api/fleet-query.ts';
import { CAUSE_WORDS } from '../../ui/cause-words.ts';
import { useNowMs } from '../../ui/clock.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { LinkTo } from '../../ui/link-to.tsx';
import { Moment } from '../../ui/moment.tsx';
import { EmptyNotice, ReadingNotice } from '../../ui/notice.tsx';
import { useNavigation } from '../../ui/router.tsx';
import { ScreenFailed } from '../../ui/screen-failed.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { TopLine, VerdictLine } from '../../ui/verdict-line.tsx';
import { lengthOfTime, number } from '../../ui/words-model.ts';
import { useState } from 'react';
import { blockedEntries, blockedListVerdict } from './blocked-list-model.ts';
import type { BlockedRow } from './blocked-list-model.ts';

/** All blocked batches of the fleet, those of one conflict together. */
export function BlockedListView() {
  const fleet = useFleet();
  if (fleet.data !== undefined) return <FilledBlockedList fleet={fleet.data} />;
  if (fleet.isError) {
    return (
      <ScreenFailed what="The blocked batches" error={fleet.error} onRetry={() => void fleet.refetch()} />
    );
  }
  return <ReadingNotice what="the blocked batches" />;
}

function FilledBlockedList({ fleet }: { readonly fleet: Fleet }) {
  const { go } = useNavigation();
  const [selected, setSelected] = useState<string | null>(null);
  const entries = blockedEntries(fleet.replicas);
  const firstRow = entries.find((entry) => entry.kind === 'row');
  const verdict = blockedListVerdict(fleet.replicas);
  if (verdict === null) {
    return (
      <>
        <TopLine icon={CircleCheck} className="st-sync">
          <h1>Nothing is blocked.</h1>
          <p>No batch waits for a person.</p>
        </TopLine>
        <EmptyNotice>A batch that no rule can decide on would stand here, with the ways out.</EmptyNotice>
      </>
    );
  }
  return (
    <>
      <VerdictLine verdict={verdict} />
      <div className="work-only">
        <DataGrid
          label="Blocked batches"
          columns={COLUMNS}
          entries={entries}
          rowKey={keyOf}
          rowLabel={(row) => `${row.brief.object} on ${row.name}, from ${row.brief.fromName}`}
          selectedKey={selected ?? (firstRow === undefined ? null : keyOf(firstRow.row))}
          onSelect={(row) => {
            setSelected(keyOf(row));
          }}
          onOpen={(row) => {
            go({ screen: 'blockedBatch', ref: row.ref, conflictId: row.brief.conflictId });
          }}
        />
      </div>
    </>
  );
}

const keyOf = (row: BlockedRow): string => `${row.ref} ${row.brief.conflictId} ${row.brief.fromName}`;

const COLUMNS: readonly Column<BlockedRow>[] = [
  {
    key: 'name',
    head: 'Replica',
    isRowHead: true,
    cell: ({ name }) => (
      <>
        <StateIcon state="blocked" /> <span className="strong">{name}</span>
      </>
    ),
  },
  { key: 'from', head: 'From', cell: ({ brief }) => brief.fromName },
  {
    key: 'cause',
    head: 'Cause',
    cell: ({ brief }) => <span className="sec">{CAUSE_WORDS[brief.cause]}</span>,
  },
  { key: 'behind', head: 'Waiting behind', isNumber: true, cell: ({ brief }) => number(brief.behindChanges) },
  {
    key: 'attempts',
    head: 'Tried',
    isNumber: true,
    cell: ({ brief }) => <span className="sec">{number(brief.attempts)}</span>,
  },
  { key: 'next', head: 'Next try', isNumber: true, cell: ({ brief }) => <NextTry atMs={brief.nextTryMs} /> },
  { key: 'since', head: 'Since', isNumber: true, cell: ({ brief }) => <Moment atMs={brief.sinceMs} /> },
  {
    key: 'decide',
    head: 'Way out',
    isNumber: true,
    cell: ({ ref, name, brief }) => (
      <LinkTo
        className="link"
        to={{ screen: 'blockedBatch', ref, conflictId: brief.conflictId }}
        aria-label={`Decide on ${brief.object}, which blocks ${name}`}
      >
        Decide
      </LinkTo>
    ),
  },
];

function NextTry({ atMs }: { readonly atMs: number }) {
  const nowMs = useNowMs();
  return <span className="sec">{atMs <= nowMs ? 'now' : `in ${lengthOfTime(atMs - nowMs)}`}</span>;
}
