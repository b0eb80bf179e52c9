import type { Push } from '#shared/api/envelope.ts';
import type { Client } from '#shared/api/types.ts';
import type { Result } from '#shared/result.ts';

/** Opens a connection to another host's contract. */
export type ConnectHost = (options: {
  readonly url: string;
  readonly token: string;
  readonly onPush: (push: Push) => void;
  readonly onClosed: (reason: string) => void;
}) => Promise<Result<{ readonly client: Client; readonly close: () => void }, ConnectHostError>>;

export type ConnectHostError =
  | { readonly code: 'bad-url' }
  | { readonly code: 'host-not-reached'; readonly detail: string }
  | { readonly code: 'token-refused' };

/** Why a host is not reached, in one sentence with the next step. */
export function describeConnectError(error: ConnectHostError): string {
  switch (error.code) {
    case 'bad-url':
      return 'Its address is none that can be called.';
    case 'token-refused':
      return 'The host does not know the token, or its right does not reach so far: connect with a new one.';
    case 'host-not-reached':
      return `The host does not answer (${error.detail}). It is tried again by itself.`;
  }
}
