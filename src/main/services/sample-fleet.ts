import type { SampleRecords } from '../console/sample-records.ts';
import type { Timers } from '../peers/timers.ts';
import type { FleetBoard } from './fleet-board.ts';

const SAMPLE_EVERY_MS = 60_000;

/** Writes down once a minute how each replica fares, for charts. The answer stops it. */
export function sampleFleet(deps: {
  readonly board: FleetBoard;
  readonly samples: SampleRecords;
  readonly timers: Timers;
  readonly nowMs: () => number;
}): () => void {
  const { board, samples, timers, nowMs } = deps;
  let cancel = timers.after(SAMPLE_EVERY_MS, sample);
  return () => cancel();

  function sample(): void {
    const atMs = nowMs();
    for (const { ref, status, lag, heldRows, blocked } of board.fleet().replicas) {
      if (status === null) continue;
      const { head, sizeBytes } = status;
      samples.add(ref, atMs, { head, lag: lag.changes, held: heldRows, blocked: blocked.length, sizeBytes });
    }
    samples.prune(atMs);
    cancel = timers.after(SAMPLE_EVERY_MS, sample);
  }
}
