import { useInfiniteQuery } from '@tanstack/react-query';

import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { MigrationView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { DdlText } from '../../ui/ddl-text.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { hlcToMs } from '../../ui/hlc-model.ts';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Inspector, InspectorSection } from '../../ui/panel.tsx';
import { useNavigation } from '../../ui/router.tsx';
import { textToSentence } from '../../ui/sentence-model.ts';
import { SentenceText } from '../../ui/sentence.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { number } from '../../ui/words-model.ts';
import { CopyableId } from './copyable-id.tsx';
import { VERDICT_LOOK } from '../../ui/verdict-look.ts';
import { migrationTitle } from './migration-model.ts';
import { ListState } from './list-state.tsx';
import { OlderButton } from './older-button.tsx';
import { peerName } from './peers-model.ts';
import { migrationsQuery } from './replica-queries.ts';

/** Every schema change that was made or admitted here, with what was decided about it. */
export function MigrationsTab({
  refId,
  fleet,
  selected,
}: { readonly refId: string; readonly fleet: Fleet } & { readonly selected: string | undefined }) {
  const migrations = useInfiniteQuery(migrationsQuery(useApi().client, refId));
  const { amend } = useNavigation();
  const rows = migrations.data?.pages.flat();
  const shown = rows?.find((row) => row.id === selected) ?? rows?.[0];
  return (
    <ListState
      query={migrations}
      what="the migrations"
      rows={rows}
      empty="No migration was recorded or admitted here yet."
    >
      <div className="work">
        <div className="work-column">
          <DataGrid
            label="Migrations, newest first"
            columns={migrationColumns(fleet)}
            entries={rowEntries(rows ?? [])}
            rowKey={(row) => row.id}
            rowLabel={(row) => `${migrationTitle(row)}: ${VERDICT_LOOK[row.verdict].word}`}
            selectedKey={shown?.id ?? null}
            onSelect={(row) => {
              amend({ screen: 'replica', ref: refId, tab: 'migrations', item: row.id });
            }}
          />
          <OlderButton query={migrations} />
        </div>
        {shown !== undefined && <MigrationInspector migration={shown} fleet={fleet} />}
      </div>
    </ListState>
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

function MigrationInspector({
  migration,
  fleet,
}: {
  readonly migration: MigrationView;
  readonly fleet: Fleet;
}) {
  return (
    <Inspector label={migrationTitle(migration)}>
      <InspectorSection>
        <h2>
          <code>{migrationTitle(migration)}</code>
        </h2>
        <p className="sec small">
          <SentenceText sentence={textToSentence(migration.reason)} />
        </p>
      </InspectorSection>
      <InspectorSection>
        <h3 className="section-title">
          DDL <CopyButton text={migration.ddl} what="the DDL" />
        </h3>
        <DdlText ddl={migration.ddl} />
      </InspectorSection>
      <InspectorSection title="When and whence">
        <Facts
          facts={[
            ['made', <Moment key="made" atMs={hlcToMs(migration.hlc)} />],
            ['origin', peerName(migration.origin, fleet)],
            ['came from', migration.from === null ? 'made here' : peerName(migration.from, fleet)],
            ['HLC', <CopyableId key="hlc" id={migration.hlc} what="the HLC" />],
            ['ID', <CopyableId key="id" id={migration.id} what="the migration ID" />],
          ]}
        />
      </InspectorSection>
    </Inspector>
  );
}
