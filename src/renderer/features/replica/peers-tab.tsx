import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';
import type { PeerView } from '#shared/model/views.ts';

import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { rowEntries } from '../../ui/grid-model.ts';
import { Moment } from '../../ui/moment.tsx';
import { EmptyNotice } from '../../ui/notice.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { number, signedSeconds } from '../../ui/words-model.ts';
import { CopyableId } from './copyable-id.tsx';
import { peerName, peerProgress } from './peers-model.ts';

/** How far each peer’s changes have been admitted. */
export function PeersTab({ replica, fleet }: { readonly replica: FleetReplica; readonly fleet: Fleet }) {
  const peers = replica.status?.peers ?? [];
  const columns: readonly Column<PeerView>[] = [
    { key: 'state', head: 'State', cell: (peer) => <StatePill state={peerProgress(peer).state} /> },
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
