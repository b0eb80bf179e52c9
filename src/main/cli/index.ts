import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';

import { findDataFolder } from '../platform/data-folder.ts';
import { silentLog } from '../platform/json-lines-log.ts';
import { createSystemPorts } from '../platform/system-ports.ts';
import { runConcord } from './run-concord.ts';

// The `concord` program: hands the process over as a context, and its exit status back.
const { env, platform, stdout, stderr } = process;

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});

// A reader that has seen enough (`| head`) is no failure.
stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause;
});

process.exitCode = await runConcord(process.argv.slice(2), {
  // Under npm the process stands in the project; the user stands where they called npm.
  cwd: env['INIT_CWD'] ?? process.cwd(),
  dataDir: findDataFolder({ env, platform, homeDir: homedir() }),
  env,
  ports: createSystemPorts(silentLog),
  user: userInfo().username,
  version: readVersion(),
  output: {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    isTerminal: stderr.isTTY,
    width: stdout.isTTY ? stdout.columns : null,
  },
  interrupted,
});

function readVersion(): string {
  const text = readFileSync(
    new URL(
      import.meta.url.endsWith('.ts') ? '../../../package.json' : '../../package.json',
      import.meta.url,
    ),
    'utf8',
  );
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
