import type { CallFailure } from '#shared/api/types.ts';
import type { Method } from '#shared/api/contract.ts';
import type { LinkError } from '../peers/peer-link.ts';
import type { PullRefusal } from '../replica/replica.ts';
import type { ConnectError } from '../rpc/connect-web-socket.ts';

import { lengthWords } from './count-words.ts';

type AnyFailure = { readonly [M in Method]: CallFailure<M> }[Method];

/** A failure of a host's call in one sentence with the next step. Facts that are sentences already stay as they are. */
export function callSentence(failure: AnyFailure): string {
  if ('message' in failure) return failure.message;
  if ('reason' in failure) return failure.reason;
  switch (failure.code) {
    case 'replica-unknown':
      return 'The host no longer has this replica: look at its fleet.';
    case 'host-unreachable':
      return `The host does not answer (${failure.detail}): see whether it still runs.`;
    case 'not-allowed':
      return 'The token may only read: give one with the role operate, in CONCORD_TOKEN or with --token-file.';
    case 'unknown-method':
    case 'bad-request':
      return 'The host is of another version: use the `concord` that belongs to it.';
    case 'example-exists':
      return `The example fleet is there already, in ${failure.folder}: open its files, or move the folder away.`;
    default:
      return `The host met a case that it does not know (${failure.code}): its log says more.`;
  }
}

/** Why a host cannot be reached, in one sentence with the next step. */
export function connectSentence(url: string, error: ConnectError): string {
  switch (error.code) {
    case 'bad-url':
      return `${url} is not the address of a host: it looks like ws://127.0.0.1:4021.`;
    case 'host-not-reached':
      return `${url} does not answer (${error.detail}): check the address, and that the host runs.`;
    case 'token-refused':
      return `${url} refuses the token: make one there with \`concord token create\`, and give it in CONCORD_TOKEN or with --token-file.`;
  }
}

type PeerFailure = Exclude<LinkError, { readonly code: 'refused' }> | PullRefusal;

type PeerSentences = {
  readonly [C in PeerFailure['code']]: (
    peer: string,
    error: Extract<PeerFailure, { readonly code: C }>,
  ) => string;
};

const refusalMessage = (_peer: string, error: PullRefusal): string => error.message;

const PEER_SENTENCES: PeerSentences = {
  unreachable: (peer, { reason }) =>
    `${peer} cannot be reached (${reason}): check the address, and that its host runs.`,
  closed: (peer, { reason }) =>
    `${peer} ended the connection (${reason}): what came before is in; sync again.`,
  'timed-out': (peer, { afterMs }) =>
    `${peer} was silent for ${lengthWords(afterMs)}: see whether its host still runs, then sync again.`,
  unauthorized: (peer) =>
    `${peer} wants a token that it knows: make one there with \`concord token create\`, and give it in CONCORD_TOKEN or with --token-file.`,
  forbidden: (peer) => `The token may not sync ${peer}: give one with the role sync for that site.`,
  'no-such-replica': (peer) => `The host answers, but has no such replica as ${peer}: check the site ID.`,
  'no-common-protocol': (peer, { ours, theirs }) =>
    `${peer} speaks protocol ${theirs.join(' to ')}, this side ${ours.join(' to ')}: update the older one.`,
  'wrong-replica': (peer, { found }) => `Another replica answers at ${peer} (${found}): check the address.`,
  'bad-peer': (peer, { detail }) =>
    `${peer} says what is no word of this protocol (${detail}): check that a Concord host answers there.`,
  'not-offered': (peer) => `${peer} lets nobody pull from it: sync from its side.`,
  'peer-failed': (peer, { peerCode }) => `${peer} failed while it answered (${peerCode}): its log says more.`,
  paused: (peer) => `The sync with ${peer} was stopped.`,
  internal: (peer) => `Taking in what ${peer} sent failed on this side: what came before is in; sync again.`,
  'epoch-changed': refusalMessage,
  'too-old': refusalMessage,
  'duplicate-site': refusalMessage,
};

/** Why a peer gives no answer, in one sentence with the next step. */
export function linkSentence(peer: string, error: LinkError | PullRefusal): string {
  if (error.code === 'refused') return linkSentence(peer, error.refusal);
  // Each entry takes the failure of its own key, which the compiler cannot see through the index.
  const say = PEER_SENTENCES[error.code] as (peer: string, error: PeerFailure) => string;
  return say(peer, error);
}
