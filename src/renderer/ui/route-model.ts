// Where in the console one is, as data and as the part of the address behind `#`.

export const REPLICA_TABS = [
  'overview',
  'catalog',
  'migrations',
  'blocked',
  'held',
  'peers',
  'findings',
  'journal',
] as const;
export type ReplicaTab = (typeof REPLICA_TABS)[number];

export const FLEET_SHOWS = ['all', 'needYou', 'notInSync'] as const;
export type FleetShow = (typeof FLEET_SHOWS)[number];

export const DIALOGS = ['open-database', 'connect-host', 'add-link', 'rename-replica', 'keys'] as const;
export type DialogName = (typeof DIALOGS)[number];

export type Screen =
  | {
      readonly screen: 'fleet';
      readonly show?: FleetShow;
      readonly filter?: string;
      readonly selected?: string;
    }
  | { readonly screen: 'replica'; readonly ref: string; readonly tab: ReplicaTab; readonly item?: string }
  | { readonly screen: 'blockedList' }
  | { readonly screen: 'blockedBatch'; readonly ref: string; readonly conflictId: string }
  | { readonly screen: 'held' }
  | { readonly screen: 'activity' }
  | { readonly screen: 'settings' }
  | { readonly screen: 'unknown'; readonly address: string };

/** A screen, and the dialog that lies over it. */
export type Route = Screen & { readonly dialog?: DialogName };

export const FLEET: Route = { screen: 'fleet' };

/** The address of a route; `parseRoute` reads it back. */
export function formatRoute(route: Route): string {
  const { path, query } = addressOf(route);
  const entries = [...query, ...(route.dialog === undefined ? [] : [['dialog', route.dialog] as const])];
  const search = entries.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

/** Reads an address. Whatever is not an address of the console comes back as `unknown`. */
export function parseRoute(address: string): Route {
  const [pathText = '', search = ''] = address.replace(/^#?\/?/, '').split('?', 2);
  const path = pathText === '' ? [] : pathText.split('/').map(decode);
  const query = new URLSearchParams(search);
  const screen = screenOf(path, query) ?? { screen: 'unknown', address };
  const dialog = DIALOGS.find((name) => name === query.get('dialog'));
  return dialog === undefined ? screen : { ...screen, dialog };
}

/** The same screen with nothing over it. */
export function withoutDialog(route: Route): Route {
  const { dialog: _closed, ...screen } = route;
  return screen;
}

/** Where Esc leads: the screen that holds this one. Null at the top. */
export function parentRoute(route: Route): Route | null {
  switch (route.screen) {
    case 'fleet':
      return route.show === undefined && route.filter === undefined ? null : { screen: 'fleet' };
    case 'replica':
      return { screen: 'fleet', selected: route.ref };
    case 'blockedBatch':
      return { screen: 'blockedList' };
    default:
      return FLEET;
  }
}

/** Equal for routes that one mounted screen serves: selection, tabs and filters change within it. */
export function screenKey(route: Route): string {
  switch (route.screen) {
    case 'replica':
      return `replica ${route.ref}`;
    case 'blockedBatch':
      return `batch ${route.ref} ${route.conflictId}`;
    default:
      return route.screen;
  }
}

interface Address {
  readonly path: readonly string[];
  readonly query: readonly (readonly [string, string])[];
}

function addressOf(route: Route): Address {
  switch (route.screen) {
    case 'fleet':
      return {
        path: ['fleet'],
        query: given({ show: route.show, filter: route.filter, at: route.selected }),
      };
    case 'replica':
      return { path: ['replica', route.ref, route.tab], query: given({ at: route.item }) };
    case 'blockedList':
      return { path: ['blocked'], query: [] };
    case 'blockedBatch':
      return { path: ['blocked', route.ref, route.conflictId], query: [] };
    case 'unknown':
      return { path: [route.address], query: [] };
    default:
      return { path: [route.screen], query: [] };
  }
}

function given(values: Readonly<Record<string, string | undefined>>): readonly (readonly [string, string])[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, value] as const],
  );
}

interface Parts {
  readonly first: string | undefined;
  readonly second: string | undefined;
  readonly query: URLSearchParams;
}

const SCREENS: Readonly<Record<string, (parts: Parts) => Screen | undefined>> = {
  fleet: ({ query }) => fleetOf(query),
  replica: ({ first, second, query }) =>
    first === undefined ? undefined : replicaOf({ ref: first, tab: second, item: query.get('at') }),
  blocked: ({ first, second }) =>
    first === undefined || second === undefined
      ? { screen: 'blockedList' }
      : { screen: 'blockedBatch', ref: first, conflictId: second },
  held: () => ({ screen: 'held' }),
  activity: () => ({ screen: 'activity' }),
  settings: () => ({ screen: 'settings' }),
};

function screenOf(path: readonly string[], query: URLSearchParams): Screen | undefined {
  const [head = 'fleet', first, second] = path;
  return Object.hasOwn(SCREENS, head) ? SCREENS[head]?.({ first, second, query }) : undefined;
}

function fleetOf(query: URLSearchParams): Screen {
  const show = FLEET_SHOWS.find((name) => name === query.get('show'));
  const filter = query.get('filter');
  const selected = query.get('at');
  return {
    screen: 'fleet',
    ...(show !== undefined && show !== 'all' && { show }),
    ...(filter !== null && filter !== '' && { filter }),
    ...(selected !== null && selected !== '' && { selected }),
  };
}

function replicaOf(parts: {
  readonly ref: string;
  readonly tab: string | undefined;
  readonly item: string | null;
}): Screen {
  const tab = REPLICA_TABS.find((name) => name === parts.tab) ?? 'overview';
  return { screen: 'replica', ref: parts.ref, tab, ...(parts.item !== null && { item: parts.item }) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is no address of ours; it is shown as it came.
    return text;
  }
}
