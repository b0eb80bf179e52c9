import type { BlockedBrief, Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';

import { worstFirst } from '../features/fleet/fleet-table-model.ts';
import { CAUSE_WORDS } from '../ui/cause-words.ts';
import type { Route } from '../ui/route-model.ts';
import { STATE_LOOK } from '../ui/state-look.ts';

/** What the palette offers: a place to go, or a thing to do. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** Quieter words beside the label. */
  readonly note: string;
  readonly kind: 'go' | 'do';
  readonly does: PaletteAct;
}

export type PaletteAct =
  | { readonly act: 'go'; readonly to: Route }
  | { readonly act: 'syncAll' }
  | { readonly act: 'syncOne'; readonly ref: string }
  | { readonly act: 'theme'; readonly theme: 'system' | 'light' | 'dark' };

/** At most this many are shown; typing narrows further. */
export const PALETTE_MAX = 40;

/** Everything that can be gone to or done: open conflicts first, then replicas worst first, screens and actions. */
export function paletteItems(fleet: Fleet | undefined): readonly PaletteItem[] {
  const replicas = worstFirst(fleet?.replicas ?? []);
  return [
    ...replicas.flatMap((replica) =>
      distinctConflicts(replica).map((brief) =>
        going(
          { screen: 'blockedBatch', ref: replica.ref, conflictId: brief.conflictId },
          { label: `Decide ${brief.object} on ${replica.name}`, note: CAUSE_WORDS[brief.cause] },
        ),
      ),
    ),
    ...replicas.map(({ ref, name, state }) =>
      going(
        { screen: 'replica', ref, tab: 'overview' },
        { label: name, note: `replica, ${STATE_LOOK[state].word}` },
      ),
    ),
    ...screenItems(),
    ...replicas.map(({ ref, name }): PaletteItem =>
      doing({ act: 'syncOne', ref }, { label: `Sync ${name} now`, note: 'action' }),
    ),
  ];
}

/** Items whose label or note has all the words of the text, in the order they had; labels that begin with it first. */
export function matchingItems(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter((item) => {
    const line = `${item.label} ${item.note}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
  const begins = (item: PaletteItem): boolean =>
    item.label.toLowerCase().startsWith(text.trim().toLowerCase());
  return [...found.filter(begins), ...found.filter((item) => !begins(item))].slice(0, PALETTE_MAX);
}

/** One conflict may block the lines of several peers; it is decided once. */
function distinctConflicts({ blocked }: FleetReplica): readonly BlockedBrief[] {
  return blocked.filter(
    (brief, index) => blocked.findIndex(({ conflictId }) => conflictId === brief.conflictId) === index,
  );
}

function screenItems(): readonly PaletteItem[] {
  return [
    going({ screen: 'fleet' }, { label: 'Fleet', note: 'screen, G F' }),
    going({ screen: 'blockedList' }, { label: 'Blocked', note: 'screen, G B' }),
    going({ screen: 'held' }, { label: 'Held changes', note: 'screen, G H' }),
    going({ screen: 'activity' }, { label: 'Activity', note: 'screen, G A' }),
    going({ screen: 'settings' }, { label: 'Settings', note: 'screen, G S' }),
    going({ screen: 'fleet', dialog: 'open-database' }, { label: 'Open a database', note: 'action' }),
    going({ screen: 'fleet', dialog: 'connect-host' }, { label: 'Connect to a host', note: 'action' }),
    going({ screen: 'fleet', dialog: 'add-link' }, { label: 'Add a link', note: 'action' }),
    doing({ act: 'syncAll' }, { label: 'Sync all replicas now', note: 'action' }),
    doing({ act: 'theme', theme: 'light' }, { label: 'Theme: light', note: 'action' }),
    doing({ act: 'theme', theme: 'dark' }, { label: 'Theme: dark', note: 'action' }),
    doing({ act: 'theme', theme: 'system' }, { label: 'Theme: as the system', note: 'action' }),
  ];
}

interface Words {
  readonly label: string;
  readonly note: string;
}

const going = (to: Route, words: Words): PaletteItem => ({
  ...words,
  id: `go ${JSON.stringify(to)}`,
  kind: 'go',
  does: { act: 'go', to },
});

const doing = (does: PaletteAct, words: Words): PaletteItem => ({
  ...words,
  id: `do ${words.label}`,
  kind: 'do',
  does,
});
