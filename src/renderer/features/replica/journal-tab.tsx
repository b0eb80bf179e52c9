import { useInfiniteQuery } from '@tanstack/react-query';

import type { JournalEntry } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { FingerprintChip } from '../../ui/fingerprint-chip.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { optionTitle } from '../../ui/option-words.ts';
import { Moment } from '../../ui/moment.tsx';
import { ListState } from './list-state.tsx';
import { OlderButton } from './older-button.tsx';
import { journalQuery } from './replica-queries.ts';

/** Who decided what here, and why. */
export function JournalTab({ refId }: { readonly refId: string }) {
  const journal = useInfiniteQuery(journalQuery(useApi().client, refId));
  const rows = journal.data?.pages.flat();
  const columns: readonly Column<JournalEntry>[] = [
    {
      key: 'object',
      head: 'Object',
      isRowHead: true,
      cell: ({ object }) => <code className="strong">{object}</code>,
    },
    { key: 'option', head: 'Decision', cell: ({ option }) => optionTitle(option) },
    {
      key: 'because',
      head: 'Why',
      wraps: true,
      cell: ({ because, detail }) => (
        <>
          {because} {detail !== '' && <span className="sec">{detail}</span>}
        </>
      ),
    },
    { key: 'who', head: 'Who', cell: ({ who }) => who },
    {
      key: 'change',
      head: 'Fingerprint',
      cell: ({ fingerprintBefore, fingerprintAfter }) => (
        <>
          <FingerprintChip fingerprint={fingerprintBefore} isOld /> →{' '}
          <FingerprintChip fingerprint={fingerprintAfter} />
        </>
      ),
    },
    { key: 'at', head: 'When', isNumber: true, cell: ({ atMs }) => <Moment atMs={atMs} /> },
  ];
  return (
    <ListState
      query={journal}
      what="the decision journal"
      rows={rows}
      empty="No decision was made here yet. Who decided what, and why, would stand here."
    >
      <DataGrid
        label="Decision journal"
        columns={columns}
        entries={rowEntries(rows ?? [])}
        rowKey={(row) => String(row.id)}
      />
      <OlderButton query={journal} />
    </ListState>
  );
}
