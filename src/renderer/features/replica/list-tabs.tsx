import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';
import type {
  BlockedView,
  FindingView,
  HeldView,
  JournalEntry,
  MigrationView,
  PeerView,
} from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { Button } from '../../ui/button.tsx';
import { CAUSE_WORDS } from '../../ui/cause-words.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { DdlText } from '../../ui/ddl-text.tsx';
import { FingerprintChip } from '../../ui/fingerprint-chip.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { HELD_REASON_WORDS } from '../../ui/held-words.ts';
import { hlcToMs } from '../../ui/hlc-model.ts';
import { LinkTo } from '../../ui/link-to.tsx';
import { Moment } from '../../ui/moment.tsx';
import { EmptyNotice, FailedNotice, ReadingNotice } from '../../ui/notice.tsx';
import { Facts, Inspector, InspectorSection } from '../../ui/panel.tsx';
import { useNavigation } from '../../ui/router.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { number, signedSeconds } from '../../ui/words-model.ts';
import { FindingIcon } from './finding-icon.tsx';
import { VERDICT_LOOK, heldValuesText, keyText, migrationTitle, resolutionWords } from './history-model.ts';
import { peerName, peerProgress } from './peers-model.ts';
import {
  blockedListQuery,
  findingsQuery,
  heldQuery,
  journalQuery,
  migrationsQuery,
} from './replica-queries.ts';

// The plain lists of a replica: each reads its query and is a table.

interface ListTabProps {
  readonly refId: string;
  readonly fleet: Fleet;
}

export function MigrationsTab({
  refId,
  fleet,
  selected,
}: ListTabProps & { readonly selected: string | undefined }) {
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
        <p className="sec small">{migration.reason}</p>
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

function CopyableId({ id, what }: { readonly id: string; readonly what: string }) {
  return (
    <span className="mono" title={id}>
      {id.slice(0, 15)}… <CopyButton text={id} what={what} />
    </span>
  );
}

export function BlockedTab({ refId, fleet }: ListTabProps) {
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

export function HeldTab({ refId, fleet }: ListTabProps) {
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

export function PeersTab({ replica, fleet }: { readonly replica: FleetReplica; readonly fleet: Fleet }) {
  const peers = replica.status?.peers ?? [];
  const columns: readonly Column<PeerView>[] = [
    { key: 'state', head: 'State', cell: (peer) => <StateIcon state={peerProgress(peer).state} /> },
    {
      key: 'name',
      head: 'Peer',
      isRowHead: true,
      cell: ({ site }) => <span className="strong">{peerName(site, fleet)}</span>,
    },
    { key: 'watermark', head: 'Watermark', isNumber: true, cell: ({ watermark }) => number(watermark) },
    { key: 'head', head: 'Its head', isNumber: true, cell: ({ peerHead }) => number(peerHead) },
    {
      key: 'lag',
      head: 'Lag',
      isNumber: true,
      cell: ({ watermark, peerHead }) =>
        peerHead > watermark ? number(peerHead - watermark) : <span className="dim">none</span>,
    },
    {
      key: 'skew',
      head: 'Skew',
      isNumber: true,
      cell: ({ skewMs }) => <span className="sec">{skewMs === null ? '?' : signedSeconds(skewMs)}</span>,
    },
    {
      key: 'last',
      head: 'Last sync',
      isNumber: true,
      cell: ({ lastSyncMs }) => (lastSyncMs === null ? 'never' : <Moment atMs={lastSyncMs} />),
    },
    { key: 'site', head: 'Site ID', cell: ({ site }) => <CopyableId id={site} what="the site ID" /> },
  ];
  if (peers.length === 0)
    return <EmptyNotice>It has not met a peer yet. Add a link in the fleet to let changes flow.</EmptyNotice>;
  return (
    <DataGrid label="Peers" columns={columns} entries={rowEntries(peers)} rowKey={(peer) => peer.site} />
  );
}

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
    { key: 'detail', head: 'What', cell: ({ detail }) => detail },
    { key: 'advice', head: 'Advice', cell: ({ advice }) => <span className="sec">{advice}</span> },
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
    { key: 'option', head: 'Decision', cell: ({ option }) => resolutionWords(option) },
    { key: 'because', head: 'Why', cell: ({ because }) => <span className="sec">{because}</span> },
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

interface ListStateProps {
  readonly query: {
    readonly isError: boolean;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly what: string;
  readonly rows: readonly unknown[] | undefined;
  readonly empty: string;
  readonly children: ReactNode;
}

/** Reading, failed, empty or filled. */
function ListState({ query, what, rows, empty, children }: ListStateProps) {
  if (rows === undefined) {
    if (!query.isError) return <ReadingNotice what={what} rows={10} />;
    const start = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
    return <FailedNotice what={start} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return rows.length === 0 ? <EmptyNotice>{empty}</EmptyNotice> : children;
}

function OlderButton(props: {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}) {
  const { query } = props;
  if (!query.hasNextPage) return null;
  return (
    <div className="bar">
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show older
      </Button>
    </div>
  );
}
