/** What a bench tells the host that it started. `begin`: peaks count from now on. */
export type ToHost = 'begin' | 'read' | 'end';

export type FromHost =
  { readonly kind: 'ready'; readonly url: string } | { readonly kind: 'gauges'; readonly gauges: HostGauges };

/** Of the whole process, workers included. */
export interface HostGauges {
  readonly residentBytes: number;
  /** Highest since `begin`. */
  readonly peakBytes: number;
  /** Longest time since `begin` that the main thread did not get to its next turn. */
  readonly longestStallMs: number;
  /** The most that the main thread worked since `begin` without a turn, in milliseconds of its processor time. */
  readonly longestTurnMs: number;
  readonly cpuSeconds: number;
}
