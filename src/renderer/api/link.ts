import type { Request } from '#shared/api/envelope.ts';

/** A pipe to the host: Electron's bridge or a WebSocket. The client above it knows neither. */
export interface Link {
  /** Sends one request; resolves with what came back, unchecked. Rejects with `LinkLost` when the pipe broke. */
  readonly send: (request: Request) => Promise<unknown>;
  /** Hears everything that the host says unasked; returns what ends it. */
  readonly onPush: (listener: (message: unknown) => void) => () => void;
  readonly state: LinkStateSource;
}

export interface LinkStateSource {
  readonly read: () => LinkState;
  readonly subscribe: (listener: () => void) => () => void;
}

export type LinkState =
  | { readonly status: 'open' }
  /** Before the first answer. */
  | { readonly status: 'opening' }
  | {
      readonly status: 'lost';
      readonly why: LostReason;
      readonly sinceMs: number;
      readonly attempts: number;
      /** Null when it is not tried again by itself. */
      readonly nextTryMs: number | null;
    };

/** `signedOut`: the host answers and does not know this session. `noAnswer`: nothing answers at its address. */
export type LostReason = 'signedOut' | 'noAnswer';

/** The pipe broke before the answer came. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost';
}
