// Workload W: eight columns, with an integer key, a text UUID key, and WITHOUT ROWID.

export type KeyKind = 'integer' | 'uuid' | 'withoutRowid';

const OTHERS = 'a text, b text, c text, d integer, e integer, f real, g blob';

/** DDL of W. */
export const workloadDdl: Readonly<Record<KeyKind, string>> = {
  integer: `create table w (k integer primary key, ${OTHERS})`,
  uuid: `create table w (k text primary key, ${OTHERS})`,
  withoutRowid: `create table w (k text primary key, ${OTHERS}) without rowid`,
};

export const INSERT_W = `insert into w (k, a, b, c, d, e, f, g) values (?, ?, ?, ?, ?, ?, ?, ?)`;

export type WorkloadRow = readonly [
  key: bigint | string,
  a: string,
  b: string,
  c: string,
  d: bigint,
  e: bigint,
  f: number,
  g: Buffer,
];

/** How many different payloads there are; keys differ for every row. */
const PAYLOADS = 4_096;

/**
 * The rows of W one after the other, the same in every run. Payloads repeat, so that making a row costs next to
 * nothing beside storing it.
 */
export function* workloadRows(kind: KeyKind, rows: number): Generator<WorkloadRow> {
  const draw = createDraw(20_260_601);
  const payloads = Array.from({ length: PAYLOADS }, () => makePayload(draw));
  for (let row = 0; row < rows; row += 1) {
    const key = kind === 'integer' ? BigInt(row + 1) : uuidText(draw);
    const payload = payloads[row % PAYLOADS];
    if (payload !== undefined) yield [key, ...payload];
  }
}

/** Keys of the rows, in the order of `workloadRows`. */
export function workloadKeys(kind: KeyKind, rows: number): readonly (bigint | string)[] {
  return Array.from(workloadRows(kind, rows), ([key]) => key);
}

type Payload = readonly [string, string, string, bigint, bigint, number, Buffer];

function makePayload(draw: () => number): Payload {
  const text = (length: number): string =>
    Array.from({ length }, () => String.fromCharCode(97 + (draw() % 26))).join('');
  return [
    text(10),
    text(7),
    text(39),
    BigInt(draw() % 1_000),
    BigInt(draw()),
    draw() / 7,
    Buffer.from(Array.from({ length: 32 }, () => draw() & 0xff)),
  ];
}

function uuidText(draw: () => number): string {
  const hex = (draw() + 2 ** 32).toString(16).slice(1) + (draw() + 2 ** 32).toString(16).slice(1);
  const more = (draw() + 2 ** 32).toString(16).slice(1) + (draw() + 2 ** 32).toString(16).slice(1);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${more.slice(1, 4)}-${more.slice(4, 16)}`;
}

/** Whole numbers of 32 bits. Source: mulberry32, public domain. */
function createDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
