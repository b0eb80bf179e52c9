import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Stamp } from '#shared/model/change-group.ts';
import {
  compareStamps,
  formatStamp,
  HLC_COUNTER_MAX,
  HLC_MAX,
  HLC_WALL_MS_MAX,
  packHlc,
  parseStamp,
  unpackHlc,
} from '#shared/model/hlc.ts';
import { siteIdToBytes } from '#shared/model/site-bytes.ts';
import { HlcText } from '#shared/model/views.ts';
import { anyStamp, narrowStamp } from '../support/arbitraries.ts';
import { siteId } from '../support/ids.ts';

const june = Date.parse('2026-06-01T00:00:00.000Z');
const stamp = (wallMs: number, counter: number, site: number): Stamp => ({
  hlc: packHlc(wallMs, counter),
  site: siteId(site),
});

test.for([
  ['wall time before counter', stamp(1, 9, 9), stamp(2, 0, 0)],
  ['counter before site', stamp(1, 1, 9), stamp(1, 2, 0)],
  ['site last', stamp(1, 1, 1), stamp(1, 1, 2)],
] as const)('H01 stamps are ordered by %s', ([, lower, higher]) => {
  expect(compareStamps(lower, higher)).toBeLessThan(0);
  expect(compareStamps(higher, lower)).toBeGreaterThan(0);
});

test('H01 equal stamps compare as 0, and no others', () => {
  fc.assert(
    fc.property(narrowStamp, narrowStamp, (left, right) => {
      const isSame = left.hlc === right.hlc && left.site === right.site;
      expect(compareStamps(left, right) === 0).toBe(isSame);
    }),
  );
});

test('H03 a stamp comes back from its packed form', () => {
  fc.assert(
    fc.property(fc.nat({ max: HLC_WALL_MS_MAX }), fc.nat({ max: HLC_COUNTER_MAX }), (wallMs, counter) => {
      expect(unpackHlc(packHlc(wallMs, counter))).toEqual({ wallMs, counter });
    }),
  );
  expect(packHlc(HLC_WALL_MS_MAX, HLC_COUNTER_MAX)).toBe(HLC_MAX);
});

test.for([
  ['a negative time', -1, 0],
  ['a time of more than 47 bits', HLC_WALL_MS_MAX + 1, 0],
  ['half a millisecond', 0.5, 0],
  ['a negative counter', 0, -1],
  ['a counter of more than 16 bits', 0, HLC_COUNTER_MAX + 1],
] as const)('H03 %s is no HLC', ([, wallMs, counter]) => {
  expect(() => packHlc(wallMs, counter)).toThrow('of an HLC');
});

test.for([-1n, HLC_MAX + 1n])('H03 the integer %s is no packed HLC', (hlc) => {
  expect(() => unpackHlc(hlc)).toThrow('no packed HLC');
});

// H04: the bookkeeping keeps the integer and the site's bytes, and SQLite sorts by them.
test('H04 SQLite sorts stamps by their stored form as the compare function does', () => {
  const db = new Database(':memory:');
  try {
    db.exec('create table stamp (n integer primary key, hlc integer not null, site blob not null) strict');
    const insert = db.prepare('insert into stamp (n, hlc, site) values (?, ?, ?)');
    const inOrder = db.prepare('select n from stamp order by hlc, site, n').pluck();
    fc.assert(
      fc.property(fc.array(fc.oneof(anyStamp, narrowStamp), { maxLength: 20 }), (stamps) => {
        db.exec('delete from stamp');
        stamps.forEach(({ hlc, site }, n) => insert.run(BigInt(n), hlc, siteIdToBytes(site)));
        const sorted = stamps
          .map((each, n) => ({ each, n }))
          .sort((left, right) => compareStamps(left.each, right.each) || left.n - right.n);
        expect(inOrder.all()).toEqual(sorted.map(({ n }) => n));
      }),
    );
  } finally {
    db.close();
  }
});

test('H05 a stamp reads as its time, its counter and its site', () => {
  expect(formatStamp(stamp(june, 0xab, 0))).toBe('2026-06-01T00:00:00.000Z-00ab-AAAAAAAAAAAAAAAAAAAAAA');
});

test('H05 the text of a stamp comes back, and is what the views promise', () => {
  fc.assert(
    fc.property(anyStamp, (some) => {
      const text = formatStamp(some);
      expect(HlcText.safeParse(text).success).toBe(true);
      expect(parseStamp(text)).toEqual({ ok: true, value: some });
    }),
  );
});

test.for([
  ['nothing', '', 'not of the form'],
  ['a truncated text', '2026-06-01T00:00:00.000Z-00', 'not of the form'],
  [
    'a short site ID',
    '2026-06-01T00:00:00.000Z-0000-AAAA',
    '"AAAA" is no site ID: 22 characters of base64url',
  ],
  ['a site ID with spare bits', `2026-06-01T00:00:00.000Z-0000-${'B'.repeat(22)}`, 'is no site ID'],
  ['a site ID and more', `2026-06-01T00:00:00.000Z-0000-${'A'.repeat(22)}\n`, 'is no site ID'],
  [
    'a day that is not',
    '2026-02-30T00:00:00.000Z-0000-AAAAAAAAAAAAAAAAAAAAAA',
    'there is no time 2026-02-30',
  ],
  ['an hour that is not', '2026-02-03T25:00:00.000Z-0000-AAAAAAAAAAAAAAAAAAAAAA', 'there is no time'],
  ['a time before 1970', '1969-12-31T23:59:59.999Z-0000-AAAAAAAAAAAAAAAAAAAAAA', 'outside of 1970 to 6429'],
  ['a time after 6429', '9000-01-01T00:00:00.000Z-0000-AAAAAAAAAAAAAAAAAAAAAA', 'outside of 1970 to 6429'],
  ['a counter in capitals', '2026-06-01T00:00:00.000Z-00AB-AAAAAAAAAAAAAAAAAAAAAA', 'not of the form'],
] as const)('H05 %s is refused with the reason', ([, text, why]) => {
  const parsed = parseStamp(text);
  expect(parsed.ok ? '' : parsed.error.message).toContain(why);
});
