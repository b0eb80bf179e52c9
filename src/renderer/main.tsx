import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import type { ConsoleBridge } from '#shared/api/channels.ts';

import type { Api } from './api/api-context.tsx';
import { createClient } from './api/client.ts';
import { createIpcLink } from './api/ipc-link.ts';
import type { Link } from './api/link.ts';
import { connectPushes } from './api/push-to-queries.ts';
import { browserSocketWorld, createWebSocketLink } from './api/web-socket-link.ts';
import { App } from './app/app.tsx';
import { createQueryClient } from './app/create-query-client.ts';
import { createThemeControl } from './theme/theme.ts';
import { createPageClock } from './ui/clock.tsx';
import { createHashAddressBar } from './ui/router.tsx';

declare global {
  interface Window {
    /** Laid there by the preload; absent in a browser. */
    readonly consoleBridge?: ConsoleBridge;
  }
}

// The one place that knows which host the page is on.
const { link, api } = chooseLink();
const queryClient = createQueryClient();
connectPushes({ link, queryClient, later: afterDelay });

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element');
createRoot(root).render(
  <StrictMode>
    <App
      world={{
        api,
        queryClient,
        addressBar: createHashAddressBar(window),
        clock: createPageClock(window),
        theme: createThemeControl(window),
      }}
    />
  </StrictMode>,
);

function chooseLink(): { readonly link: Link; readonly api: Api } {
  const bridge = window.consoleBridge;
  if (bridge !== undefined) {
    const link = createIpcLink(bridge);
    return {
      link,
      api: {
        client: createClient(link),
        linkState: link.state,
        retryLink: () => undefined,
        pickFile: bridge.pickFile,
      },
    };
  }
  const link = createWebSocketLink(browserSocketWorld(window));
  return {
    link,
    api: { client: createClient(link), linkState: link.state, retryLink: link.retryNow, pickFile: null },
  };
}

function afterDelay(run: () => void, delayMs: number): () => void {
  const timer = window.setTimeout(run, delayMs);
  return () => {
    window.clearTimeout(timer);
  };
}
