import type { FleetReplica } from '#shared/api/fleet-replica.ts';

import type { GridEntry } from '../../ui/grid-model.ts';
import type { GridSort } from '../../ui/data-grid.tsx';
import type { FleetShow } from '../../ui/route-model.ts';
import { needsYou, severityOf } from '../../ui/state-look.ts';
import { counted } from '../../ui/words-model.ts';

/** How many replicas each filter shows. */
export function showCounts(replicas: readonly FleetReplica[]): Readonly<Record<FleetShow, number>> {
  return {
    all: replicas.length,
    needYou: replicas.filter((replica) => isShown(replica, 'needYou')).length,
    notInSync: replicas.filter((replica) => isShown(replica, 'notInSync')).length,
  };
}

/** The replicas that a filter and a text leave. The text is looked for in name, group, host and fingerprint. */
export function filteredReplicas(
  replicas: readonly FleetReplica[],
  filter: { readonly show: FleetShow; readonly text: string },
): readonly FleetReplica[] {
  const text = filter.text.trim().toLowerCase();
  return replicas.filter(
    (replica) => isShown(replica, filter.show) && (text === '' || matches(replica, text)),
  );
}

/**
 * The table's entries. Without a sort the replicas stand by group and name, which does not change with their state,
 * so that a row keeps its place; with one there are no groups.
 */
export function fleetEntries(
  replicas: readonly FleetReplica[],
  sort: GridSort | null,
): readonly GridEntry<FleetReplica>[] {
  if (sort !== null) return rows(sortedReplicas(replicas, sort));
  const groups = [...new Set(replicas.map((replica) => replica.group))].sort(byGroup);
  if (groups.length < 2) return rows(byNameOf(replicas));
  return groups.flatMap((group) => {
    const members = byNameOf(replicas.filter((replica) => replica.group === group));
    return [
      {
        kind: 'group',
        key: group ?? '',
        label: group ?? 'No group',
        note: counted(members.length, 'replica'),
      } as const,
      ...rows(members),
    ];
  });
}

/** Worst first, then by name: the order of the rail. */
export function worstFirst(replicas: readonly FleetReplica[]): readonly FleetReplica[] {
  return [...replicas].sort((a, b) => severityOf(a.state) - severityOf(b.state) || compareNames(a, b));
}

/** Sort after a click on a column's head: ascending, descending, none. */
export function nextSort(sort: GridSort | null, key: string): GridSort | null {
  if (sort?.key !== key) return { key, direction: 'ascending' };
  return sort.direction === 'ascending' ? { key, direction: 'descending' } : null;
}

function isShown(replica: FleetReplica, show: FleetShow): boolean {
  switch (show) {
    case 'all':
      return true;
    case 'needYou':
      return needsYou(replica.state);
    case 'notInSync':
      return replica.state !== 'inSync';
  }
}

function matches(replica: FleetReplica, text: string): boolean {
  const { name, group, host, status } = replica;
  return [name, group, host, status?.fingerprint, replica.path].some(
    (field) => field?.toLowerCase().includes(text) === true,
  );
}

type SortValue = (replica: FleetReplica) => number | string;

const SORT_VALUES: Readonly<Record<string, SortValue>> = {
  state: (replica) => severityOf(replica.state),
  name: (replica) => replica.name,
  fingerprint: (replica) => replica.status?.fingerprint ?? '',
  head: (replica) => replica.status?.head ?? -1,
  lag: (replica) => replica.lag.changes,
  held: (replica) => replica.heldRows,
  blocked: (replica) => replica.blocked.length,
  lastSync: (replica) => replica.lastSyncMs ?? 0,
  skew: (replica) => Math.abs(replica.skewMs ?? 0),
  size: (replica) => replica.status?.sizeBytes ?? -1,
};

function sortedReplicas(replicas: readonly FleetReplica[], sort: GridSort): readonly FleetReplica[] {
  const valueOf = SORT_VALUES[sort.key] ?? ((replica: FleetReplica) => replica.name);
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return [...replicas].sort((a, b) => sign * compareValues(valueOf(a), valueOf(b)) || compareNames(a, b));
}

function compareValues(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : NAMES.compare(String(a), String(b));
}

/** One collator for all comparisons: making one for each is what costs in a fleet of thousands. */
const NAMES = new Intl.Collator('en', { numeric: true });

const compareNames = (a: FleetReplica, b: FleetReplica): number =>
  NAMES.compare(a.name, b.name) || NAMES.compare(a.ref, b.ref);

const byNameOf = (replicas: readonly FleetReplica[]): readonly FleetReplica[] =>
  [...replicas].sort(compareNames);

const byGroup = (a: string | null, b: string | null): number => (a ?? '\uffff').localeCompare(b ?? '\uffff');

const rows = (replicas: readonly FleetReplica[]): readonly GridEntry<FleetReplica>[] =>
  replicas.map((row) => ({ kind: 'row', row }));
