import { createRoot } from 'react-dom/client';

import { createClient } from '#renderer/api/client.ts';
import { connectPushes } from '#renderer/api/push-to-queries.ts';
import { App } from '#renderer/app/app.tsx';
import { createQueryClient } from '#renderer/app/create-query-client.ts';
import { createThemeControl } from '#renderer/theme/theme.ts';
import { createHashAddressBar } from '#renderer/ui/router.tsx';

import { NOW_MS } from '../../support/fake-fleet.ts';
import { createEmptyFakeHost, createFakeHost } from '../../support/fake-host.ts';

// The console on a host in the page, for looking at it without one; `shoot.ts` serves it.
// `?empty` starts with an empty fleet, `?lost` with a host that does not answer.

const search = new URLSearchParams(window.location.search);
const host = search.has('empty') ? createEmptyFakeHost() : createFakeHost();
const queryClient = createQueryClient();
const later = (run: () => void, delayMs: number) => {
  const timer = window.setTimeout(run, delayMs);
  return () => {
    window.clearTimeout(timer);
  };
};
connectPushes({ link: host.link, queryClient, later });
if (search.has('lost')) {
  later(() => {
    host.setLinkState({
      status: 'lost',
      why: 'noAnswer',
      sinceMs: NOW_MS - 9000,
      attempts: 3,
      nextTryMs: NOW_MS + 4000,
    });
  }, 400);
}

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <App
      world={{
        api: {
          client: createClient(host.link),
          linkState: host.link.state,
          retryLink: () => undefined,
          pickFile: null,
        },
        queryClient,
        addressBar: createHashAddressBar(window),
        clock: { nowMs: () => NOW_MS, subscribe: () => () => undefined },
        theme: createThemeControl(window),
      }}
    />,
  );
}
