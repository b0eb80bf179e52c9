import { render, screen } from '@testing-library/react';
import type { RenderResult } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { UserEvent } from '@testing-library/user-event';

import { createClient } from '#renderer/api/client.ts';
import { connectPushes } from '#renderer/api/push-to-queries.ts';
import { App } from '#renderer/app/app.tsx';
import { createQueryClient } from '#renderer/app/create-query-client.ts';
import type { ThemeControl, ThemeState } from '#renderer/theme/theme.ts';
import type { AddressBar } from '#renderer/ui/router.tsx';
import { DiffRendererProvider } from '#renderer/ui/diff-view.tsx';
import { TextDiff } from '#renderer/ui/text-diff.tsx';

import { NOW_MS } from './fake-fleet.ts';
import { createFakeHost } from './fake-host.ts';
import type { FakeHost } from './fake-host.ts';

export interface ShownApp extends RenderResult {
  readonly host: FakeHost;
  readonly user: UserEvent;
  /** The address now, as the browser would show it behind `#`. */
  readonly address: () => string;
  readonly theme: ThemeControl;
}

/** Shows the whole console at an address, on a fake host, with a clock that stands still. */
export function showApp(address: string, host: FakeHost = createFakeHost()): ShownApp {
  const addressBar = createMemoryAddressBar(address);
  const queryClient = createQueryClient();
  const theme = createMemoryTheme();
  connectPushes({ link: host.link, queryClient, later: soon });
  const shown = render(
    <DiffRendererProvider value={(props) => <TextDiff {...props} />}>
      <App
        world={{
          api: {
            client: createClient(host.link),
            linkState: host.link.state,
            retryLink: () => undefined,
            pickFile: null,
          },
          queryClient,
          addressBar,
          clock: { nowMs: () => NOW_MS, subscribe: () => () => undefined },
          theme,
        }}
      />
    </DiffRendererProvider>,
  );
  return { ...shown, host, user: userEvent.setup(), address: addressBar.read, theme };
}

/** The sentence that the screen opens with. */
export async function verdict(): Promise<string> {
  return (await screen.findByRole('heading', { level: 1 })).textContent;
}

/** Pushes are gathered for a moment; in tests the moment is over at once. */
function soon(run: () => void): () => void {
  queueMicrotask(run);
  return () => undefined;
}

function createMemoryAddressBar(start: string): AddressBar {
  let address = start;
  const listeners = new Set<() => void>();
  const set = (next: string): void => {
    address = next;
    for (const listener of listeners) listener();
  };
  return {
    read: () => address,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    push: set,
    replace: set,
  };
}

function createMemoryTheme(): ThemeControl {
  let state: ThemeState = { theme: 'system', scheme: 'light' };
  const listeners = new Set<() => void>();
  return {
    read: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    choose: (theme) => {
      state = { theme, scheme: theme === 'dark' ? 'dark' : 'light' };
      for (const listener of listeners) listener();
    },
  };
}
