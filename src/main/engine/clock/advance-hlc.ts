import { hlcWallMs, packHlc } from '#shared/model/hlc.ts';
import { err, ok } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';

/** How far ahead of the own clock a remote stamp may be, unless a setting says otherwise; milliseconds. */
export const DRIFT_MAX_MS = 60_000;

/**
 * The next local stamp: above `last` always, at `nowMs` where that is later (CLOCK-001).
 *
 * A wall clock that steps back changes nothing but the counter; a counter at its maximum carries into the
 * millisecond, because both are one integer.
 *
 * Units: `last` and the result are packed, `nowMs` is whole milliseconds since the Unix epoch.
 * Source: Kulkarni et al., "Logical Physical Clocks", 2014.
 */
export function advanceHlc(last: bigint, nowMs: number): bigint {
  const now = packHlc(nowMs);
  return now > last ? now : last + 1n;
}

export interface RemoteAhead {
  readonly code: 'clock-ahead';
  /** Wall time of the remote stamp. */
  readonly remoteMs: number;
  readonly nowMs: number;
  readonly driftMaxMs: number;
}

/**
 * Takes a remote stamp into the clock, so that every later local stamp is above it.
 *
 * Units: `last`, `remote` and the result are packed; `...Ms` whole milliseconds.
 * Errors: `clock-ahead` when the remote wall time is more than `driftMaxMs` after `nowMs`. Nothing was taken in:
 * the caller refuses what carried the stamp and may try again once the clocks agree.
 */
export function observeHlc(input: {
  readonly last: bigint;
  readonly remote: bigint;
  readonly nowMs: number;
  readonly driftMaxMs: number;
}): Result<bigint, RemoteAhead> {
  const { last, remote, nowMs, driftMaxMs } = input;
  const remoteMs = hlcWallMs(remote);
  if (remoteMs - nowMs > driftMaxMs) return err({ code: 'clock-ahead', remoteMs, nowMs, driftMaxMs });
  return ok(remote > last ? remote : last);
}
