import { useQuery } from '@tanstack/react-query';

import { foundRowsText } from '#shared/model/found-rows-text.ts';
import type { FindingView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { Moment } from '../../ui/moment.tsx';
import { FindingIcon } from './finding-icon.tsx';
import { ListState } from './list-state.tsx';
import { findingsQuery } from './replica-queries.ts';

/** What one should know and what blocks nothing. */
export function FindingsTab({ refId }: { readonly refId: string }) {
  const findings = useQuery(findingsQuery(useApi().client, refId));
  const columns: readonly Column<FindingView>[] = [
    {
      key: 'table',
      head: 'Object',
      isRowHead: true,
      cell: ({ kind, table }) => (
        <>
          <FindingIcon kind={kind} /> <code className="strong">{table}</code>
        </>
      ),
    },
    { key: 'detail', head: 'What', wraps: true, cell: (finding) => <Found finding={finding} /> },
    {
      key: 'advice',
      head: 'Advice',
      wraps: true,
      cell: ({ advice }) => <span className="sec">{advice}</span>,
    },
    { key: 'since', head: 'Since', isNumber: true, cell: ({ sinceMs }) => <Moment atMs={sinceMs} /> },
  ];
  return (
    <ListState
      query={findings}
      what="the findings"
      rows={findings.data}
      empty="Nothing was found: no drift, no broken key, no table without one."
    >
      <DataGrid
        label="Findings"
        columns={columns}
        entries={rowEntries(findings.data ?? [])}
        rowKey={(row) => `${row.kind} ${row.table} ${row.detail}`}
      />
    </ListState>
  );
}

/** What was found, and in which rows. */
function Found({ finding }: { readonly finding: FindingView }) {
  const rows = foundRowsText(finding);
  return (
    <>
      {finding.detail}
      {rows === '' ? null : <span className="sec"> {rows}</span>}
    </>
  );
}
