import { Pause, Play, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';

import { useFleet } from '../../api/fleet-query.ts';
import { usePauseLinks, useSyncNow } from '../../api/use-fleet-commands.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useNowMs } from '../../ui/clock.tsx';
import { EmptyNotice, ReadingNotice } from '../../ui/notice.tsx';
import { FLEET, REPLICA_TABS } from '../../ui/route-model.ts';
import type { ReplicaTab, Route } from '../../ui/route-model.ts';
import { useNavigation } from '../../ui/router.tsx';
import { ScreenFailed } from '../../ui/screen-failed.tsx';
import { TabPanel, Tabs } from '../../ui/tabs.tsx';
import type { Tab } from '../../ui/tabs.tsx';
import { VerdictLine } from '../../ui/verdict-line.tsx';
import { CatalogTab } from './catalog-tab.tsx';
import { BlockedTab } from './blocked-tab.tsx';
import { FindingsTab } from './findings-tab.tsx';
import { HeldTab } from './held-tab.tsx';
import { JournalTab } from './journal-tab.tsx';
import { MigrationsTab } from './migrations-tab.tsx';
import { PeersTab } from './peers-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { replicaVerdict } from './replica-verdict-model.ts';
import './replica.css';

type ReplicaRoute = Extract<Route, { readonly screen: 'replica' }>;

/** One replica: what is the matter with it, and all that it has. */
export function ReplicaView({ route }: { readonly route: ReplicaRoute }) {
  const fleet = useFleet();
  if (fleet.data !== undefined) {
    const replica = fleet.data.replicas.find(({ ref }) => ref === route.ref);
    if (replica === undefined) return <ReplicaGone refText={route.ref} />;
    return <FilledReplica fleet={fleet.data} replica={replica} route={route} />;
  }
  if (fleet.isError)
    return <ScreenFailed what="This replica" error={fleet.error} onRetry={() => void fleet.refetch()} />;
  return <ReadingNotice what="the replica" rows={12} />;
}

interface FilledReplicaProps {
  readonly fleet: Fleet;
  readonly replica: FleetReplica;
  readonly route: ReplicaRoute;
}

function FilledReplica({ fleet, replica, route }: FilledReplicaProps) {
  const { amend } = useNavigation();
  const links = fleet.links.filter((link) => link.a === replica.ref || link.b === replica.ref);
  return (
    <>
      <ReplicaVerdict replica={replica} hasLinks={links.length > 0}>
        {links.length > 0 && <ReplicaActions replica={replica} links={links} />}
      </ReplicaVerdict>
      <Tabs
        id="replica"
        label={`About ${replica.name}`}
        tabs={replicaTabs(replica)}
        current={route.tab}
        onSelect={(tab) => {
          amend({ screen: 'replica', ref: replica.ref, tab });
        }}
      />
      <TabPanel id="replica" current={route.tab} className="replica-panel">
        <TabContent fleet={fleet} replica={replica} route={route} />
      </TabPanel>
    </>
  );
}

interface ReplicaVerdictProps {
  readonly replica: FleetReplica;
  readonly hasLinks: boolean;
  readonly children: ReactNode;
}

/** Apart from the tabs, since its words change with the time and long lists need not be drawn for that. */
function ReplicaVerdict({ replica, hasLinks, children }: ReplicaVerdictProps) {
  const nowMs = useNowMs();
  return <VerdictLine verdict={replicaVerdict({ replica, hasLinks, nowMs })}>{children}</VerdictLine>;
}

function TabContent({ fleet, replica, route }: FilledReplicaProps) {
  const { ref } = replica;
  switch (route.tab) {
    case 'overview':
      return <OverviewTab fleet={fleet} replica={replica} />;
    case 'catalog':
      return <CatalogTab replica={replica} fleet={fleet} selected={route.item} />;
    case 'migrations':
      return <MigrationsTab refId={ref} fleet={fleet} selected={route.item} />;
    case 'blocked':
      return <BlockedTab refId={ref} fleet={fleet} />;
    case 'held':
      return <HeldTab refId={ref} fleet={fleet} />;
    case 'peers':
      return <PeersTab replica={replica} fleet={fleet} />;
    case 'findings':
      return <FindingsTab refId={ref} />;
    case 'journal':
      return <JournalTab refId={ref} />;
  }
}

const TAB_LABELS: Readonly<Record<ReplicaTab, string>> = {
  overview: 'Overview',
  catalog: 'Catalog',
  migrations: 'Migrations',
  blocked: 'Blocked',
  held: 'Held',
  peers: 'Peers',
  findings: 'Findings',
  journal: 'Journal',
};

function replicaTabs(replica: FleetReplica): readonly Tab<ReplicaTab>[] {
  const counts: Partial<Record<ReplicaTab, Pick<Tab<ReplicaTab>, 'count' | 'countState'>>> = {
    blocked: {
      count: replica.blocked.length,
      ...(replica.blocked.length > 0 && { countState: 'st-blocked' }),
    },
    held: { count: replica.heldRows, ...(replica.heldRows > 0 && { countState: 'st-held' }) },
    findings: { count: replica.status?.findings ?? 0 },
  };
  return REPLICA_TABS.map((name) => ({ name, label: TAB_LABELS[name], ...counts[name] }));
}

function ReplicaActions({
  replica,
  links,
}: {
  readonly replica: FleetReplica;
  readonly links: Fleet['links'];
}) {
  const sync = useSyncNow();
  const pause = usePauseLinks();
  const running = links.filter((link) => !link.paused);
  const resumes = running.length === 0;
  return (
    <>
      <Button
        icon={RefreshCw}
        busy={sync.isPending}
        onClick={() => {
          sync.mutate([replica.ref]);
        }}
      >
        {sync.isPending ? 'Syncing' : 'Sync now'}
      </Button>
      <Button
        icon={resumes ? Play : Pause}
        busy={pause.isPending}
        onClick={() => {
          pause.mutate({ links: resumes ? links : running, pause: !resumes, name: replica.name });
        }}
      >
        {resumes ? 'Resume' : 'Pause'}
      </Button>
    </>
  );
}

function ReplicaGone({ refText }: { readonly refText: string }) {
  return (
    <>
      <VerdictLine
        verdict={{
          state: 'unreachable',
          headline: ['The fleet has no replica at this address.'],
          consequence: ['It may have been taken out: ', { name: refText }],
        }}
      />
      <EmptyNotice action={<ButtonLink to={FLEET}>Go to the fleet</ButtonLink>}>
        The fleet shows what is there.
      </EmptyNotice>
    </>
  );
}
