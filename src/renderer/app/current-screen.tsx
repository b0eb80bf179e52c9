import { CircleQuestionMark } from 'lucide-react';

import { useFleet } from '../api/fleet-query.ts';
import { ActivityView } from '../features/activity/activity-view.tsx';
import { BlockedBatchView } from '../features/blocked/blocked-batch-view.tsx';
import { BlockedListView } from '../features/blocked/blocked-list-view.tsx';
import { FirstStartView } from '../features/first-start/first-start-view.tsx';
import { FleetView } from '../features/fleet/fleet-view.tsx';
import { HeldView } from '../features/held/held-view.tsx';
import { ReplicaView } from '../features/replica/replica-view.tsx';
import { SettingsView } from '../features/settings/settings-view.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyNotice } from '../ui/notice.tsx';
import { FLEET } from '../ui/route-model.ts';
import type { Route } from '../ui/route-model.ts';
import { TopLine } from '../ui/verdict-line.tsx';

/** The screen of a route. An empty fleet starts with the offers of the first start. */
export function CurrentScreen({ route }: { readonly route: Route }) {
  switch (route.screen) {
    case 'fleet':
      return <FleetOrFirstStart route={route} />;
    case 'replica':
      return <ReplicaView route={route} />;
    case 'blockedList':
      return <BlockedListView />;
    case 'blockedBatch':
      return <BlockedBatchView route={route} />;
    case 'held':
      return <HeldView />;
    case 'activity':
      return <ActivityView />;
    case 'settings':
      return <SettingsView />;
    case 'unknown':
      return <UnknownScreen address={route.address} />;
  }
}

function FleetOrFirstStart({ route }: { readonly route: Extract<Route, { readonly screen: 'fleet' }> }) {
  const fleet = useFleet().data;
  return fleet?.replicas.length === 0 ? <FirstStartView fleet={fleet} /> : <FleetView route={route} />;
}

function UnknownScreen({ address }: { readonly address: string }) {
  return (
    <>
      <TopLine icon={CircleQuestionMark} className="st-plain">
        <h1>The console has no screen at this address.</h1>
        <p>
          <code>{address}</code>
        </p>
      </TopLine>
      <EmptyNotice action={<ButtonLink to={FLEET}>Go to the fleet</ButtonLink>}>
        It may come from another version of the console.
      </EmptyNotice>
    </>
  );
}
