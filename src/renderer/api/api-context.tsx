import { createContext, use, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';

import type { PickPurpose } from '#shared/api/channels.ts';
import type { Client } from '#shared/api/types.ts';

import type { LinkState, LinkStateSource } from './link.ts';

/** What views may ask: the host through the contract, the state of the pipe, and the system's file dialog. */
export interface Api {
  readonly client: Client;
  readonly linkState: LinkStateSource;
  /** Tries a lost pipe again at once. */
  readonly retryLink: () => void;
  /** The system's dialog for a file; null where there is none and a path is typed. */
  readonly pickFile: ((purpose: PickPurpose) => Promise<string | null>) | null;
}

const ApiContext = createContext<Api | null>(null);

export function ApiProvider(props: { readonly api: Api; readonly children: ReactNode }) {
  return <ApiContext value={props.api}>{props.children}</ApiContext>;
}

export function useApi(): Api {
  const api = use(ApiContext);
  if (api === null) throw new Error('A view needs an ApiProvider above it');
  return api;
}

/** Whether the host answers; changes as the pipe does. */
export function useLinkState(): LinkState {
  const { linkState } = useApi();
  return useSyncExternalStore(linkState.subscribe, linkState.read);
}
