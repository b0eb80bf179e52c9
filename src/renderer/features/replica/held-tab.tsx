import { useInfiniteQuery } from '@tanstack/react-query';

import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { HeldView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { HELD_REASON_WORDS } from '../../ui/held-words.ts';
import { Moment } from '../../ui/moment.tsx';
import { heldValuesText, keyText } from './migration-model.ts';
import { ListState } from './list-state.tsx';
import { OlderButton } from './older-button.tsx';
import { peerName } from './peers-model.ts';
import { heldQuery } from './replica-queries.ts';

/** The changes that wait for a place here, with their values. */
export function HeldTab({ refId, fleet }: { readonly refId: string; readonly fleet: Fleet }) {
  const held = useInfiniteQuery(heldQuery(useApi().client, refId));
  const rows = held.data?.pages.flatMap((page) => page.items);
  const columns: readonly Column<HeldView>[] = [
    {
      key: 'table',
      head: 'Object',
      isRowHead: true,
      cell: ({ table }) => <code className="strong">{table}</code>,
    },
    { key: 'key', head: 'Key', cell: ({ key }) => <code>{keyText(key)}</code> },
    { key: 'op', head: 'Change', cell: ({ op }) => <span className="sec">{op}</span> },
    {
      key: 'reason',
      head: 'Why',
      cell: ({ reason, quarantined }) => (
        <span className="sec">{quarantined ? 'quarantined' : HELD_REASON_WORDS[reason]}</span>
      ),
    },
    {
      key: 'values',
      head: 'Values',
      cell: ({ values }) => (
        <code className="held-values" title={heldValuesText(values)}>
          {heldValuesText(values)}
        </code>
      ),
    },
    { key: 'author', head: 'Author', cell: ({ author }) => peerName(author, fleet) },
    { key: 'since', head: 'Held since', isNumber: true, cell: ({ sinceMs }) => <Moment atMs={sinceMs} /> },
  ];
  return (
    <ListState
      query={held}
      what="the held changes"
      rows={rows}
      empty="Nothing is held. Changes without a place would wait here."
    >
      <DataGrid
        label="Held changes"
        columns={columns}
        entries={rowEntries(rows ?? [])}
        rowKey={(row) => String(row.id)}
      />
      <OlderButton query={held} />
    </ListState>
  );
}
