import type { SyncOutcome, SyncStory } from '../sync-story.ts';

/** One product with two replicas of the workload's table, ready for the story. */
export interface OpenCandidate {
  /** Plays the story at one replica and brings it over. */
  readonly work: (story: SyncStory) => void | Promise<void>;
  /** What is at the other one. */
  readonly outcome: () => SyncOutcome | Promise<SyncOutcome>;
}

export interface Candidate {
  /** Rejects with a code ERR_MODULE_NOT_FOUND where the product is not installed. `folder` is empty. */
  readonly open: (folder: string) => Promise<OpenCandidate>;
  /** Slow ones play a story of a tenth of the rows. */
  readonly share: number;
}

/** A row as most products want it: plain values by name. */
export interface PlainRow {
  readonly k: string;
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly d: number;
  readonly e: number;
  readonly f: number;
  readonly g: Uint8Array;
}

/** A row of the workload by name. */
export function plainRow([k, a, b, c, d, e, f, g]: SyncStory['inserts'][number][number]): PlainRow {
  return { k: String(k), a, b, c, d: Number(d), e: Number(e), f, g: new Uint8Array(g) };
}

/** Count and sum of what a replica has. */
export function outcomeOfValues(values: Iterable<number>): SyncOutcome {
  let rows = 0;
  let sum = 0;
  for (const value of values) {
    rows += 1;
    sum += value;
  }
  return { rows, sum };
}
