import { Response } from '#shared/api/envelope.ts';
import type { Request } from '#shared/api/envelope.ts';

import { LinkLost } from './link.ts';
import { createListenerSet } from './listener-set.ts';
import type { Link, LinkState, LostReason } from './link.ts';

/** Waits between tries after a loss, in milliseconds; the last one repeats. */
const BACK_OFF_MS = [500, 1000, 2000, 4000, 8000, 15_000] as const;

/** What the link needs of the browser, so that tests can do without one. */
export interface SocketWorld {
  readonly openSocket: () => WebSocket;
  /** Asks the host over HTTP why the socket was refused. */
  readonly askWhyLost: () => Promise<LostReason>;
  readonly nowMs: () => number;
  readonly later: (run: () => void, delayMs: number) => () => void;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (lost: LinkLost) => void;
}

/**
 * The pipe to a headless host. Opens at once and again after each loss, with growing waits.
 *
 * A request that was under way when the pipe broke is rejected with `LinkLost`, since nobody knows whether it was
 * done; one that is made while the pipe is being opened waits for it.
 */
export function createWebSocketLink(world: SocketWorld): Link & { readonly retryNow: () => void } {
  let state: LinkState = { status: 'opening' };
  let socket: WebSocket | null = null;
  let cancelTry: (() => void) | null = null;
  const requests = createRequestBook();
  const pushes = createListenerSet<unknown>();
  const states = createListenerSet<undefined>();

  open();

  return {
    send: (request) => {
      if (state.status === 'lost') return Promise.reject(new LinkLost('The host does not answer'));
      return requests.enter(request, state.status === 'open' ? socket : null);
    },
    onPush: pushes.add,
    state: { read: () => state, subscribe: states.add },
    retryNow: () => {
      cancelTry?.();
      if (state.status === 'lost') open();
    },
  };

  function open(): void {
    cancelTry = null;
    const opened = world.openSocket();
    socket = opened;
    opened.addEventListener('open', () => {
      requests.sendWaiting(opened);
      setState({ status: 'open' });
    });
    opened.addEventListener('message', (event: MessageEvent<unknown>) => {
      const message = typeof event.data === 'string' ? parseJson(event.data) : null;
      if (!requests.settle(message)) pushes.tell(message);
    });
    opened.addEventListener('close', () => {
      if (isCurrent(opened)) void lose();
    });
  }

  async function lose(): Promise<void> {
    socket = null;
    requests.rejectAll(new LinkLost('The host does not answer'));
    const attempts = state.status === 'lost' ? state.attempts + 1 : 1;
    const sinceMs = state.status === 'lost' ? state.sinceMs : world.nowMs();
    const delayMs = BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length) - 1] ?? 15_000;
    setState({ status: 'lost', why: 'noAnswer', sinceMs, attempts, nextTryMs: world.nowMs() + delayMs });
    cancelTry = world.later(open, delayMs);
    const why = await world.askWhyLost();
    if (why !== 'signedOut' || !isCurrent(null)) return;
    // No number of tries brings a session back: only a new sign-in link does.
    cancelTry();
    setState({ status: 'lost', why, sinceMs, attempts, nextTryMs: null });
  }

  function isCurrent(other: WebSocket | null): boolean {
    return socket === other;
  }

  function setState(next: LinkState): void {
    state = next;
    states.tell(undefined);
  }
}

/** The requests that wait for an answer, and of those the ones that wait to be sent. */
function createRequestBook() {
  const waitingById = new Map<number, Waiting>();
  const unsent: string[] = [];
  return {
    enter: (request: Request, socket: WebSocket | null): Promise<unknown> => {
      const text = JSON.stringify(request);
      if (socket === null) unsent.push(text);
      else socket.send(text);
      return new Promise((resolve, reject) => {
        waitingById.set(request.id, { resolve, reject });
      });
    },
    sendWaiting: (socket: WebSocket): void => {
      for (const text of unsent.splice(0)) socket.send(text);
    },
    /** False for a message that answers no request. */
    settle: (message: unknown): boolean => {
      const response = Response.safeParse(message);
      if (!response.success) return false;
      waitingById.get(response.data.id)?.resolve(response.data);
      waitingById.delete(response.data.id);
      return true;
    },
    rejectAll: (lost: LinkLost): void => {
      unsent.length = 0;
      for (const waiting of waitingById.values()) waiting.reject(lost);
      waitingById.clear();
    },
  };
}

/** The browser's own socket and clock, for the host that served this page. */
export function browserSocketWorld(window: Window & typeof globalThis): SocketWorld {
  const { protocol, host } = window.location;
  return {
    openSocket: () => new window.WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/rpc`),
    askWhyLost: async () => {
      try {
        const answer = await window.fetch('/rpc', { cache: 'no-store' });
        return answer.status === 401 || answer.status === 403 ? 'signedOut' : 'noAnswer';
      } catch {
        return 'noAnswer';
      }
    },
    nowMs: () => Date.now(),
    later: (run, delayMs) => {
      const timer = window.setTimeout(run, delayMs);
      return () => {
        window.clearTimeout(timer);
      };
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
