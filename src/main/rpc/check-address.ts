import type { IncomingMessage } from 'node:http';

/**
 * Whether a request speaks to this server under a name of its own (against DNS rebinding), and comes from its own
 * pages where a browser says from which (against cross-site requests).
 */
export function isOwnAddress(request: IncomingMessage, names: ReadonlySet<string>): boolean {
  const { host, origin } = request.headers;
  if (host === undefined || !names.has(hostName(host))) return false;
  return origin === undefined || isSameOrigin(origin, host, isEncrypted(request));
}

/** Whether the browser says that the request comes from this server's own page. */
export function hasOwnOrigin(request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  return host !== undefined && origin !== undefined && isSameOrigin(origin, host, isEncrypted(request));
}

function isSameOrigin(origin: string, host: string, encrypted: boolean): boolean {
  return origin.toLowerCase() === `${encrypted ? 'https' : 'http'}://${host.toLowerCase()}`;
}

function isEncrypted(request: IncomingMessage): boolean {
  return 'encrypted' in request.socket;
}

/** Without the port, in lower case, IPv6 without brackets. */
function hostName(host: string): string {
  const name = host.startsWith('[') ? host.slice(1, host.indexOf(']')) : host.replace(/:\d*$/, '');
  return name.toLowerCase();
}
