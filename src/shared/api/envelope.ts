import { z } from 'zod';

import { failure } from './procedure.ts';

// What travels between a page and its host, over every pipe. JSON-safe values only, so that structured clone
// and JSON behave alike. One message, one object:
//   page to host   { id, method, input }
//   host to page   { id, result }          answers the request with that id
//   host to page   { push }                says what changed; the page fetches it again

export const Request = z.strictObject({
  id: z.number().int().nonnegative(),
  method: z.string().max(100),
  input: z.unknown(),
});
export type Request = z.infer<typeof Request>;

const ResponseResult = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), value: z.unknown() }),
  z.strictObject({ ok: z.literal(false), error: z.looseObject({ code: z.string() }) }),
]);

/** `id` is -1 when the request was not understood far enough to have one. */
export const Response = z.strictObject({ id: z.number().int().min(-1), result: ResponseResult });
export type Response = z.infer<typeof Response>;

/**
 * What changed. `fleet`: the list, its states, links and lags. `replica`: catalog, migrations, journal, findings of
 * `ref`. `blocked`, `held`: those lists of `ref`. `activity`: something happened.
 */
export const Topic = z.enum(['fleet', 'replica', 'blocked', 'held', 'activity']);
export type Topic = z.infer<typeof Topic>;

export const Push = z.strictObject({
  push: z.strictObject({ topic: Topic, ref: z.string().optional() }),
});
export type Push = z.infer<typeof Push>;

/** Failures that any call may meet; no entry of the contract repeats them. */
export const HostFailure = z.discriminatedUnion('code', [
  /** The input does not fit the call; `detail` says where. */
  failure('bad-request', { detail: z.string() }),
  failure('unknown-method', { method: z.string() }),
  /** The token's role does not reach so far. */
  failure('not-allowed', {}),
  /** A bug in the host; the stack is in its log. */
  failure('internal', {}),
  /** The pipe broke, or a remote host does not answer. Made by clients. */
  failure('host-unreachable', { detail: z.string() }),
]);
export type HostFailure = z.infer<typeof HostFailure>;

/** Longest request that a host reads, in bytes of its JSON. Larger ones are answered by closing the pipe. */
export const REQUEST_BYTES_MAX = 4 * 1024 * 1024;
