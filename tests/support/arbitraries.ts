import fc from 'fast-check';

import { encodeBase64url } from '#shared/model/base64url.ts';
import type { Stamp } from '#shared/model/change-group.ts';
import { HLC_MAX } from '#shared/model/hlc.ts';
import { SiteId } from '#shared/model/ids.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { siteId } from './ids.ts';

/** Any site at all. */
export const anySite: fc.Arbitrary<SiteId> = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => SiteId.parse(encodeBase64url(bytes)));

/** Any stamp at all. */
export const anyStamp: fc.Arbitrary<Stamp> = fc.record({
  hlc: fc.bigInt({ min: 0n, max: HLC_MAX }),
  site: anySite,
});

/** One of three stamps' times at one of three sites: narrow on purpose, so that ties and collisions are common. */
export const narrowStamp: fc.Arbitrary<Stamp> = fc.record({
  hlc: fc.constantFrom(1n, 2n, 3n),
  site: fc.constantFrom(siteId(1), siteId(2), siteId(3)),
});

/** Text that SQLite can hold as such: no half surrogates. */
const text = fc.string({ unit: 'binary' });

/** Any value of SQLite, its odd ones often. */
export const anySqlValue: fc.Arbitrary<SqlValue> = fc.oneof(
  fc.constant(null),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 1n, -1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, 5, -1, 1e21, Infinity, -Infinity, 2 ** 53, Number.MIN_VALUE),
  text,
  fc.constantFrom('', '\0', 'a\0b', '\u{1f600}', '\ufffd', '\ufeff'),
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom<SqlValue>({ textBytes: Uint8Array.of(0xc3) }, { textBytes: Uint8Array.of(0x61, 0xff, 0) }),
);
