import type { FleetReplica } from '#shared/api/fleet-replica.ts';

import { mainBrief } from '../../ui/main-brief.ts';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column, GridSort } from '../../ui/data-grid.tsx';
import { EmptyNotice } from '../../ui/notice.tsx';
import { FingerprintChip } from '../../ui/fingerprint-chip.tsx';
import type { GridEntry } from '../../ui/grid-model.ts';
import { LinkTo } from '../../ui/link-to.tsx';
import { Moment } from '../../ui/moment.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { STATE_LOOK } from '../../ui/state-look.ts';
import { byteSize, counted, number, signedSeconds } from '../../ui/words-model.ts';
import { LagCell } from './lag-cell.tsx';

interface FleetTableProps {
  readonly entries: readonly GridEntry<FleetReplica>[];
  readonly majorFingerprint: string | null;
  readonly selectedRef: string | null;
  readonly onSelect: (replica: FleetReplica) => void;
  readonly onOpen: (replica: FleetReplica) => void;
  readonly sort: GridSort | null;
  readonly onSort: (key: string) => void;
}

export function FleetTable(props: FleetTableProps) {
  const { entries, majorFingerprint, selectedRef, onSelect, onOpen, sort, onSort } = props;
  if (entries.length === 0) return <EmptyNotice>No replica fits this filter.</EmptyNotice>;
  return (
    <DataGrid
      label="Replicas"
      columns={columns(majorFingerprint)}
      entries={entries}
      rowKey={(replica) => replica.ref}
      rowLabel={rowSentence}
      selectedKey={selectedRef}
      onSelect={onSelect}
      onOpen={onOpen}
      sort={sort}
      onSort={onSort}
    />
  );
}

function rowSentence(replica: FleetReplica): string {
  const lag = replica.lag.changes > 0 ? `, ${counted(replica.lag.changes, 'change')} behind` : '';
  return `${replica.name}: ${STATE_LOOK[replica.state].word}${lag}`;
}

/** A difference between clocks that is worth a colour, in milliseconds. */
const SKEW_NOTED_MS = 1500;

function columns(major: string | null): readonly Column<FleetReplica>[] {
  return [...identityColumns(major), ...PROGRESS_COLUMNS, ...FILE_COLUMNS];
}

function identityColumns(major: string | null): readonly Column<FleetReplica>[] {
  return [
    { key: 'state', head: 'State', isSortable: true, cell: ({ state }) => <StatePill state={state} /> },
    {
      key: 'name',
      head: 'Replica',
      isRowHead: true,
      isSortable: true,
      cell: ({ name }) => <span className="strong">{name}</span>,
    },
    {
      key: 'fingerprint',
      head: 'Fingerprint',
      isSortable: true,
      cell: (replica) => <FingerprintCell replica={replica} major={major} />,
    },
    {
      key: 'head',
      head: 'Head',
      isNumber: true,
      isSortable: true,
      shrink: 3,
      cell: ({ status }) => <span className="sec">{status === null ? '?' : number(status.head)}</span>,
    },
  ];
}

const PROGRESS_COLUMNS: readonly Column<FleetReplica>[] = [
  {
    key: 'lag',
    head: 'Lag',
    isNumber: true,
    isSortable: true,
    cell: (replica) => <LagCell replica={replica} />,
  },
  {
    key: 'held',
    head: 'Held',
    isNumber: true,
    isSortable: true,
    cell: ({ heldRows }) => <AmountCell amount={heldRows} className="st-held" />,
  },
  {
    key: 'blocked',
    head: 'Blocked',
    isNumber: true,
    isSortable: true,
    cell: (replica) => <BlockedCell replica={replica} />,
  },
];

const FILE_COLUMNS: readonly Column<FleetReplica>[] = [
  {
    key: 'lastSync',
    head: 'Last sync',
    isNumber: true,
    isSortable: true,
    shrink: 4,
    cell: ({ lastSyncMs }) => (
      <span className="sec">{lastSyncMs === null ? 'never' : <Moment atMs={lastSyncMs} />}</span>
    ),
  },
  {
    key: 'skew',
    head: 'Skew',
    isNumber: true,
    isSortable: true,
    shrink: 2,
    cell: ({ skewMs }) => <SkewCell skewMs={skewMs} />,
  },
  {
    key: 'size',
    head: 'Size',
    isNumber: true,
    isSortable: true,
    shrink: 1,
    cell: ({ status }) => <span className="sec">{status === null ? '?' : byteSize(status.sizeBytes)}</span>,
  },
];

function FingerprintCell({
  replica,
  major,
}: {
  readonly replica: FleetReplica;
  readonly major: string | null;
}) {
  const fingerprint = replica.status?.fingerprint;
  if (fingerprint === undefined) return <span className="dim">?</span>;
  return (
    <FingerprintChip
      fingerprint={fingerprint}
      isMajor={fingerprint === major}
      isOld={replica.state === 'unreachable'}
    />
  );
}

function AmountCell({ amount, className }: { readonly amount: number; readonly className: string }) {
  if (amount === 0) return <span className="dim">–</span>;
  return <span className={`hot ${className}`}>{number(amount)}</span>;
}

/** The way out stands beside the trouble. */
function BlockedCell({ replica }: { readonly replica: FleetReplica }) {
  const first = mainBrief(replica);
  if (first === undefined) return <span className="dim">–</span>;
  return (
    <>
      <LinkTo
        className="link decide"
        to={{ screen: 'blockedBatch', ref: replica.ref, conflictId: first.conflictId }}
        aria-label={`Decide on ${first.object}, which blocks ${replica.name}`}
      >
        Decide
      </LinkTo>
      <span className="hot st-blocked">{replica.blocked.length}</span>
    </>
  );
}

function SkewCell({ skewMs }: { readonly skewMs: number | null }) {
  if (skewMs === null) return <span className="sec">?</span>;
  const isNoted = Math.abs(skewMs) >= SKEW_NOTED_MS;
  return <span className={isNoted ? 'hot st-held' : 'sec'}>{signedSeconds(skewMs)}</span>;
}
