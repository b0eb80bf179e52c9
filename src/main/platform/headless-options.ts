import { parseArgs } from 'node:util';

import { err, ok, type Result } from '#shared/result.ts';

/** How the headless host was started. Paths are as they were given. */
export interface HeadlessArguments {
  readonly host: string;
  readonly port: number;
  /** Null: the usual data folder. */
  readonly dataDir: string | null;
  readonly tlsCertFile: string | null;
  readonly tlsKeyFile: string | null;
}

const OPTIONS = {
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '4021' },
  data: { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
} as const;

/** Reads the arguments of the headless host. Errors: `not-understood`, one sentence that names what was not. */
export function readHeadlessOptions(
  args: readonly string[],
): Result<HeadlessArguments, { readonly code: 'not-understood'; readonly message: string }> {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('.', 1)[0] ?? '') : String(cause);
    return err({ code: 'not-understood', message: `${why}: known are ${KNOWN}.` });
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return err({
      code: 'not-understood',
      message: `"${values.port}" is no port: write a number from 0 to 65535.`,
    });
  }
  return ok({
    host: values.host,
    port,
    dataDir: values.data ?? null,
    tlsCertFile: values['tls-cert'] ?? null,
    tlsKeyFile: values['tls-key'] ?? null,
  });
}

const KNOWN = Object.keys(OPTIONS)
  .map((name) => `--${name}`)
  .join(', ');

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS }).values;
}
