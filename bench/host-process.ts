import { readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { openHeadless } from '#main/open-headless.ts';
import { silentLog } from '#main/platform/json-lines-log.ts';
import { readSystemSurroundings } from '#main/platform/system-surroundings.ts';
import type { FromHost, ToHost } from './host-messages.ts';

// A headless host in a process of its own, as `concord serve` starts it, that tells of its memory and its main thread.

const DELAY_RESOLUTION_MS = 1;

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('The data folder is missing.');
const opened = await openHeadless(
  { dataDir, host: '127.0.0.1', port: 0, tlsCertFile: null, tlsKeyFile: null, rendererDir: null },
  { surroundings: readSystemSurroundings(), log: silentLog },
);
if (!opened.ok) throw new Error(opened.error.message);
const host = opened.value;
const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
delay.enable();
const turns = watchTurns();

const tell = (message: FromHost): void => void process.send?.(message);

process.on('message', (message: ToHost) => {
  switch (message) {
    case 'begin':
      forgetPeak();
      delay.reset();
      turns.forget();
      tell({ kind: 'gauges', gauges: readGauges() });
      return;
    case 'read':
      tell({ kind: 'gauges', gauges: readGauges() });
      return;
    case 'end':
      void host.close().then(() => process.exit(0));
  }
});
tell({ kind: 'ready', url: host.url });

function readGauges(): Extract<FromHost, { readonly kind: 'gauges' }>['gauges'] {
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: memoryOf('VmRSS') ?? process.memoryUsage.rss(),
    peakBytes: memoryOf('VmHWM') ?? process.resourceUsage().maxRSS * 1_024,
    longestStallMs: delay.max / 1_000_000,
    longestTurnMs: turns.longestMs(),
    cpuSeconds: (user + system) / 1_000_000,
  };
}

/**
 * How much this thread works between two ticks of a timer. A machine that is busy with others makes it stand still, and not
 * work: unlike the delay of its turns this is the host's own doing.
 */
function watchTurns(): { readonly longestMs: () => number; readonly forget: () => void } {
  const workedMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let last = workedMs();
  let longest = 0;
  setInterval(() => {
    const now = workedMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, DELAY_RESOLUTION_MS).unref();
  return {
    longestMs: () => longest,
    forget: () => {
      longest = 0;
    },
  };
}

/** A figure of Linux about this process, in bytes; null elsewhere. */
function memoryOf(name: 'VmRSS' | 'VmHWM'): number | null {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'));
    return found?.[1] === undefined ? null : Number(found[1]) * 1_024;
  } catch {
    return null;
  }
}

/** Linux lets the peak begin anew; elsewhere it counts from the start of the process. */
function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // The peak is then one of before too: more, never less.
  }
}
