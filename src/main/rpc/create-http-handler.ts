import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { z } from 'zod';

import type { Tokens } from '../console/tokens.ts';
import type { Log } from '../engine/ports.ts';
import { authenticate, principalOfToken, readCookie } from './authenticate.ts';
import type { FeedDoor } from '../services/feed-service.ts';
import type { Metrics } from '../services/metrics.ts';
import { answerFeed, feedReplicaOf } from './answer-feed.ts';
import { isOwnAddress } from './check-address.ts';
import { readPageFile } from './read-page-file.ts';
import { securityHeaders } from './security-headers.ts';
import type { Principal } from './principal.ts';
import type { OpenedSession, Sessions } from './sessions.ts';
import { SIGN_IN_PAGE, SIGN_IN_SCRIPT } from './sign-in-page.ts';

export interface HttpDeps {
  readonly rendererDir: string;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly cookieName: string;
  /** Names under which this server is reached; without a port. */
  readonly names: ReadonlySet<string>;
  readonly encrypted: boolean;
  /** For programs that follow a replica. */
  readonly feed: FeedDoor;
  /** For monitoring systems. */
  readonly metrics: Metrics;
  readonly log: Log;
}

const SIGN_IN_BYTES_MAX = 4096;

const SignInWish = z.union([
  z.strictObject({ code: z.string().max(200) }),
  z.strictObject({ token: z.string().max(200) }),
]);

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

const HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
const SCRIPT = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' };

/**
 * Serves the renderer's files to those who are signed in, and the sign-in page to everybody.
 *
 * Who is not signed in learns nothing but that this is Concord. Every answer carries the security headers.
 */
export function createHttpHandler(deps: HttpDeps): RequestListener {
  return (request, response) => {
    answer(request, deps)
      .catch((bug: unknown): Answer => {
        deps.log.error('http.handler-threw', { path: pathOf(request), bug });
        return { status: 500 };
      })
      .then((found) => send(request, response, found))
      .catch((bug: unknown) => deps.log.error('http.not-sent', { bug }));
  };
}

async function answer(request: IncomingMessage, deps: HttpDeps): Promise<Answer> {
  if (!isOwnAddress(request, deps.names)) return { status: 403 };
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return answerGet(request, deps);
    case 'POST':
      return answerPost(request, deps);
    default:
      return { status: 405, headers: { allow: 'GET, HEAD' } };
  }
}

function answerPost(request: IncomingMessage, deps: HttpDeps): Promise<Answer> {
  switch (pathOf(request)) {
    case '/sign-in':
      return signIn(request, deps);
    case '/sign-out':
      return signOut(request, deps);
    default:
      return Promise.resolve({ status: 405, headers: { allow: 'GET, HEAD' } });
  }
}

async function answerGet(request: IncomingMessage, deps: HttpDeps): Promise<Answer> {
  const path = pathOf(request);
  if (path === '/sign-in') return { status: 200, headers: HTML, body: SIGN_IN_PAGE };
  if (path === '/sign-in.js') return { status: 200, headers: SCRIPT, body: SIGN_IN_SCRIPT };

  const principal = authenticate(request, deps);
  if (principal === null) return unknownCaller(request);
  if (principal.role === 'sync') return { status: 403 };
  if (path === '/metrics') return answerMetrics(deps.metrics, principal);
  const replica = feedReplicaOf(path);
  if (replica !== null) return answerFeed(deps.feed, principal, { replica, search: searchOf(request) });
  const file = await readPageFile(deps.rendererDir, path);
  return file === null ? { status: 404 } : { status: 200, ...file };
}

/** It tells of every replica of the host, so a token for some sites does not read it. */
async function answerMetrics({ contentType, text }: Metrics, { sites }: Principal): Promise<Answer> {
  if (sites !== null) return { status: 403 };
  const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
  return { status: 200, headers, body: await text() };
}

/** A person gets the sign-in page, a program the bare refusal. */
function unknownCaller(request: IncomingMessage): Answer {
  const wantsPage = (request.headers.accept ?? '').includes('text/html');
  return wantsPage
    ? { status: 401, headers: HTML, body: SIGN_IN_PAGE }
    : { status: 401, headers: { 'www-authenticate': 'Bearer' } };
}

async function signIn(request: IncomingMessage, deps: HttpDeps): Promise<Answer> {
  const text = await readBody(request);
  const wish = text === null ? null : SignInWish.safeParse(parseJson(text));
  if (!wish?.success) return { status: 400, headers: { connection: 'close' } };
  const session =
    'code' in wish.data ? deps.sessions.redeemCode(wish.data.code) : openByToken(wish.data.token, deps);
  if (session === null) return { status: 401 };
  return {
    status: 204,
    headers: { 'set-cookie': cookie(deps, session.secret, Math.floor(session.lastsMs / 1000)) },
  };
}

function openByToken(token: string, deps: HttpDeps): OpenedSession | null {
  const principal = principalOfToken(token, deps.tokens);
  return principal === null || principal.role === 'sync' ? null : deps.sessions.open(principal);
}

function signOut(request: IncomingMessage, deps: HttpDeps): Promise<Answer> {
  const secret = readCookie(request, deps.cookieName);
  if (secret !== null) deps.sessions.end(secret);
  return Promise.resolve({ status: 204, headers: { 'set-cookie': cookie(deps, '', 0) } });
}

function cookie({ cookieName, encrypted }: HttpDeps, value: string, lastsSeconds: number): string {
  const secure = encrypted ? '; Secure' : '';
  return `${cookieName}=${value}; Path=/; Max-Age=${lastsSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** Null when it is longer than a sign-in is; the rest is then let go by unread. */
function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > SIGN_IN_BYTES_MAX) resolve(null);
      else parts.push(part);
    });
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    request.on('error', reject);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  const { host } = request.headers;
  const ownSocket =
    host === undefined || status === 403 ? [] : [`${'encrypted' in request.socket ? 'wss' : 'ws'}://${host}`];
  response.writeHead(status, { ...securityHeaders(ownSocket), ...headers });
  if (body === undefined || request.method === 'HEAD') response.end();
  else response.end(body);
}

function searchOf(request: IncomingMessage): string {
  const [, search = ''] = /\?([^#]*)/.exec(request.url ?? '') ?? [];
  return search;
}

function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '/';
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}
