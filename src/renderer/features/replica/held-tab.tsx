import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { HeldView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { HELD_REASON_WORDS } from '../../ui/held-words.ts';
import { Moment } from '../../ui/moment.tsx';
import { HeldActions } from './held-actions.tsx';
import { heldValuesText, keyText } from './migration-model.ts';
import { ListState } from './list-state.tsx';
import { OlderButton } from './older-button.tsx';
import { peerName } from './peers-model.ts';
import { heldQuery } from './replica-queries.ts';

/** The changes that wait for a place here, with their values and what can be done with them. */
export function HeldTab({ refId, fleet }: { readonly refId: string; readonly fleet: Fleet }) {
  const held = useInfiniteQuery(heldQuery(useApi().client, refId));
  const [chosenId, setChosenId] = useState<number | null>(null);
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
        <span className="sec">
          {quarantined ? `quarantined; ${HELD_REASON_WORDS[reason]}` : HELD_REASON_WORDS[reason]}
        </span>
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
      <HeldActions
        refId={refId}
        counts={held.data?.pages[0]?.counts ?? []}
        chosen={rows?.find(({ id }) => id === chosenId) ?? null}
      />
      <DataGrid
        label="Held changes"
        columns={columns}
        entries={rowEntries(rows ?? [])}
        rowKey={(row) => String(row.id)}
        selectedKey={chosenId === null ? null : String(chosenId)}
        onSelect={(row) => {
          setChosenId(row.id);
        }}
      />
      <OlderButton query={held} />
    </ListState>
  );
}
