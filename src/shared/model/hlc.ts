import { assert } from '../assert.ts';
import { err, ok } from '../result.ts';
import type { Result } from '../result.ts';
import type { Stamp } from './change-group.ts';
import { SiteId } from './ids.ts';
import { compareSiteIds } from './site-order.ts';

// A hybrid logical clock value is one integer: 48 bits of wall milliseconds, 16 bits of counter. It is kept,
// sorted and sent as that integer, so that SQLite and JavaScript agree on the order without any conversion.

/** Highest counter within one millisecond. */
export const HLC_COUNTER_MAX = 0xffff;

/** Latest wall time: the packed form stays a positive signed 64-bit integer (year 6429). */
export const HLC_WALL_MS_MAX = 2 ** 47 - 1;

/** Highest packed value. */
export const HLC_MAX = 2n ** 63n - 1n;

export interface HlcParts {
  /** Whole milliseconds since the Unix epoch. */
  readonly wallMs: number;
  readonly counter: number;
}

/** Packs wall time and counter into one integer. Throws on parts that no clock gives. */
export function packHlc(wallMs: number, counter = 0): bigint {
  assert(
    Number.isInteger(wallMs) && wallMs >= 0 && wallMs <= HLC_WALL_MS_MAX,
    `no wall time of an HLC: ${wallMs}`,
  );
  assert(
    Number.isInteger(counter) && counter >= 0 && counter <= HLC_COUNTER_MAX,
    `no counter of an HLC: ${counter}`,
  );
  return (BigInt(wallMs) << 16n) | BigInt(counter);
}

/** The inverse of `packHlc`. Throws on an integer outside of its range. */
export function unpackHlc(hlc: bigint): HlcParts {
  assert(hlc >= 0n && hlc <= HLC_MAX, `no packed HLC: ${hlc.toString()}`);
  return { wallMs: hlcWallMs(hlc), counter: Number(hlc & 0xffffn) };
}

/** Wall milliseconds of a packed HLC. */
export const hlcWallMs = (hlc: bigint): number => Number(hlc >> 16n);

/** Orders by wall time, then counter, then the bytes of the site ID: negative, zero or positive. */
export function compareStamps(left: Stamp, right: Stamp): number {
  if (left.hlc !== right.hlc) return left.hlc < right.hlc ? -1 : 1;
  return compareSiteIds(left.site, right.site);
}

/** A stamp as people and JSON read it: `2026-06-01T00:00:00.000Z-0000-<siteID>`. */
export function formatStamp(stamp: Stamp): string {
  const { wallMs, counter } = unpackHlc(stamp.hlc);
  return `${formatWallMs(wallMs)}-${counter.toString(16).padStart(4, '0')}-${stamp.site}`;
}

/** Wall milliseconds as UTC text, as it stands in stamps and messages. */
export const formatWallMs = (wallMs: number): string => new Date(wallMs).toISOString();

export interface HlcTextError {
  readonly code: 'not-a-stamp';
  /** One sentence: what is wrong with which part. */
  readonly message: string;
}

const STAMP_TEXT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)-([0-9a-f]{4})-(.*)$/s;

/**
 * Reads what `formatStamp` writes, and nothing else: each stamp has one text.
 *
 * Errors: `not-a-stamp`, with the part that is wrong; the caller passes the message on.
 */
export function parseStamp(text: string): Result<Stamp, HlcTextError> {
  const [, time, counter, site] = STAMP_TEXT.exec(text) ?? [];
  if (time === undefined || counter === undefined || site === undefined) {
    return notAStamp(text, 'it is not of the form 2026-06-01T00:00:00.000Z-0000-<siteID>');
  }
  const wallMs = Date.parse(time);
  if (Number.isNaN(wallMs) || formatWallMs(wallMs) !== time)
    return notAStamp(text, `there is no time ${time}`);
  if (wallMs < 0 || wallMs > HLC_WALL_MS_MAX) return notAStamp(text, `${time} is outside of 1970 to 6429`);
  const siteId = SiteId.safeParse(site);
  if (!siteId.success)
    return notAStamp(text, `${JSON.stringify(site)} is no site ID: 22 characters of base64url`);
  return ok({ hlc: packHlc(wallMs, Number.parseInt(counter, 16)), site: siteId.data });
}

const notAStamp = (text: string, why: string): Result<never, HlcTextError> =>
  err({ code: 'not-a-stamp', message: `${JSON.stringify(text)} is no stamp: ${why}.` });
