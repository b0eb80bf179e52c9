import type { ConsoleBridge } from '#shared/api/channels.ts';

import type { Link } from './link.ts';

/** The pipe to the desktop's main process. It lives and dies with the window, so it is always open. */
export function createIpcLink(bridge: ConsoleBridge): Link {
  return {
    send: (request) => bridge.call(request),
    onPush: (listener) => bridge.onPush(listener),
    state: { read: () => OPEN, subscribe: () => () => undefined },
  };
}

const OPEN = { status: 'open' } as const;
