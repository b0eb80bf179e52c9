import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { SiteId } from '#shared/model/ids.ts';
import { err, ok, type Result } from '#shared/result.ts';

/** What an upgrade asks for. */
export interface SyncRequest {
  readonly token: string | null;
  readonly site: SiteId;
}

export interface SyncDenial {
  readonly code: 'unauthorized' | 'forbidden' | 'no-such-replica';
}

type UpgradeRefusal = SyncDenial['code'] | 'bad-request' | 'busy' | 'internal';

const SYNC_PATH = /^\/sync\/([^/?#]*)\/?$/;
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/**
 * Reads an upgrade to `/sync/<site>`; null when it is for something else.
 *
 * Errors: `bad-request`, no site ID in the path; `forbidden`, a browser asks (it says its Origin).
 */
export function readSyncRequest(
  request: IncomingMessage,
): Result<SyncRequest, { readonly code: 'bad-request' | 'forbidden' }> | null {
  const path = SYNC_PATH.exec(request.url ?? '');
  if (path === null) return null;
  if (request.headers.origin !== undefined) return err({ code: 'forbidden' });
  const site = SiteId.safeParse(path[1]);
  if (!site.success) return err({ code: 'bad-request' });
  const bearer = BEARER.exec(request.headers.authorization ?? '');
  return ok({ token: bearer?.[1] ?? null, site: site.data });
}

const STATUS: Readonly<Record<UpgradeRefusal, string>> = {
  'bad-request': '400 Bad Request',
  unauthorized: '401 Unauthorized',
  forbidden: '403 Forbidden',
  'no-such-replica': '404 Not Found',
  internal: '500 Internal Server Error',
  busy: '503 Service Unavailable',
};

/** Answers an upgrade with a status and nothing else, and ends the connection. */
export function refuseUpgrade(stream: Duplex, code: UpgradeRefusal): void {
  const challenge = code === 'unauthorized' ? 'WWW-Authenticate: Bearer\r\n' : '';
  stream.end(`HTTP/1.1 ${STATUS[code]}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}
