/** Limits and policies of one replica. Durations in milliseconds, sizes in bytes. */
export interface ReplicaSettings {
  /** How far a peer's stamps may be ahead of the clock here. */
  readonly driftMaxMs: number;
  readonly pageFacts: number;
  /** What a divergent definition does: stop the peer's line, or hold the object's changes. */
  readonly onDivergence: 'block' | 'setAside';
  readonly columnTypeConflict: 'block' | 'lastWriterWins';
  /** Bounds of what is held per peer. */
  readonly heldMaxFacts: number;
  readonly heldMaxBytes: number;
  /** How long a change is held; milliseconds. */
  readonly heldMs: number;
  /** How long deletions are kept; milliseconds since they were recorded here. */
  readonly tombstoneMs: number;
  /** How long the history of schema changes is kept, and how much of it. What is in force, and what others may still need, stays. */
  readonly historyMs: number;
  readonly historyEntries: number;
  /** First and longest wait before a blocked batch is tried again. */
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
}

/** Source: formats.md, defaults. */
export const DEFAULT_SETTINGS: ReplicaSettings = {
  driftMaxMs: 60_000,
  pageFacts: 1_000,
  onDivergence: 'block',
  columnTypeConflict: 'block',
  heldMaxFacts: 100_000,
  heldMaxBytes: 64 * 1024 * 1024,
  heldMs: 90 * 86_400_000,
  tombstoneMs: 30 * 86_400_000,
  historyMs: 365 * 86_400_000,
  historyEntries: 100_000,
  retryFirstMs: 1_000,
  retryMaxMs: 60_000,
};
