import { useQuery } from '@tanstack/react-query';

import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';
import type { PeerView, ReplicaStatus } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FindingIcon } from './finding-icon.tsx';
import { FingerprintChip } from '../../ui/fingerprint-chip.tsx';
import { Facts, Inspector, InspectorSection } from '../../ui/panel.tsx';
import { LinkTo } from '../../ui/link-to.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { byteSize, counted, number } from '../../ui/words-model.ts';
import { peerName, peerProgress } from './peers-model.ts';
import { ReplicaHousekeeping } from './replica-housekeeping.tsx';
import { findingsQuery } from './replica-queries.ts';

/** The replica's own facts beside the check-list. */
export function ReplicaInspector({
  fleet,
  replica,
}: {
  readonly fleet: Fleet;
  readonly replica: FleetReplica;
}) {
  const { status } = replica;
  if (status === null) {
    return (
      <Inspector label="This replica">
        <InspectorSection title="This replica">
          <p className="sec small">It has not answered yet, so nothing else is known of it.</p>
        </InspectorSection>
        <ReplicaHousekeeping replica={replica} />
      </Inspector>
    );
  }
  return (
    <Inspector label="This replica">
      <ThisReplica replica={replica} status={status} />
      <Peers status={status} fleet={fleet} />
      <Findings refId={replica.ref} count={status.findings} />
      <ReplicaHousekeeping replica={replica} />
    </Inspector>
  );
}

function ThisReplica({
  replica,
  status,
}: {
  readonly replica: FleetReplica;
  readonly status: ReplicaStatus;
}) {
  const path = replica.path ?? status.path;
  return (
    <InspectorSection title="This replica">
      <Facts
        facts={[
          [
            'site ID',
            <span key="site" className="mono">
              {status.site.slice(0, 15)}… <CopyButton text={status.site} what="the site ID" />
            </span>,
          ],
          [
            'file',
            <span key="file" title={path}>
              {path.split(/[\\/]/).at(-1)}, {byteSize(status.sizeBytes)}{' '}
              <CopyButton text={path} what="the path" />
            </span>,
          ],
          ['host', replica.host],
          ['fingerprint', <FingerprintChip key="fingerprint" fingerprint={status.fingerprint} />],
          [
            'head',
            <span key="head" className="mono">
              {number(status.head)}
            </span>,
          ],
          [
            'epoch, era',
            <span
              key="epoch"
              className="mono"
            >{`${status.epoch.slice(0, 6)}, ${status.era.slice(0, 6)}`}</span>,
          ],
          ['SQLite', `${status.sqliteVersion}, ${status.journalMode.toUpperCase()}`],
          ['on conflict', status.onDivergence === 'block' ? 'block the line' : 'set aside, go on'],
        ]}
      />
    </InspectorSection>
  );
}

function Peers({ status, fleet }: { readonly status: ReplicaStatus; readonly fleet: Fleet }) {
  return (
    <InspectorSection title="Peers">
      {status.peers.length === 0 && <p className="sec small">It has not met a peer yet.</p>}
      <ul className="peer-bars">
        {status.peers.map((peer) => (
          <PeerBar key={peer.site} peer={peer} name={peerName(peer.site, fleet)} />
        ))}
      </ul>
    </InspectorSection>
  );
}

function PeerBar({ peer, name }: { readonly peer: PeerView; readonly name: string }) {
  const { percent, state, words } = peerProgress(peer);
  return (
    <li>
      <div className="peer-bar-head">
        <StateIcon state={state} />
        from {name}
        <span className="dim">{percent} %</span>
      </div>
      <div className="progress" role="img" aria-label={`${name}: ${words}`}>
        <i
          style={{ width: `${percent}%` }}
          className={state === 'blocked' ? 'progress-blocked' : undefined}
        />
      </div>
      <div className="mono dim peer-bar-words">{words}</div>
    </li>
  );
}

const FINDINGS_MAX = 3;

function Findings({ refId, count }: { readonly refId: string; readonly count: number }) {
  const findings = useQuery({ ...findingsQuery(useApi().client, refId), enabled: count > 0 });
  if (count === 0 || findings.data === undefined || findings.data.length === 0) return null;
  return (
    <InspectorSection title="Findings">
      <ul className="finding-list">
        {findings.data.slice(0, FINDINGS_MAX).map((finding) => (
          <li key={`${finding.kind} ${finding.table} ${finding.detail}`}>
            <FindingIcon kind={finding.kind} />
            <span>
              <code>{finding.table}</code>: {finding.detail} {finding.advice}
            </span>
          </li>
        ))}
      </ul>
      {findings.data.length > FINDINGS_MAX && (
        <LinkTo className="small" to={{ screen: 'replica', ref: refId, tab: 'findings' }}>
          All {counted(findings.data.length, 'finding')}
        </LinkTo>
      )}
    </InspectorSection>
  );
}
