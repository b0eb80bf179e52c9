import type { ErrorMessage } from '#shared/wire/messages.ts';
import { protocolRange, type ProtocolRange } from '#shared/wire/protocol.ts';
import type { LinkError } from './peer-link.ts';

/** What an error of the peer means for this side of the link. */
export function readWireError(error: ErrorMessage, ownProtocol: ProtocolRange): LinkError {
  switch (error.code) {
    case 'too-old':
    case 'epoch-changed':
    case 'duplicate-site':
      return { code: 'refused', refusal: { code: error.code, message: textFact(error, 'message') } };
    case 'unauthorized':
    case 'forbidden':
    case 'no-such-replica':
    case 'not-offered':
      return { code: error.code };
    case 'no-common-protocol':
      return readProtocolError(error, ownProtocol);
    default:
      return GOODBYES.has(error.code)
        ? { code: 'closed', reason: error.code }
        : { code: 'peer-failed', peerCode: error.code, fatal: error.fatal };
  }
}

const GOODBYES: ReadonlySet<string> = new Set<ErrorMessage['code']>(['closing', 'paused']);

function readProtocolError(error: ErrorMessage, ours: ProtocolRange): LinkError {
  const theirs = protocolRange.safeParse(error.facts['protocol']);
  return theirs.success
    ? { code: 'no-common-protocol', ours, theirs: theirs.data }
    : { code: 'peer-failed', peerCode: error.code, fatal: true };
}

function textFact(error: ErrorMessage, name: string): string {
  const fact = error.facts[name];
  return typeof fact === 'string' ? fact : '';
}
