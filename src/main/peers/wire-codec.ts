import { Packr, Unpackr } from 'msgpackr';

import { err, ok } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';
import { MESSAGE_BYTES_MAX } from '#shared/wire/limits.ts';
import type { WireMessage } from '#shared/wire/messages.ts';
import { parseWireMessage } from '#shared/wire/parse-wire-message.ts';
import type { WireMessageError } from '#shared/wire/parse-wire-message.ts';
import {
  EXACT_REAL_EXTENSION,
  markExactValues,
  RAW_TEXT_EXTENSION,
  unmarkExactValues,
} from './exact-rows.ts';
import { findMsgpackProblem } from './find-msgpack-problem.ts';

export interface MessageTooLarge {
  readonly code: 'message-too-large';
  readonly bytes: number;
  readonly bytesMax: number;
  readonly message: string;
}

export type WireDecodeError =
  | MessageTooLarge
  /** The bytes are not what the protocol is written in; `message` names the first thing that is wrong. */
  | { readonly code: 'not-msgpack'; readonly message: string }
  | WireMessageError;

// Records would define structures at run time; plain maps can be read by anybody, one message at a time.
const format = { useRecords: false, mapsAsObjects: true, variableMapSize: true } as const;
const packr = new Packr(format);
const unpackr = new Unpackr(format);

const EXTENSIONS = [RAW_TEXT_EXTENSION, EXACT_REAL_EXTENSION];

/**
 * Bytes of one message of the peer protocol. `decodeWireMessage` gives back an equal one: every SQL value exactly,
 * absent fields absent.
 *
 * Errors: `message-too-large`, which pages of the size that the protocol allows never are, but for a value of
 * nearly 64 MiB.
 */
export function encodeWireMessage(message: WireMessage): Result<Uint8Array, MessageTooLarge> {
  const marked =
    message.type === 'page' ? { ...message, groups: message.groups.map(markExactValues) } : message;
  const bytes = packr.pack(marked);
  return bytes.length > MESSAGE_BYTES_MAX ? tooLarge(bytes.length) : ok(bytes);
}

/**
 * Reads what a peer sent. Never throws, whatever the bytes; what it hands back may be relied on.
 *
 * Blobs are views of `bytes`: the caller leaves these alone as long as it uses the message.
 *
 * Errors: `message-too-large`, `not-msgpack`, and those of `parseWireMessage`.
 */
export function decodeWireMessage(bytes: Uint8Array): Result<WireMessage, WireDecodeError> {
  if (bytes.length > MESSAGE_BYTES_MAX) return tooLarge(bytes.length);
  const problem = findMsgpackProblem(bytes, EXTENSIONS);
  if (problem !== null) return err({ code: 'not-msgpack', message: `A message cannot be read: ${problem}.` });
  // A Buffer would hand out Buffers for blobs: two kinds of objects for one value.
  const raw: unknown = unpackr.unpack(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  unmarkExactValues(raw);
  return parseWireMessage(raw);
}

const tooLarge = (bytes: number): Result<never, MessageTooLarge> =>
  err({
    code: 'message-too-large',
    bytes,
    bytesMax: MESSAGE_BYTES_MAX,
    message: `A message has ${bytes} bytes; at most ${MESSAGE_BYTES_MAX} are sent or read.`,
  });
