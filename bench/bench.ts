/** One figure of the table: what was measured, against plain SQLite doing the same work in the same run. */
export interface BenchResult {
  /** As in the list of targets: `capture.insert`. */
  readonly name: string;
  /** Which of several measurements of that name. */
  readonly variant: string;
  /** Median. CPU seconds, unless `unit` says otherwise. */
  readonly value: number;
  readonly unit: string;
  readonly baseline: number;
  readonly ratio: number;
  /** Median wall seconds beside it; null where wall time says nothing. */
  readonly wall: number | null;
  readonly wallBaseline: number | null;
  /** The ratio wanted; null where none is set. */
  readonly target: number | null;
  readonly met: boolean | null;
  /** The ratio is to be at least the target; at most otherwise. */
  readonly atLeast?: boolean;
}

export interface BenchOptions {
  /** Rows of the large workloads. */
  readonly rows: number;
  /** Interleaved repetitions. */
  readonly rounds: number;
  /** An empty folder; gone afterwards. */
  readonly folder: string;
}

/** One line of the list of targets. */
export interface Bench {
  /** What it prints, by which it is chosen. */
  readonly names: readonly string[];
  readonly run: (options: BenchOptions) => readonly BenchResult[] | Promise<readonly BenchResult[]>;
}
