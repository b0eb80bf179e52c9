import { createHash } from 'node:crypto';

import type { Clock, Random } from '../engine/ports.ts';
import type { Principal } from './principal.ts';

/** Browsers that are signed in, and the links that sign them in. Gone when the host ends. */
export interface Sessions {
  /** A code for one sign-in, good for an hour. */
  readonly makeCode: () => string;
  /** Uses a code up. Null when it is unknown, used or too old. */
  readonly redeemCode: (code: string) => OpenedSession | null;
  readonly open: (principal: Principal) => OpenedSession;
  readonly find: (secret: string) => Principal | null;
  readonly end: (secret: string) => void;
}

export interface OpenedSession {
  /** The value of the cookie. */
  readonly secret: string;
  readonly lastsMs: number;
}

const SECRET_BYTES = 32;
const CODE_LASTS_MS = 60 * 60 * 1000;
const SESSION_LASTS_MS = 12 * 60 * 60 * 1000;
/** More browsers than a person has; the oldest is signed out when there are more. */
const SESSIONS_MAX = 100;

/**
 * Sign-in without passwords: a single-use code becomes a session.
 *
 * Codes and sessions are kept as hashes only, so that looking one up takes the same time whether or not it is near
 * a real one.
 */
export function createSessions(deps: {
  readonly clock: Clock;
  readonly random: Random;
  /** Whom a code signs in. */
  readonly operator: string;
}): Sessions {
  const { clock, random, operator } = deps;
  const codes = new Map<string, { readonly untilMs: number }>();
  const sessions = new Map<string, { readonly untilMs: number; readonly principal: Principal }>();

  return {
    makeCode: () => {
      const code = drawSecret();
      codes.set(digest(code), { untilMs: clock.nowMs() + CODE_LASTS_MS });
      return code;
    },
    redeemCode: (code) => {
      const key = digest(code);
      const known = codes.get(key);
      codes.delete(key);
      if (known === undefined || clock.nowMs() >= known.untilMs) return null;
      return open({ name: operator, role: 'operate', sites: null, isInForce: () => true });
    },
    open,
    find: (secret) => {
      const key = digest(secret);
      const session = sessions.get(key);
      if (session === undefined) return null;
      if (isLive(session)) return session.principal;
      sessions.delete(key);
      return null;
    },
    end: (secret) => void sessions.delete(digest(secret)),
  };

  function open(principal: Principal): OpenedSession {
    const secret = drawSecret();
    const session = { untilMs: clock.nowMs() + SESSION_LASTS_MS, principal };
    const key = digest(secret);
    sessions.set(key, {
      ...session,
      principal: {
        ...principal,
        isInForce: () => sessions.get(key)?.untilMs === session.untilMs && isLive(session),
      },
    });
    for (const oldest of sessions.keys()) {
      if (sessions.size <= SESSIONS_MAX) break;
      sessions.delete(oldest);
    }
    return { secret, lastsMs: SESSION_LASTS_MS };
  }

  function isLive(session: { readonly untilMs: number; readonly principal: Principal }): boolean {
    return clock.nowMs() < session.untilMs && session.principal.isInForce();
  }

  function drawSecret(): string {
    return Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url');
  }
}

function digest(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}
