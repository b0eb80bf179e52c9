/** What the engine needs of the world (PORT-001). Hosts bring the real ones, simulations their own. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly hash: Hash;
  readonly log: Log;
}

export interface Clock {
  /** Whole milliseconds since the Unix epoch. May step back. */
  readonly nowMs: () => number;
  /** False under simulation: then the triggers take `nowMs` from the bookkeeping instead of SQLite's clock. */
  readonly isWallClock: boolean;
}

export interface Random {
  /** `count` unpredictable bytes. */
  readonly bytes: (count: number) => Uint8Array;
}

/** SHA-256 of UTF-8 text, 32 bytes. */
export type Hash = (text: string) => Uint8Array;

/** Structured log; never row values, never secrets. */
export interface Log {
  readonly info: (event: string, facts?: Readonly<Record<string, unknown>>) => void;
  readonly warn: (event: string, facts?: Readonly<Record<string, unknown>>) => void;
  readonly error: (event: string, facts?: Readonly<Record<string, unknown>>) => void;
}
