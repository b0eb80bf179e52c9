import { useState } from 'react';
import type { ReactNode } from 'react';

import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';

import { useFleet } from '../../api/fleet-query.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useNowMs } from '../../ui/clock.tsx';
import type { GridSort } from '../../ui/data-grid.tsx';
import { majorFingerprint } from '../../ui/fingerprint-model.ts';
import { ReadingNotice } from '../../ui/notice.tsx';
import { ScreenFailed } from '../../ui/screen-failed.tsx';
import type { Route } from '../../ui/route-model.ts';
import { useNavigation } from '../../ui/router.tsx';
import { VerdictLine } from '../../ui/verdict-line.tsx';
import { FleetBar } from './fleet-bar.tsx';
import { FleetInspector } from './fleet-inspector.tsx';
import { FleetMap } from './fleet-map.tsx';
import { FleetTable } from './fleet-table.tsx';
import { filteredReplicas, fleetEntries, nextSort, showCounts, worstFirst } from './fleet-table-model.ts';
import { fleetVerdict } from './fleet-verdict-model.ts';
import './fleet.css';

type FleetRoute = Extract<Route, { readonly screen: 'fleet' }>;

/** Is anything wrong, where, and what are the ways out: all replicas, their links, and one of them in detail. */
export function FleetView({ route }: { readonly route: FleetRoute }) {
  const fleet = useFleet();
  if (fleet.data !== undefined) return <FilledFleet fleet={fleet.data} route={route} />;
  if (fleet.isError)
    return <ScreenFailed what="The fleet" error={fleet.error} onRetry={() => void fleet.refetch()} />;
  return <ReadingNotice what="the fleet" rows={12} />;
}

function FilledFleet({ fleet, route }: { readonly fleet: Fleet; readonly route: FleetRoute }) {
  const { go, amend } = useNavigation();
  const [sort, setSort] = useState<GridSort | null>(null);
  // What is selected at first is the worst; it stays selected when it mends, so that the screen does not jump.
  const [firstRef] = useState(() => worstFirst(fleet.replicas)[0]?.ref);
  const { show = 'all', filter = '' } = route;
  const shown = filteredReplicas(fleet.replicas, { show, text: filter });
  const selected = selectedOf(fleet, route.selected ?? firstRef);
  const selectedRef = selected?.ref ?? null;
  const amendWith = (change: Partial<FleetRoute>): void => {
    amend({ ...route, ...change });
  };
  const counts = showCounts(fleet.replicas);
  return (
    <>
      <FleetVerdict fleet={fleet}>
        {counts.needYou > 0 && show !== 'needYou' && (
          <ButtonLink to={{ ...route, show: 'needYou' }}>Show what needs me</ButtonLink>
        )}
      </FleetVerdict>
      <div className="work">
        <div className="work-column">
          <FleetBar
            counts={counts}
            show={show}
            filter={filter}
            onShow={(next) => {
              amendWith({ show: next });
            }}
            onFilter={(next) => {
              amendWith({ filter: next });
            }}
          />
          <FleetTable
            entries={fleetEntries(shown, sort)}
            majorFingerprint={majorFingerprint(
              fleet.replicas.flatMap(({ status }) => status?.fingerprint ?? []),
            )}
            selectedRef={selectedRef}
            onSelect={(replica) => {
              amendWith({ selected: replica.ref });
            }}
            onOpen={(replica) => {
              go({ screen: 'replica', ref: replica.ref, tab: 'overview' });
            }}
            sort={sort}
            onSort={(key) => {
              setSort(nextSort(sort, key));
            }}
          />
          <FleetMap fleet={fleet} shown={shown} selectedRef={selectedRef} route={route} />
        </div>
        {selected !== undefined && <FleetInspector fleet={fleet} replica={selected} />}
      </div>
    </>
  );
}

/** Apart from the rest of the screen, since its words change with the time and the table need not be drawn for that. */
function FleetVerdict({ fleet, children }: { readonly fleet: Fleet; readonly children: ReactNode }) {
  return <VerdictLine verdict={fleetVerdict(fleet, useNowMs())}>{children}</VerdictLine>;
}

function selectedOf(fleet: Fleet, ref: string | undefined): FleetReplica | undefined {
  return fleet.replicas.find((replica) => replica.ref === ref) ?? fleet.replicas[0];
}
