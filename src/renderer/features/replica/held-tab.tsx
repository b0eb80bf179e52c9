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
import { EditHeldDialog } from './edit-held-dialog.tsx';
import { HeldActions } from './held-actions.tsx';
import { notEditable } from './held-edit-model.ts';
import { heldValuesText, keyText } from './migration-model.ts';
import { ListState } from './list-state.tsx';
import { OlderButton } from './older-button.tsx';
import { peerName } from './peers-model.ts';
import { heldQuery } from './replica-queries.ts';

/** The changes that wait for a place here, with their values and what can be done with them. */
export function HeldTab({ refId, fleet }: { readonly refId: string; readonly fleet: Fleet }) {
  const held = useInfiniteQuery(heldQuery(useApi().client, refId));
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [editing, setEditing] = useState<HeldView | null>(null);
  const [said, setSaid] = useState<readonly string[]>([]);
  const rows = held.data?.pages.flatMap((page) => page.items);
  const chosen = rows?.find(({ id }) => id === chosenId) ?? null;
  return (
    <>
      <ListState
        query={held}
        what="the held changes"
        rows={rows}
        empty="Nothing is held. Changes without a place would wait here."
      >
        <HeldActions
          refId={refId}
          fleet={fleet}
          counts={held.data?.pages[0]?.counts ?? []}
          chosen={chosen}
          onEdit={() => {
            setEditing(chosen);
          }}
          onSaid={setSaid}
        />
        <DataGrid
          label="Held changes"
          columns={heldColumns(fleet)}
          entries={rowEntries(rows ?? [])}
          rowKey={(row) => String(row.id)}
          selectedKey={chosenId === null ? null : String(chosenId)}
          onSelect={(row) => {
            setChosenId(row.id);
          }}
          onOpen={(row) => {
            setChosenId(row.id);
            if (notEditable(row) === null) setEditing(row);
          }}
        />
        <OlderButton query={held} />
      </ListState>
      <Said sentences={said} />
      {editing !== null && (
        <EditHeldDialog
          refId={refId}
          change={editing}
          onDone={(detail) => {
            setEditing(null);
            setSaid([detail]);
          }}
          onClose={() => {
            setEditing(null);
          }}
        />
      )}
    </>
  );
}

function heldColumns(fleet: Fleet): readonly Column<HeldView>[] {
  return [
    {
      key: 'table',
      head: 'Object',
      isRowHead: true,
      cell: ({ table }) => <code className="strong">{table}</code>,
    },
    { key: 'key', head: 'Key', cell: ({ key }) => <code>{keyText(key)}</code> },
    { key: 'op', head: 'Change', shrink: 2, cell: ({ op }) => <span className="sec">{op}</span> },
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
      isCut: true,
      cell: ({ values }) => <code title={heldValuesText(values)}>{heldValuesText(values)}</code>,
    },
    { key: 'author', head: 'Author', shrink: 1, cell: ({ author }) => peerName(author, fleet) },
    { key: 'since', head: 'Held since', isNumber: true, cell: ({ sinceMs }) => <Moment atMs={sinceMs} /> },
  ];
}

/** Below the list, which is empty once the last change has gone in. */
function Said({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <div
      className={sentences.length === 0 ? undefined : 'bar-note held-said'}
      role="status"
      aria-label="What was done"
    >
      {sentences.map((sentence) => (
        <p key={sentence} className="sec small">
          {sentence}
        </p>
      ))}
    </div>
  );
}
