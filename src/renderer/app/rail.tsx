import { Activity, Inbox, OctagonX, Server, Settings } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';

import type { Fleet } from '#shared/api/fleet-replica.ts';

import { useFleet } from '../api/fleet-query.ts';
import { worstFirst } from '../features/fleet/fleet-table-model.ts';
import { LinkTo } from '../ui/link-to.tsx';
import type { Route } from '../ui/route-model.ts';
import { useRoute } from '../ui/router.tsx';
import { StateIcon } from '../ui/state-pill.tsx';
import { STATE_LOOK } from '../ui/state-look.ts';
import { counted, number } from '../ui/words-model.ts';
import { BrandMark } from './brand-mark.tsx';

interface RailProps {
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

/** Sections with their counts, replicas worst first, and at the foot what holds everywhere. */
export function Rail({ onPalette, onKeys }: RailProps) {
  const fleet = useFleet().data;
  return (
    <nav className="rail" aria-label="Concord">
      <div className="brand">
        <BrandMark />
        <span>Concord</span>
      </div>
      <Sections fleet={fleet} />
      {fleet !== undefined && fleet.replicas.length > 0 && <Replicas fleet={fleet} />}
      <div className="rail-foot">
        <div>
          <Server className="icon" size={12} aria-hidden />
          {hostWords(fleet)}
        </div>
        <div>
          <button type="button" className="rail-key" onClick={onPalette}>
            <kbd>{MOD_NAME} K</kbd> go to or do
          </button>
          <span className="grow" />
          <button type="button" className="rail-key" onClick={onKeys}>
            <kbd>?</kbd> keys
          </button>
        </div>
      </div>
    </nav>
  );
}

const MOD_NAME = /mac/i.test(navigator.platform) ? '⌘' : 'Ctrl';

interface Section {
  readonly to: Route;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly count: number | null;
  readonly isHot?: boolean;
  readonly covers: readonly Route['screen'][];
}

function Sections({ fleet }: { readonly fleet: Fleet | undefined }) {
  const { screen } = useRoute();
  return (
    <ul className="rail-nav">
      {sections(fleet).map(({ to, label, icon: Icon, count, isHot, covers }) => (
        <li key={label}>
          <LinkTo to={to} title={label} aria-current={covers.includes(screen) ? 'page' : undefined}>
            <Icon className="icon" size={16} aria-hidden />
            <span className="rail-label">{label}</span>
            {count !== null && count > 0 && (
              <span className={`rail-count ${isHot === true ? 'rail-count-hot' : ''}`}>{number(count)}</span>
            )}
          </LinkTo>
        </li>
      ))}
    </ul>
  );
}

function sections(fleet: Fleet | undefined): readonly Section[] {
  const replicas = fleet?.replicas ?? [];
  const blocked = replicas.reduce((sum, replica) => sum + replica.blocked.length, 0);
  const held = replicas.reduce((sum, replica) => sum + replica.heldRows, 0);
  return [
    { to: { screen: 'fleet' }, label: 'Fleet', icon: Server, count: replicas.length, covers: ['fleet'] },
    {
      to: { screen: 'blockedList' },
      label: 'Blocked',
      icon: OctagonX,
      count: blocked,
      isHot: true,
      covers: ['blockedList', 'blockedBatch'],
    },
    { to: { screen: 'held' }, label: 'Held changes', icon: Inbox, count: held, covers: ['held'] },
    { to: { screen: 'activity' }, label: 'Activity', icon: Activity, count: null, covers: ['activity'] },
    { to: { screen: 'settings' }, label: 'Settings', icon: Settings, count: null, covers: ['settings'] },
  ];
}

/** More replicas than this are found in the fleet or with the palette; the rail names the worst. */
const RAIL_REPLICAS_MAX = 60;

function Replicas({ fleet }: { readonly fleet: Fleet }) {
  const route = useRoute();
  const current = route.screen === 'replica' || route.screen === 'blockedBatch' ? route.ref : null;
  return (
    <>
      <div className="rail-head">
        <span id="rail-replicas">Replicas, worst first</span>
        <span>{number(fleet.replicas.length)}</span>
      </div>
      <ul className="rail-replicas" aria-labelledby="rail-replicas">
        {worstFirst(fleet.replicas)
          .slice(0, RAIL_REPLICAS_MAX)
          .map(({ ref, name, state }) => (
            <li key={ref}>
              <LinkTo
                to={{ screen: 'replica', ref, tab: 'overview' }}
                className={STATE_LOOK[state].className}
                aria-current={ref === current ? 'true' : undefined}
              >
                <StateIcon state={state} />
                <span className="rail-name">{name}</span>
                <span className={state === 'inSync' ? 'unseen' : 'rail-word'}>{STATE_LOOK[state].word}</span>
              </LinkTo>
            </li>
          ))}
      </ul>
    </>
  );
}

function hostWords(fleet: Fleet | undefined): string {
  const hosts = fleet?.hosts ?? [];
  const silent = hosts.filter((host) => !host.reachable).length;
  const silence = silent === 0 ? '' : `, ${silent} silent`;
  return hosts.length === 0 ? 'This machine' : `This machine and ${counted(hosts.length, 'host')}${silence}`;
}
