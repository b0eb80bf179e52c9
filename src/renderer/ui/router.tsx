import { createContext, use, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';

import { formatRoute, parseRoute } from './route-model.ts';
import type { Route } from './route-model.ts';

/** Where the address is kept: the window's own, or a variable in tests. */
export interface AddressBar {
  readonly read: () => string;
  readonly subscribe: (listener: () => void) => () => void;
  readonly push: (address: string) => void;
  readonly replace: (address: string) => void;
}

/** The address behind `#`, so that one page serves every route on both hosts. */
export function createHashAddressBar(window: Window): AddressBar {
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    read: () => window.location.hash,
    subscribe: (listener) => {
      if (listeners.size === 0) window.addEventListener('popstate', tell);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) window.removeEventListener('popstate', tell);
      };
    },
    push: (address) => {
      if (address === window.location.hash) return;
      window.history.pushState(null, '', address);
      tell();
    },
    replace: (address) => {
      window.history.replaceState(null, '', address);
      tell();
    },
  };
}

const AddressContext = createContext<AddressBar | null>(null);

export function RouterProvider(props: { readonly addressBar: AddressBar; readonly children: ReactNode }) {
  return <AddressContext value={props.addressBar}>{props.children}</AddressContext>;
}

/** The current route. */
export function useRoute(): Route {
  const bar = useAddressBar();
  return parseRoute(useSyncExternalStore(bar.subscribe, bar.read));
}

export interface Navigation {
  /** Goes to a route; the way back leads here. */
  readonly go: (route: Route) => void;
  /** Changes the address without a step in the way back: selection, filters. */
  readonly amend: (route: Route) => void;
}

export function useNavigation(): Navigation {
  const bar = useAddressBar();
  return {
    go: (route) => {
      bar.push(formatRoute(route));
    },
    amend: (route) => {
      bar.replace(formatRoute(route));
    },
  };
}

function useAddressBar(): AddressBar {
  const bar = use(AddressContext);
  if (bar === null) throw new Error('A view needs a RouterProvider above it');
  return bar;
}
