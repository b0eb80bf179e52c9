import type { SiteId } from '#shared/model/ids.ts';
import type { ErrorMessage, HelloMessage, WireErrorCode } from '#shared/wire/messages.ts';
import { commonProtocol, type ProtocolRange } from '#shared/wire/protocol.ts';
import type { LinkError } from './peer-link.ts';

/** What is said to the peer, and what this side ends with. */
export interface HelloRefusal {
  readonly code: WireErrorCode;
  readonly facts: ErrorMessage['facts'];
  readonly why: LinkError;
}

export interface HelloExpectations {
  readonly protocol: ProtocolRange;
  readonly ownSite: SiteId;
  /** The replica that was asked for; undefined on the side that is called. */
  readonly askedSite: SiteId | undefined;
}

/** Finds a reason not to talk to who says hello; null when there is none. Who speaks no common protocol is told which versions we speak. */
export function checkHello(hello: HelloMessage, expected: HelloExpectations): HelloRefusal | null {
  const { protocol, ownSite, askedSite } = expected;
  if (commonProtocol(protocol, hello.protocol) === null) {
    return {
      code: 'no-common-protocol',
      facts: { protocol: [...protocol] },
      why: { code: 'no-common-protocol', ours: protocol, theirs: hello.protocol },
    };
  }
  if (hello.site === ownSite) {
    const message = 'Both ends of the link have the same site ID.';
    return {
      code: 'duplicate-site',
      facts: { message },
      why: { code: 'refused', refusal: { code: 'duplicate-site', message } },
    };
  }
  if (askedSite !== undefined && hello.site !== askedSite) {
    return {
      code: 'wrong-replica',
      facts: { asked: askedSite, found: hello.site },
      why: { code: 'wrong-replica', asked: askedSite, found: hello.site },
    };
  }
  return null;
}
