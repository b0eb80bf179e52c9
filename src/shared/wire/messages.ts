import { z } from 'zod';

import type { Page, PullRequest } from '../model/change-group.ts';
import { ConflictId, Epoch, Era, SiteId } from '../model/ids.ts';
import { changeGroupSchema, cursorSchema, packedHlc, stampSchema } from './change-group-schema.ts';
import { PAGE_FACTS_MAX, PULL_CONFLICTS_MAX, SHORT_TEXT_MAX } from './limits.ts';
import { protocolRange } from './protocol.ts';
import { inviteMessage, pulledMessage } from './pulled-message.ts';
import type { InviteMessage, PulledMessage } from './pulled-message.ts';

const count = z.int().min(0);
const shortText = z.string().max(SHORT_TEXT_MAX);

/** First message of both sides, once. */
export const helloMessage = z.strictObject({
  type: z.literal('hello'),
  protocol: protocolRange,
  site: SiteId,
  epoch: Epoch,
  era: Era,
  head: count,
  /** Wall clock of the sender; whole milliseconds since the Unix epoch. */
  nowMs: count,
  client: z.strictObject({ name: shortText, version: shortText }),
});
export type HelloMessage = z.infer<typeof helloMessage>;

/** Asks for one page. One at a time: the next only after the answer, a `page` or an `error`. */
export const pullMessage = z.strictObject({
  type: z.literal('pull'),
  cursor: cursorSchema.exactOptional(),
  facts: z.int().min(1).max(PAGE_FACTS_MAX),
  conflicts: z.array(ConflictId).max(PULL_CONFLICTS_MAX),
  pruned: z.array(stampSchema).exactOptional(),
});
export type PullMessage = { readonly type: 'pull' } & PullRequest;

/** Answers a pull. */
export const pageMessage = z.strictObject({
  type: z.literal('page'),
  groups: z.array(changeGroupSchema),
  cursor: cursorSchema,
  head: count,
  more: z.boolean(),
  read: count,
  pruned: z.array(stampSchema).exactOptional(),
  formerly: z.array(SiteId).exactOptional(),
  whole: z.record(SiteId, packedHlc).exactOptional(),
});
export type PageMessage = { readonly type: 'page' } & Page;

/** Something new is there. At most one every 50 ms. */
export const headMessage = z.strictObject({ type: z.literal('head'), seq: count });
export type HeadMessage = z.infer<typeof headMessage>;

/** Why a message was not answered, or why the session ends. */
export const WireErrorCode = z.enum([
  'no-common-protocol',
  'hello-expected',
  'hello-twice',
  'unknown-message',
  'bad-message',
  'out-of-turn',
  'not-offered',
  'message-too-large',
  'unauthorized',
  'forbidden',
  'no-such-replica',
  'wrong-replica',
  'duplicate-site',
  'epoch-changed',
  'too-old',
  'timed-out',
  'paused',
  'closing',
  'internal',
]);
export type WireErrorCode = z.infer<typeof WireErrorCode>;

export const errorMessage = z.strictObject({
  type: z.literal('error'),
  code: WireErrorCode,
  /** True: the sender closes, and coming again by itself is pointless. */
  fatal: z.boolean(),
  /** Facts about the failure; the reader makes the sentence. */
  facts: z.record(shortText, z.union([shortText, z.number(), z.boolean(), z.null(), protocolRange])),
});
export type ErrorMessage = z.infer<typeof errorMessage>;

export const wireMessage = z.discriminatedUnion('type', [
  helloMessage,
  pullMessage,
  pageMessage,
  headMessage,
  inviteMessage,
  pulledMessage,
  errorMessage,
]);
export type WireMessage =
  HelloMessage | PullMessage | PageMessage | HeadMessage | InviteMessage | PulledMessage | ErrorMessage;

/** Kept for the transfer of snapshots; protocol 1 does not speak them. */
export const RESERVED_MESSAGE_TYPES: readonly string[] = ['snapshot', 'chunk', 'credit'];
