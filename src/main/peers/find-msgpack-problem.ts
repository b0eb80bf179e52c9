import { isUtf8 } from 'node:buffer';

import { DEPTH_MAX } from '#shared/wire/limits.ts';

// The library that decodes trusts its input in places: a length makes it allocate, an extension may define
// classes and build functions, a map may nest until the stack ends. So the bytes are walked first, which
// costs half of decoding, and only the plain part of the format is let through.

/** What a first byte promises: how many bytes hold a length, how many follow in any case, what the length counts. */
interface Head {
  readonly lengthBytes: 0 | 1 | 2 | 4;
  readonly fixed: number;
  readonly counts: 'nothing' | 'text' | 'bytes' | 'items' | 'pairs' | 'extension';
}

/**
 * Finds out whether bytes are one MessagePack value of the part that the peer protocol uses.
 *
 * Null when they are: every length is within the bytes, nothing nests deeper than `DEPTH_MAX`, text is UTF-8,
 * keys are text, integers
 * have 64 bits with a sign, and of the extensions only `extensions` occur. Else a few words on what is wrong.
 */
export function findMsgpackProblem(bytes: Uint8Array, extensions: readonly number[]): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk: Walk = {
    bytes,
    view,
    extensions,
    awaited: new Float64Array(DEPTH_MAX + 1),
    isMap: new Uint8Array(DEPTH_MAX + 1),
    depth: 0,
    at: 0,
  };
  walk.awaited[0] = 1;
  while (isUnfinished(walk)) {
    const problem = takeValue(walk);
    if (problem !== null) return problem;
  }
  return walk.at === bytes.length ? null : `${bytes.length - walk.at} bytes follow the end`;
}

interface Walk {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly extensions: readonly number[];
  /** Values that are still to come, per depth. */
  readonly awaited: Float64Array;
  /** 1 per depth where keys and values take turns. */
  readonly isMap: Uint8Array;
  depth: number;
  at: number;
}

/** Leaves the containers that are complete; false when the outermost value is. */
function isUnfinished(walk: Walk): boolean {
  while (walk.depth > 0 && walk.awaited[walk.depth] === 0) walk.depth -= 1;
  return walk.awaited[walk.depth] !== 0;
}

function takeValue(walk: Walk): string | null {
  const { bytes, awaited } = walk;
  const token = bytes[walk.at];
  if (token === undefined) return CUT;
  const head = heads[token];
  if (head === null || head === undefined) return `the byte 0x${token.toString(16)} is not used`;
  const bodyAt = walk.at + 1 + head.lengthBytes;
  if (bodyAt > bytes.length) return CUT;
  if (head.counts !== 'text' && isKeyNext(walk)) return 'a key is not a text';

  awaited[walk.depth] = (awaited[walk.depth] ?? 0) - 1;
  const length = head.fixed + readLength(walk.view, walk.at + 1, head.lengthBytes);
  walk.at = bodyAt;
  switch (head.counts) {
    case 'items':
      walk.isMap[walk.depth + 1] = 0;
      return enterContainer(walk, length);
    case 'pairs':
      walk.isMap[walk.depth + 1] = 1;
      return enterContainer(walk, 2 * length);
    default:
      return takeBody(walk, head, length);
  }
}

const isKeyNext = ({ isMap, awaited, depth }: Walk): boolean =>
  isMap[depth] === 1 && (awaited[depth] ?? 0) % 2 === 0;

/** Each value takes a byte at least, so a length that the bytes cannot hold is found before anything is allocated. */
function enterContainer(walk: Walk, values: number): string | null {
  if (values > walk.bytes.length - walk.at) return CUT;
  if (walk.depth === DEPTH_MAX) return `it nests deeper than ${DEPTH_MAX}`;
  walk.depth += 1;
  walk.awaited[walk.depth] = values;
  return null;
}

function takeBody(walk: Walk, head: Head, length: number): string | null {
  const from = walk.at;
  walk.at += length;
  if (walk.at > walk.bytes.length) return CUT;
  if (head.counts === 'text') return isText(walk.bytes, from, walk.at) ? null : 'a text is not UTF-8';
  if (head.counts !== 'extension') return null;
  const extension = walk.bytes[from] ?? 0;
  return walk.extensions.includes(extension) ? null : `the extension ${extension} is not used`;
}

function isText(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if ((bytes[at] ?? 0) >= 0x80) return isUtf8(bytes.subarray(at, to));
  }
  return true;
}

const CUT = 'it ends too early';

function readLength(view: DataView, at: number, lengthBytes: Head['lengthBytes']): number {
  switch (lengthBytes) {
    case 0:
      return 0;
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getUint16(at);
    case 4:
      return view.getUint32(at);
  }
}

const scalar = (fixed: number): Head => ({ lengthBytes: 0, fixed, counts: 'nothing' });

function headOf(token: number): Head | null {
  if (token < 0x80 || token >= 0xe0) return scalar(0);
  if (token < 0x90) return { lengthBytes: 0, fixed: token - 0x80, counts: 'pairs' };
  if (token < 0xa0) return { lengthBytes: 0, fixed: token - 0x90, counts: 'items' };
  if (token < 0xc0) return { lengthBytes: 0, fixed: token - 0xa0, counts: 'text' };
  return headByToken[token] ?? null;
}

// Missing on purpose: 0xc1, which nothing uses, and 0xcf, an integer without a sign, which SQLite cannot hold.
// An extension's length does not count the byte of its type.
const headByToken: Readonly<Record<number, Head>> = {
  0xc0: scalar(0),
  0xc2: scalar(0),
  0xc3: scalar(0),
  0xc4: { lengthBytes: 1, fixed: 0, counts: 'bytes' },
  0xc5: { lengthBytes: 2, fixed: 0, counts: 'bytes' },
  0xc6: { lengthBytes: 4, fixed: 0, counts: 'bytes' },
  0xc7: { lengthBytes: 1, fixed: 1, counts: 'extension' },
  0xc8: { lengthBytes: 2, fixed: 1, counts: 'extension' },
  0xc9: { lengthBytes: 4, fixed: 1, counts: 'extension' },
  0xca: scalar(4),
  0xcb: scalar(8),
  0xcc: scalar(1),
  0xcd: scalar(2),
  0xce: scalar(4),
  0xd0: scalar(1),
  0xd1: scalar(2),
  0xd2: scalar(4),
  0xd3: scalar(8),
  0xd4: { lengthBytes: 0, fixed: 2, counts: 'extension' },
  0xd5: { lengthBytes: 0, fixed: 3, counts: 'extension' },
  0xd6: { lengthBytes: 0, fixed: 5, counts: 'extension' },
  0xd7: { lengthBytes: 0, fixed: 9, counts: 'extension' },
  0xd8: { lengthBytes: 0, fixed: 17, counts: 'extension' },
  0xd9: { lengthBytes: 1, fixed: 0, counts: 'text' },
  0xda: { lengthBytes: 2, fixed: 0, counts: 'text' },
  0xdb: { lengthBytes: 4, fixed: 0, counts: 'text' },
  0xdc: { lengthBytes: 2, fixed: 0, counts: 'items' },
  0xdd: { lengthBytes: 4, fixed: 0, counts: 'items' },
  0xde: { lengthBytes: 2, fixed: 0, counts: 'pairs' },
  0xdf: { lengthBytes: 4, fixed: 0, counts: 'pairs' },
};

const heads: readonly (Head | null)[] = Array.from({ length: 256 }, (_, token) => headOf(token));
