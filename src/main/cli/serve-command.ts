import { basename, extname, resolve } from 'node:path';

import { openHeadless } from '../open-headless.ts';
import { makeDataFolder } from '../platform/data-folder.ts';
import { createJsonLinesLog } from '../platform/json-lines-log.ts';
import { openLogFile } from '../platform/log-file.ts';
import { done, notUnderstood, refuse, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { openQuietReader } from './open-quiet-reader.ts';
import { registerReplicas, type NewMember } from './register-replicas.ts';
import type { AddSubcommand } from './subcommand.ts';

interface ServeOptions {
  readonly host: string;
  readonly port: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly json?: boolean;
}

/** `concord serve`: the console for browsers, other hosts and peers, until it is ended. */
export const addServeCommand: AddSubcommand = (program, run) => {
  program
    .command('serve')
    .argument('[file...]', 'replicas to take into the fleet of this host')
    .description('start a host: console in the browser, replicas for peers; ends with Ctrl-C')
    .option('--host <address>', 'where to listen; other than loopback needs TLS and a token', '127.0.0.1')
    .option('--port <port>', '0 takes a free one', '4021')
    .option('--tls-cert <path>', 'certificate, PEM')
    .option('--tls-key <path>', 'its key, PEM')
    .option('--json', 'one JSON document, once it listens')
    .action(async (files: readonly string[], options: ServeOptions) => {
      await run({}, async (context) => serve(context, files, options));
    });
};

const PORT_MAX = 65_535;

async function serve(
  context: CommandContext,
  files: readonly string[],
  options: ServeOptions,
): Promise<CommandResult> {
  const port = /^\d{1,5}$/.test(options.port) ? Number(options.port) : PORT_MAX + 1;
  if (port > PORT_MAX)
    return notUnderstood(`"${options.port}" is no port: write a number from 0 to ${PORT_MAX}.`);
  const members: NewMember[] = [];
  for (const file of files) {
    const path = resolve(context.cwd, file);
    const opened = openQuietReader(context, path);
    if (!opened.ok) return refuse(opened.error.code, opened.error.message);
    members.push({
      name: basename(file, extname(file)),
      group: null,
      path,
      site: opened.value.status().site,
    });
    opened.value.close();
  }
  if (members.length > 0) registerReplicas(context, members);
  return listen(context, { ...options, port });
}

async function listen(
  context: CommandContext,
  options: Omit<ServeOptions, 'port'> & { readonly port: number },
): Promise<CommandResult> {
  const { cwd, dataDir, surroundings, ports, output } = context;
  const inCwd = (path: string | undefined): string | null => (path === undefined ? null : resolve(cwd, path));
  makeDataFolder(dataDir);
  const log = createJsonLinesLog({ write: openLogFile(dataDir), nowMs: ports.clock.nowMs });
  const opened = await openHeadless(
    {
      dataDir,
      host: options.host,
      port: options.port,
      tlsCertFile: inCwd(options.tlsCert),
      tlsKeyFile: inCwd(options.tlsKey),
      rendererDir: null,
    },
    { surroundings, log },
  );
  if (!opened.ok) return refuse(opened.error.code, opened.error.message);
  const { url, makeSignInLink, close } = opened.value;
  const signInLink = makeSignInLink();
  output.out(
    options.json === true
      ? `${JSON.stringify({ url, signInLink }, null, 2)}\n`
      : `Sign in with this link, once: ${signInLink}\nConcord is ready at ${url}\n`,
  );
  await context.interrupted;
  await close();
  return done(null, '');
}
