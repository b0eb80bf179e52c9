import { Pause, Play, RefreshCw } from 'lucide-react';

import type { Fleet, FleetLink, FleetReplica } from '#shared/api/fleet-replica.ts';

import { mainBrief } from '../../ui/main-brief.ts';
import { usePauseLinks, useSyncNow } from '../../api/use-fleet-commands.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useNowMs } from '../../ui/clock.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FingerprintChip } from '../../ui/fingerprint-chip.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Inspector, InspectorSection } from '../../ui/panel.tsx';
import { useNavigation } from '../../ui/router.tsx';
import { SentenceText } from '../../ui/sentence.tsx';
import { STATE_LOOK } from '../../ui/state-look.ts';
import { StatePill } from '../../ui/state-pill.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import { byteSize, counted, number } from '../../ui/words-model.ts';
import { stateReason } from './state-reason.ts';
import { InspectorLinks } from './inspector-links.tsx';

/** One replica beside the table: why, what waits, its links, itself, and what can be done. */
export function FleetInspector({
  fleet,
  replica,
}: {
  readonly fleet: Fleet;
  readonly replica: FleetReplica;
}) {
  const links = fleet.links.filter((link) => link.a === replica.ref || link.b === replica.ref);
  return (
    <Inspector label={replica.name}>
      <InspectorSection>
        <h2>
          {replica.name} <span className="grow" />
          <StatePill state={replica.state} />
        </h2>
        <p className="dim small">
          {[replica.group, replica.host].filter((part) => part !== null).join(', ')}
        </p>
      </InspectorSection>
      <ReasonSection replica={replica} />
      <WaitingSection replica={replica} />
      <InspectorLinks replica={replica} links={links} fleet={fleet} />
      <ReplicaSection replica={replica} />
      <ActionSection replica={replica} links={links} />
    </Inspector>
  );
}

function ReasonSection({ replica }: { readonly replica: FleetReplica }) {
  const nowMs = useNowMs();
  const reason = stateReason(replica, nowMs);
  if (reason === null) return null;
  const brief = mainBrief(replica);
  return (
    <InspectorSection className={STATE_LOOK[replica.state].className}>
      <div className="why">
        <p>
          <SentenceText sentence={reason.why} />
        </p>
        {reason.since !== null && <p className="sec small">{reason.since}</p>}
      </div>
      {brief !== undefined && (
        <div className="button-row">
          <ButtonLink
            tone="primary"
            to={{ screen: 'blockedBatch', ref: replica.ref, conflictId: brief.conflictId }}
          >
            Look at both shapes
          </ButtonLink>
          <ButtonLink to={{ screen: 'replica', ref: replica.ref, tab: 'overview' }}>Why?</ButtonLink>
        </div>
      )}
    </InspectorSection>
  );
}

function WaitingSection({ replica }: { readonly replica: FleetReplica }) {
  const brief = mainBrief(replica);
  if (brief === undefined) return null;
  return (
    <InspectorSection title="Waiting behind it">
      <Facts
        facts={[
          ['changes', counted(brief.behindChanges, 'change')],
          ['from', <code key="from">{brief.fromName}</code>],
          ['since', <Moment key="since" atMs={brief.sinceMs} />],
        ]}
      />
    </InspectorSection>
  );
}

function ReplicaSection({ replica }: { readonly replica: FleetReplica }) {
  const { status } = replica;
  if (status === null) {
    return (
      <InspectorSection title="Replica">
        It has not answered yet, so nothing else is known of it.
      </InspectorSection>
    );
  }
  return (
    <InspectorSection title="Replica">
      <Facts
        facts={[
          [
            'site ID',
            <span key="site" className="mono">
              {status.site.slice(0, 15)}… <CopyButton text={status.site} what="the site ID" />
            </span>,
          ],
          ['fingerprint', <FingerprintChip key="fingerprint" fingerprint={status.fingerprint} />],
          [
            'head',
            <span key="head" className="mono">
              {number(status.head)}
            </span>,
          ],
          ['size', `${byteSize(status.sizeBytes)}, ${counted(status.tables, 'table')}`],
          ['file', <FileFact key="file" path={replica.path} />],
        ]}
      />
    </InspectorSection>
  );
}

/** The file's name; its whole path is on hover and copied. */
function FileFact({ path }: { readonly path: string | null }) {
  if (path === null) return '?';
  return (
    <span title={path}>
      {path.split(/[\\/]/).at(-1)} <CopyButton text={path} what="the path" />
    </span>
  );
}

function ActionSection({
  replica,
  links,
}: {
  readonly replica: FleetReplica;
  readonly links: readonly FleetLink[];
}) {
  const sync = useSyncNow();
  const pause = usePauseLinks();
  const { go } = useNavigation();
  const open = (): void => {
    go({ screen: 'replica', ref: replica.ref, tab: 'overview' });
  };
  useShortcuts({ o: open });
  const running = links.filter((link) => !link.paused);
  const resumes = links.length > 0 && running.length === 0;
  return (
    <section className="inspector-actions">
      {links.length > 0 && (
        <Button
          icon={RefreshCw}
          busy={sync.isPending}
          onClick={() => {
            sync.mutate([replica.ref]);
          }}
        >
          Sync now
        </Button>
      )}
      {links.length > 0 && (
        <Button
          icon={resumes ? Play : Pause}
          busy={pause.isPending}
          onClick={() => {
            pause.mutate({ links: resumes ? links : running, pause: !resumes, name: replica.name });
          }}
        >
          {resumes ? 'Resume' : 'Pause'}
        </Button>
      )}
      <Button tone="quiet" hint="O" onClick={open}>
        Open
      </Button>
    </section>
  );
}
