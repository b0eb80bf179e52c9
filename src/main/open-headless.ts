import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { err, ok, type Result } from '#shared/result.ts';
import { noSeal } from './console/secrets-file.ts';
import { openConsoleApp, type ConsoleApp } from './console-app.ts';
import type { Log } from './engine/ports.ts';
import { exampleFolder, makeDataFolder } from './platform/data-folder.ts';
import { createSystemPorts } from './platform/system-ports.ts';
import type { SystemSurroundings } from './platform/system-surroundings.ts';
import { systemTimers } from './platform/system-timers.ts';
import { VERSION } from './platform/version.ts';
import { isLoopback, openHttpServer, type HttpServer, type ListenError } from './rpc/open-http-server.ts';
import { forkNodeProcess } from './worker/process-end.ts';

export interface HeadlessOptions {
  readonly dataDir: string;
  /** An address or name to listen on; loopback unless told otherwise. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly tlsCertFile: string | null;
  readonly tlsKeyFile: string | null;
  /** Where the built page lies; null for the place that the build puts it. */
  readonly rendererDir: string | null;
}

export interface HeadlessHost {
  readonly url: string;
  readonly makeSignInLink: () => string;
  /** Resolved when all files are closed. */
  readonly close: () => Promise<void>;
}

/** Each with one sentence: what, why, next step. */
export type HeadlessError =
  | { readonly code: 'tls-needed'; readonly message: string }
  | { readonly code: 'tls-unreadable'; readonly message: string }
  | { readonly code: 'token-needed'; readonly message: string }
  | { readonly code: 'data-folder-unusable'; readonly message: string }
  | { readonly code: 'port-in-use'; readonly message: string }
  | { readonly code: 'cannot-listen'; readonly message: string };

/**
 * Opens the console for browsers, other hosts and peers, on plain Node: `concord serve`.
 *
 * Nothing else listens than asked for: an address other than loopback needs TLS and at least one token in force.
 * Errors: those of `HeadlessError`; nothing listens and no replica was opened then.
 */
export async function openHeadless(
  options: HeadlessOptions,
  deps: { readonly surroundings: SystemSurroundings; readonly log: Log },
): Promise<Result<HeadlessHost, HeadlessError>> {
  const tls = readTls(options);
  if (!tls.ok) return tls;
  const opened = openApp(options, deps);
  if (!opened.ok) return opened;
  const app = opened.value;
  const listening = await listen(app, { options, tls: tls.value, ...deps });
  if (!listening.ok) {
    await app.close();
    return listening;
  }
  const server = listening.value;
  app.start(server.url);
  return ok({
    url: server.url,
    makeSignInLink: server.makeSignInLink,
    close: async () => {
      await server.close();
      await app.close();
    },
  });
}

function openApp(
  options: HeadlessOptions,
  { surroundings, log }: { readonly surroundings: SystemSurroundings; readonly log: Log },
): Result<ConsoleApp, HeadlessError> {
  const { nodeVersion, platform, homeDir, hostName } = surroundings;
  const { dataDir } = options;
  try {
    makeDataFolder(dataDir);
    const app = openConsoleApp({
      dataDir,
      exampleDir: exampleFolder(dataDir, surroundings),
      homeDir,
      info: { name: hostName, version: VERSION, kind: 'headless', nodeVersion, platform },
      ports: createSystemPorts(log),
      timers: systemTimers,
      seal: noSeal,
      forkProcess: forkNodeProcess,
    });
    return ok(app);
  } catch (cause) {
    log.error('host.data-folder-unusable', { dataDir, cause });
    const detail = cause instanceof Error ? cause.message : String(cause);
    const message = `The data folder ${dataDir} cannot be used (${detail}): mend it, or choose another with CONCORD_DATA.`;
    return err({ code: 'data-folder-unusable', message });
  }
}

interface Tls {
  readonly cert: string;
  readonly key: string;
}

function readTls({ host, tlsCertFile, tlsKeyFile }: HeadlessOptions): Result<Tls | null, HeadlessError> {
  if (tlsCertFile === null || tlsKeyFile === null) {
    if (isLoopback(host) && tlsCertFile === tlsKeyFile) return ok(null);
    const message = isLoopback(host)
      ? 'TLS needs both a certificate and its key: give --tls-cert and --tls-key.'
      : `${host} is reached from other machines, so it needs TLS: give --tls-cert and --tls-key, or listen on 127.0.0.1.`;
    return err({ code: 'tls-needed', message });
  }
  try {
    return ok({ cert: readFileSync(tlsCertFile, 'utf8'), key: readFileSync(tlsKeyFile, 'utf8') });
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    return err({
      code: 'tls-unreadable',
      message: `The certificate or key cannot be read (${detail}): check both paths.`,
    });
  }
}

async function listen(
  app: ConsoleApp,
  deps: {
    readonly options: HeadlessOptions;
    readonly tls: Tls | null;
    readonly surroundings: SystemSurroundings;
    readonly log: Log;
  },
): Promise<Result<HttpServer, HeadlessError>> {
  const { options, tls, surroundings, log } = deps;
  const isPublic = !isLoopback(options.host);
  if (isPublic && !app.tokens.list().some(({ id }) => app.tokens.isInForce(id))) {
    const message = `${options.host} is reached from other machines, so it needs a token: make one with "concord token create".`;
    return err({ code: 'token-needed', message });
  }
  const { clock, random } = createSystemPorts(log);
  const server = await openHttpServer(
    {
      host: options.host,
      port: options.port,
      names: isPublic ? [surroundings.hostName, ...surroundings.addresses] : [],
      tls,
      rendererDir: options.rendererDir ?? builtRendererDir(),
      operator: surroundings.user,
    },
    {
      rpcHost: app,
      feed: app.feed,
      metrics: app.metrics,
      handleSyncUpgrade: app.syncServer.handleUpgrade,
      tokens: app.tokens,
      clock,
      random,
      timers: systemTimers,
      log,
    },
  );
  return server.ok ? server : err(describeListenError(server.error));
}

function describeListenError(error: ListenError): HeadlessError {
  const { code, host, port } = error;
  if (code === 'port-in-use') {
    const message = `Port ${port} of ${host} is in use by another program: choose another with --port, or end that program.`;
    return { code, message };
  }
  return {
    code,
    message: `${host}:${port} cannot be listened on (${error.detail}): choose another address or port.`,
  };
}

/** Beside what the build made of this file; from source what the build made last. */
function builtRendererDir(): string {
  const here = fileURLToPath(new URL('.', import.meta.url));
  return import.meta.url.endsWith('.ts')
    ? join(here, '..', '..', 'out', 'renderer')
    : join(here, '..', 'renderer');
}
