import { useQuery } from '@tanstack/react-query';

import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { BlockedView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { CAUSE_WORDS } from '../../ui/cause-words.ts';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { LinkTo } from '../../ui/link-to.tsx';
import { Moment } from '../../ui/moment.tsx';
import { number } from '../../ui/words-model.ts';
import { ListState } from './list-state.tsx';
import { peerName } from './peers-model.ts';
import { blockedListQuery } from './replica-queries.ts';

/** The batches that wait for a person here. */
export function BlockedTab({ refId, fleet }: { readonly refId: string; readonly fleet: Fleet }) {
  const blocked = useQuery(blockedListQuery(useApi().client, refId));
  const columns: readonly Column<BlockedView>[] = [
    {
      key: 'object',
      head: 'Object',
      isRowHead: true,
      cell: ({ object }) => <code className="strong">{object}</code>,
    },
    { key: 'from', head: 'From', cell: ({ from }) => peerName(from, fleet) },
    { key: 'cause', head: 'Cause', cell: ({ cause }) => <span className="sec">{CAUSE_WORDS[cause]}</span> },
    {
      key: 'behind',
      head: 'Waiting behind',
      isNumber: true,
      cell: ({ behindChanges }) => number(behindChanges),
    },
    {
      key: 'attempts',
      head: 'Tried',
      isNumber: true,
      cell: ({ attempts }) => <span className="sec">{number(attempts)}</span>,
    },
    { key: 'since', head: 'Since', isNumber: true, cell: ({ sinceMs }) => <Moment atMs={sinceMs} /> },
    {
      key: 'decide',
      head: 'Way out',
      isNumber: true,
      cell: ({ conflictId, object }) => (
        <LinkTo
          className="link"
          to={{ screen: 'blockedBatch', ref: refId, conflictId }}
          aria-label={`Decide on ${object}`}
        >
          Decide
        </LinkTo>
      ),
    },
  ];
  return (
    <ListState
      query={blocked}
      what="the blocked batches"
      rows={blocked.data}
      empty="Nothing is blocked here. A batch that no rule can decide on would wait here for a person."
    >
      <DataGrid
        label="Blocked batches"
        columns={columns}
        entries={rowEntries(blocked.data ?? [])}
        rowKey={(row) => `${row.conflictId} ${row.from}`}
      />
    </ListState>
  );
}
