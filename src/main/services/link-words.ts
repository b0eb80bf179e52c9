import type { LinkError } from '../peers/peer-link.ts';
import type { PullRefusal } from '../replica/replica.ts';

type AnyLinkError = LinkError | PullRefusal;
type Words = {
  readonly [C in AnyLinkError['code']]: (error: Extract<AnyLinkError, { readonly code: C }>) => string;
};

const WORDS: Words = {
  unreachable: ({ reason }) => `The peer cannot be reached (${reason}); it is tried again by itself.`,
  closed: ({ reason }) => `The connection ended (${reason}); it is tried again by itself.`,
  'timed-out': ({ afterMs }) =>
    `The peer did not answer for ${Math.round(afterMs / 1000)} s; it is tried again by itself.`,
  paused: () => 'The link is paused.',
  unauthorized: () => 'The peer does not know the token: give the link a new one.',
  forbidden: () => 'The token may not sync this replica: give the link one that may.',
  'not-offered': () => 'The peer pulls only and lets nobody pull from it.',
  'no-such-replica': () => 'The host of the peer has no such replica.',
  'no-common-protocol': ({ ours, theirs }) =>
    `The peer speaks protocol ${theirs.join(' to ')}, this side ${ours.join(' to ')}: update the older one.`,
  'wrong-replica': ({ found }) => `Another replica answers there (${found}): set the link up again.`,
  'bad-peer': ({ detail }) => `The peer says what this side does not understand: ${detail}.`,
  refused: ({ refusal }) => describeLinkError(refusal),
  'peer-failed': ({ peerCode }) => `The peer failed (${peerCode}); its log says more.`,
  internal: () => 'Admitting failed on this side; the log says more. It is tried again by itself.',
  'epoch-changed': ({ message }) => message,
  'too-old': ({ message }) => message,
  'duplicate-site': ({ message }) => message,
};

/** Why a link gives no answer, in one sentence with the next step. */
export function describeLinkError(error: AnyLinkError): string {
  // The code picks the words for this very error, which the compiler cannot follow through the table.
  const words = WORDS[error.code] as (error: AnyLinkError) => string;
  return words(error);
}

/** Whether it says that the puller needs a re-bootstrap. */
export function isTooOld(error: AnyLinkError | null): boolean {
  if (error === null) return false;
  return error.code === 'refused' ? isTooOld(error.refusal) : error.code === 'too-old';
}
