import { Packr } from 'msgpackr';
import { expect, test } from 'vitest';

import { decodeWireMessage, encodeWireMessage } from '#main/peers/wire-codec.ts';
import { present } from '#shared/assert.ts';
import { packHlc } from '#shared/model/hlc.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { MESSAGE_BYTES_MAX } from '#shared/wire/limits.ts';
import type { WireMessage } from '#shared/wire/messages.ts';
import type { PulledMessage } from '#shared/wire/pulled-message.ts';
import { conflictId, siteId } from '../support/ids.ts';
import {
  aBlock,
  aCursor,
  aGroup,
  aHead,
  aHello,
  aMigration,
  anError,
  aPage,
  aPull,
  fullPage,
  pageOfValues,
} from '../support/wire-builders.ts';

const encode = (message: WireMessage): Uint8Array => {
  const encoded = encodeWireMessage(message);
  if (!encoded.ok) throw new Error(encoded.error.message);
  return encoded.value;
};

const aBlockage = {
  conflictId: conflictId(1),
  cause: 'divergentDefinition',
  object: 'orders',
  message: 'Two definitions of orders.',
} as const;

const aPulled = (parts: Partial<PulledMessage> = {}): PulledMessage => ({
  type: 'pulled',
  ended: 'quiet',
  pages: 1,
  read: 2,
  admittedGroups: 1,
  factsApplied: 2,
  factsSuperseded: 0,
  factsHeld: 0,
  migrations: 0,
  blocked: null,
  ...parts,
});

const foreign = new Packr({ useRecords: false, variableMapSize: true });

/** What a decoder says of a message that our own types would not let us build. */
const refusalOf = (raw: unknown): string => {
  const decoded = decodeWireMessage(foreign.pack(raw));
  return decoded.ok ? 'it was taken' : decoded.error.message;
};

test.for([
  ['hello', aHello()],
  ['hello with a head beyond 32 bits', aHello({ head: 2 ** 40, protocol: [1, 3] })],
  ['pull from the start', aPull()],
  ['pull from a cursor', aPull({ cursor: aCursor, conflicts: [conflictId(1), conflictId(2)], facts: 1 })],
  ['pull from inside a stretch', aPull({ cursor: { ...aCursor, inside: 'key:7' } })],
  ['page without a group', aPage({ groups: [] })],
  ['page with everything', fullPage()],
  ['head', aHead()],
  ['invite', { type: 'invite' }],
  ['pulled', aPulled()],
  ['pulled and blocked', aPulled({ ended: 'blocked', blocked: aBlockage })],
  [
    'error',
    anError({ code: 'no-common-protocol', fatal: true, facts: { ours: [1, 1], why: 'x', at: 1.5, b: null } }),
  ],
] as const)('W01 %s survives its encoding', ([, message]) => {
  expect(decodeWireMessage(encode(message))).toStrictEqual({ ok: true, value: message });
});

test('W01 absent optional fields stay absent', () => {
  const pull = decodeWireMessage(encode(aPull()));
  expect(pull.ok && Object.keys(pull.value)).toEqual(['type', 'facts', 'conflicts']);
  const { cursor: _, ...group } = aGroup();
  const page = decodeWireMessage(encode(aPage({ groups: [group] })));
  const [decoded] = page.ok && page.value.type === 'page' ? page.value.groups : [];
  expect(Object.keys(present(decoded, 'a group'))).toEqual(['sites', 'tables', 'migrations', 'blocks']);
});

test.for<readonly [string, SqlValue]>([
  ['an integer of one byte', 5n],
  ['a real that is integral', 5],
  ['negative zero', -0],
  ['the lowest integer', -(2n ** 63n)],
  ['the highest integer', 2n ** 63n - 1n],
  ['infinity', -Infinity],
  ['an empty blob', new Uint8Array()],
  ['raw text', { textBytes: Uint8Array.of(0xff) }],
  ['empty raw text', { textBytes: new Uint8Array() }],
])('B08 %s keeps its storage class', ([, value]) => {
  const decoded = decodeWireMessage(encode(pageOfValues([value])));
  const back =
    decoded.ok && decoded.value.type === 'page'
      ? decoded.value.groups[0]?.blocks[0]?.rows[0]?.[1]
      : undefined;
  expect(back).toEqual(value);
  expect(typeof back).toBe(typeof value);
});

// Guards WIRE-002.
test.for([
  ['a key', { ...aHead(), surprise: 1 }, 'at head: unknown key "surprise"'],
  ['a key in a group', { ...aPage(), groups: [{ ...aGroup(), x: 1 }] }, 'at page.groups[0]: unknown key "x"'],
  [
    'a migration type',
    { ...aPage(), groups: [aGroup({ migrations: [aMigration({ type: 'explode' as never })] })] },
    'at page.groups[0].migrations[0].type: unknown value "explode"',
  ],
  [
    'a kind of facts',
    { ...aPage(), groups: [{ ...aGroup(), blocks: [{ ...aBlock(), kind: 'odd' }] }] },
    'blocks[0].kind: unknown value "odd"',
  ],
  ['an error code', { ...anError(), code: 'whim' }, 'at error.code: unknown value "whim"'],
  ['a message type', { type: 'gossip' }, 'unknown type came: "gossip"'],
  ['a reserved message type', { type: 'snapshot' }, 'keeps for later'],
  ['a type that every object has', { type: 'constructor' }, 'unknown type came: "constructor"'],
] as const)('W03 %s that is unknown is an error with its name', ([, raw, why]) => {
  expect(refusalOf(raw)).toContain(why);
});

test.for([
  ['nothing', null, 'unknown type came: undefined'],
  ['a list', [1, 2], 'unknown type came: undefined'],
  ['a type that is a number', { type: 7 }, 'unknown type came: 7'],
  ['no facts', { type: 'pull', conflicts: [] }, 'at pull.facts: it is missing'],
  ['no facts at all', aPull({ facts: 0 }), 'pull.facts'],
  ['more facts than a page has', aPull({ facts: 1001 }), 'found 1001'],
  ['a cursor of nothing', { ...aPull(), cursor: null }, 'pull.cursor'],
  ['a cursor that stands nowhere', { ...aPull(), cursor: undefined }, 'the extension 0 is not used'],
  ['an integer for a count', { ...aHead(), seq: 5n }, 'head.seq'],
  ['a seq below nothing', aHead({ seq: -1 }), 'found -1'],
  ['a site that is none', { ...aHello(), site: 'me' }, 'a site ID is 22 characters of base64url, found "me"'],
  ['versions upside down', aHello({ protocol: [2, 1] }), 'the lowest version comes first'],
  [
    'a stamp beyond the end of time',
    { ...aPage(), groups: [aGroup({ blocks: [aBlock({ hlc: -1n })] })] },
    'blocks[0].hlc',
  ],
  [
    'an HLC that is a real',
    { ...aPage(), groups: [{ ...aGroup(), blocks: [{ ...aBlock(), hlc: 5 }] }] },
    'blocks[0].hlc',
  ],
] as const)('%s makes no message', ([, raw, why]) => {
  expect(refusalOf(raw)).toContain(why);
});

const group = (block: Parameters<typeof aBlock>[0]): unknown =>
  aPage({ groups: [aGroup({ blocks: [aBlock(block)] })] });

test.for([
  ['a table that is not there', group({ table: 1 }), "blocks[0].table: 1 is not among the group's tables"],
  ['a site that is not there', group({ site: 2 }), "blocks[0].site: 2 is not among the group's sites"],
  [
    'a column that is not there',
    group({ columns: [0, 2] }),
    "blocks[0].columns: 2 is not among the table's 2 columns",
  ],
  ['a column twice', group({ columns: [0, 0] }), 'a column stands there twice'],
  ['columns without the key first', group({ columns: [1, 0] }), 'they do not begin with the key'],
  ['a delete with cells', group({ kind: 'deletes' }), 'a delete has a key and nothing else'],
  ['a row that is none', group({ rows: [7 as never] }), 'blocks[0].rows[0]: expected a row'],
  ['a short row', group({ rows: [[1n]] }), 'blocks[0].rows[0]: 1 values for 2 columns'],
  ['a value that is none', group({ rows: [[1n, true as never]] }), 'blocks[0].rows[0][1]: not an SQL value'],
  ['NaN', group({ rows: [[1n, Number.NaN]] }), 'not an SQL value'],
  ['a map for a value', group({ rows: [[1n, { a: 1 } as never]] }), 'not an SQL value'],
  ['a life of no row', group({ lives: [[1, 3]] }), 'blocks[0].lives[0]: there is no row 1'],
  ['a row that is dead', group({ lives: [[0, 2]] }), '2 is no life of rows'],
  [
    'a replacement of no table',
    aPage({
      groups: [
        aGroup({ replacements: [{ table: 1, stamp: { hlc: 1n, site: siteId(1) }, knew: {}, waiting: [] }] }),
      ],
    }),
    "replacements[0].table: 1 is not among the group's tables",
  ],
  ['a clock of no row', group({ clocks: [[1, 1, 1n, 0]] }), 'blocks[0].clocks[0]: there is no row 1'],
  ['a clock of no column', group({ clocks: [[0, 2, 1n, 0]] }), 'there is no place 2 among the columns'],
  ['a clock of no site', group({ clocks: [[0, 1, 1n, 2]] }), "site 2 is not among the group's sites"],
  [
    'a clock of a delete',
    group({ kind: 'deletes', columns: [0], rows: [[1n]], clocks: [[0, 0, 1n, 0]] }),
    'a delete has no cells',
  ],
  [
    'a key that is not there',
    aPage({ groups: [aGroup({ tables: [{ ...present(aGroup().tables[0], 'a table'), key: [2] }] })] }),
    'tables[0].key',
  ],
] as const)('a page with %s is refused', ([, raw, why]) => {
  expect(refusalOf(raw)).toContain(why);
});

test('rows that come as no list are refused', () => {
  expect(refusalOf({ ...aPage(), groups: [{ ...aGroup(), blocks: [{ ...aBlock(), rows: {} }] }] })).toContain(
    'expected rows',
  );
});

test('an exact real of another length than eight bytes is no value', () => {
  const bytes = encode(pageOfValues([-0]));
  const at = Buffer.from(bytes).indexOf(Buffer.from([0xd7, 2]));
  const cut = Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from([0xd6, 2, 0, 0, 0, 0]),
    bytes.subarray(at + 10),
  ]);
  const decoded = decodeWireMessage(cut);
  expect(decoded.ok ? '' : decoded.error.message).toContain('not an SQL value');
});

test('a message that is too large is neither written nor read', () => {
  const large = pageOfValues([new Uint8Array(MESSAGE_BYTES_MAX)]);
  const encoded = encodeWireMessage(large);
  expect(encoded).toMatchObject({
    ok: false,
    error: { code: 'message-too-large', bytesMax: MESSAGE_BYTES_MAX },
  });
  const decoded = decodeWireMessage(new Uint8Array(MESSAGE_BYTES_MAX + 1));
  expect(decoded).toMatchObject({
    ok: false,
    error: { code: 'message-too-large', bytes: MESSAGE_BYTES_MAX + 1 },
  });
});

test('a vector that names a site by something else is refused', () => {
  const migration = { ...aMigration(), knew: { [siteId(1)]: packHlc(1), nobody: 1n } };
  expect(refusalOf({ ...aPage(), groups: [{ ...aGroup(), migrations: [migration] }] })).toContain('knew');
});
