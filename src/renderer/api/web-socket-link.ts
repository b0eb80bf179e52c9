import { Response } from '#shared/api/envelope.ts';

import { LinkLost } from './link.ts';
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
  const waitingById = new Map<number, Waiting>();
  const unsent: { readonly id: number; readonly text: string }[] = [];
  const pushListeners = new Set<(message: unknown) => void>();
  const stateListeners = new Set<() => void>();

  open();

  return {
    send: (request) => {
      if (state.status === 'lost') return Promise.reject(new LinkLost('The host does not answer'));
      const answer = new Promise<unknown>((resolve, reject) => {
        waitingById.set(request.id, { resolve, reject });
      });
      const text = JSON.stringify(request);
      if (state.status === 'open' && socket !== null) socket.send(text);
      else unsent.push({ id: request.id, text });
      return answer;
    },
    onPush: (listener) => {
      pushListeners.add(listener);
      return () => pushListeners.delete(listener);
    },
    state: {
      read: () => state,
      subscribe: (listener) => {
        stateListeners.add(listener);
        return () => stateListeners.delete(listener);
      },
    },
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
      for (const { text } of unsent.splice(0)) opened.send(text);
      setState({ status: 'open' });
    });
    opened.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (typeof event.data === 'string') receive(event.data);
    });
    opened.addEventListener('close', () => {
      if (socket === opened) void lose();
    });
  }

  async function lose(): Promise<void> {
    socket = null;
    unsent.length = 0;
    for (const waiting of waitingById.values()) waiting.reject(new LinkLost('The host does not answer'));
    waitingById.clear();
    const attempts = state.status === 'lost' ? state.attempts + 1 : 1;
    const sinceMs = state.status === 'lost' ? state.sinceMs : world.nowMs();
    const delayMs = BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length) - 1] ?? 15_000;
    setState({ status: 'lost', why: 'noAnswer', sinceMs, attempts, nextTryMs: world.nowMs() + delayMs });
    cancelTry = world.later(open, delayMs);
    if ((await world.askWhyLost()) !== 'signedOut' || socket !== null) return;
    // No number of tries brings a session back: only a new sign-in link does.
    cancelTry();
    setState({ status: 'lost', why: 'signedOut', sinceMs, attempts, nextTryMs: null });
  }

  function receive(text: string): void {
    const message = parseJson(text);
    const response = Response.safeParse(message);
    if (!response.success) {
      for (const listener of pushListeners) listener(message);
      return;
    }
    waitingById.get(response.data.id)?.resolve(response.data);
    waitingById.delete(response.data.id);
  }

  function setState(next: LinkState): void {
    state = next;
    for (const listener of stateListeners) listener();
  }
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
