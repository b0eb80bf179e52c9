import { openHeadless } from './open-headless.ts';
import { findDataFolder } from './platform/data-folder.ts';
import { readHeadlessOptions } from './platform/headless-options.ts';
import { createJsonLinesLog } from './platform/json-lines-log.ts';
import { openLogFile } from './platform/log-file.ts';
import { readSystemSurroundings } from './platform/system-surroundings.ts';
import { systemClock } from './platform/system-clock.ts';

// Composition root for plain Node, as `npm start` starts it. The twin of index.ts: same app, other door.
const options = readHeadlessOptions(process.argv.slice(2));
if (options.ok) await start(options.value.dataDir, options.value);
else fail(options.error.message, 2);

async function start(
  givenDataDir: string | null,
  wish: Omit<Parameters<typeof openHeadless>[0], 'dataDir' | 'rendererDir'>,
): Promise<void> {
  const surroundings = readSystemSurroundings();
  const dataDir = givenDataDir ?? findDataFolder(surroundings);
  const log = createJsonLinesLog({ write: openLogFile(dataDir), nowMs: systemClock.nowMs });
  // What nobody caught ends the process all the same; the log says what it was.
  process.on('uncaughtExceptionMonitor', (cause) => log.error('process.died', { cause }));
  const opened = await openHeadless({ ...wish, dataDir, rendererDir: null }, { surroundings, log });
  if (!opened.ok) {
    fail(opened.error.message, 1);
    return;
  }
  const { url, makeSignInLink, close } = opened.value;
  process.stdout.write(`Sign in with this link, once: ${makeSignInLink()}\nConcord is ready at ${url}\n`);
  const end = (): void => {
    void close().then(() => process.exit(0));
  };
  process.once('SIGTERM', end).once('SIGINT', end);
}

function fail(message: string, status: number): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = status;
}
