import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';

import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { MigrationView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { Moment } from '../../ui/moment.tsx';
import { useNavigation } from '../../ui/router.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { VERDICT_LOOK } from '../../ui/verdict-look.ts';
import { number } from '../../ui/words-model.ts';
import { ListState } from './list-state.tsx';
import { MigrationInspector } from './migration-inspector.tsx';
import { emptyHistory, migrationTitle } from './migration-model.ts';
import { MigrationsBar } from './migrations-bar.tsx';
import { OlderButton } from './older-button.tsx';
import { peerName } from './peers-model.ts';
import { migrationsQuery, type HistoryWish } from './replica-queries.ts';

interface MigrationsTabProps {
  readonly refId: string;
  readonly fleet: Fleet;
  /** ID of the migration that the address names. */
  readonly selected: string | undefined;
}

/** Every schema change that was made or admitted here, with what was decided about it and why. */
export function MigrationsTab({ refId, fleet, selected }: MigrationsTabProps) {
  const [wish, setWish] = useState<HistoryWish>({ verdict: null, object: null });
  const migrations = useInfiniteQuery(migrationsQuery(useApi().client, refId, wish));
  const rows = migrations.data?.pages.flat();
  return (
    <>
      <MigrationsBar wish={wish} onWish={setWish} />
      <ListState query={migrations} what="the migrations" rows={rows} empty={emptyHistory(wish)}>
        <History
          rows={rows ?? []}
          {...{ refId, fleet, selected }}
          onObject={(object) => {
            setWish({ verdict: null, object });
          }}
          older={<OlderButton query={migrations} />}
        />
      </ListState>
    </>
  );
}

function History({
  rows,
  refId,
  fleet,
  selected,
  onObject,
  older,
}: MigrationsTabProps & {
  readonly rows: readonly MigrationView[];
  readonly onObject: (object: string) => void;
  readonly older: ReactNode;
}) {
  const { amend } = useNavigation();
  const shown = rows.find((row) => row.id === selected) ?? rows[0];
  const show = (id: string): void => {
    amend({ screen: 'replica', ref: refId, tab: 'migrations', item: id });
  };
  return (
    <div className="work">
      <div className="work-column">
        <DataGrid
          label="Migrations, newest first"
          columns={migrationColumns(fleet)}
          entries={rowEntries(rows)}
          rowKey={(row) => row.id}
          rowLabel={(row) => `${migrationTitle(row)}: ${VERDICT_LOOK[row.verdict].word}`}
          selectedKey={shown?.id ?? null}
          onSelect={(row) => {
            show(row.id);
          }}
        />
        {older}
      </div>
      {shown !== undefined && (
        <MigrationInspector
          migration={shown}
          fleet={fleet}
          onObject={onObject}
          onMigration={({ id, object }) => {
            // It may be further back than what is listed.
            onObject(object);
            show(id);
          }}
        />
      )}
    </div>
  );
}

function migrationColumns(fleet: Fleet): readonly Column<MigrationView>[] {
  return [
    { key: 'verdict', head: 'Verdict', cell: ({ verdict }) => <VerdictCell verdict={verdict} /> },
    {
      key: 'what',
      head: 'Migration',
      isRowHead: true,
      cell: (row) => <code className="strong">{migrationTitle(row)}</code>,
    },
    { key: 'origin', head: 'Origin', cell: ({ origin }) => peerName(origin, fleet) },
    {
      key: 'from',
      head: 'Came from',
      cell: ({ from }) => <span className="sec">{from === null ? 'made here' : peerName(from, fleet)}</span>,
    },
    {
      key: 'version',
      head: 'Version',
      isNumber: true,
      cell: ({ version }) => <span className="sec">{version}</span>,
    },
    {
      key: 'seq',
      head: 'Seq',
      isNumber: true,
      cell: ({ seq }) => <span className="sec">{number(seq)}</span>,
    },
    {
      key: 'admitted',
      head: 'Admitted',
      isNumber: true,
      cell: ({ admittedAtMs }) => <Moment atMs={admittedAtMs} />,
    },
  ];
}

function VerdictCell({ verdict }: { readonly verdict: MigrationView['verdict'] }) {
  const { state, word } = VERDICT_LOOK[verdict];
  return (
    <>
      <StateIcon state={state} /> <span className="sec">{word}</span>
    </>
  );
}
