import type { IncomingMessage } from 'node:http';

import type { Tokens } from '../console/tokens.ts';
import { hasOwnOrigin } from './check-address.ts';
import type { Principal } from './principal.ts';
import type { Sessions } from './sessions.ts';

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Who sends a request: by `Authorization: Bearer` (RFC 6750), or by a session's cookie.
 *
 * Null for nobody. A cookie on a WebSocket counts only from the server's own page, since browsers send cookies along
 * from any.
 */
export function authenticate(
  request: IncomingMessage,
  deps: { readonly tokens: Tokens; readonly sessions: Sessions; readonly cookieName: string },
): Principal | null {
  const { authorization, upgrade } = request.headers;
  if (authorization !== undefined) {
    const secret = BEARER.exec(authorization)?.[1];
    return secret === undefined ? null : principalOfToken(secret, deps.tokens);
  }
  if (upgrade !== undefined && !hasOwnOrigin(request)) return null;
  const cookie = readCookie(request, deps.cookieName);
  return cookie === null ? null : deps.sessions.find(cookie);
}

/** The principal of a token's secret; null when it is not in force. */
export function principalOfToken(secret: string, tokens: Tokens): Principal | null {
  const verified = tokens.verify(secret);
  if (!verified.ok) return null;
  const { id, name, role, sites } = verified.value;
  return { name, role, sites, isInForce: () => tokens.isInForce(id) };
}

/** The value of one cookie, or null. */
export function readCookie(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
