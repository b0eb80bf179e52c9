/**
 * What a page of Concord may do: run its own scripts and talk to its own host, nothing else.
 *
 * `connectTo` names further origins to connect to, such as the host's own under `ws:`. Inline styles are allowed
 * because Monaco sets them; blob workers likewise.
 */
export function securityHeaders(connectTo: readonly string[]): Readonly<Record<string, string>> {
  const policy = [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'unsafe-inline'`,
    `font-src 'self' data:`,
    `img-src 'self' data:`,
    `connect-src ${["'self'", ...connectTo].join(' ')}`,
    `worker-src 'self' blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), usb=()',
  };
}
