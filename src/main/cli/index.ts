#!/usr/bin/env node
import { findDataFolder } from '../platform/data-folder.ts';
import { silentLog } from '../platform/json-lines-log.ts';
import { createSystemPorts } from '../platform/system-ports.ts';
import { readSystemSurroundings } from '../platform/system-surroundings.ts';
import { VERSION } from '../platform/version.ts';
import { runConcord } from './run-concord.ts';

// The `concord` program: hands the process over as a context, and its exit status back.
const { stdout, stderr } = process;
const surroundings = readSystemSurroundings();

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});

// A reader that has seen enough (`| head`) is no failure.
stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause;
});

process.exitCode = await runConcord(process.argv.slice(2), {
  // Under npm the process stands in the project; the user stands where they called npm.
  cwd: surroundings.env['INIT_CWD'] ?? process.cwd(),
  dataDir: findDataFolder(surroundings),
  surroundings,
  ports: createSystemPorts(silentLog),
  version: VERSION,
  output: {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    isTerminal: stderr.isTTY,
    width: stdout.isTTY ? stdout.columns : null,
  },
  interrupted,
});
