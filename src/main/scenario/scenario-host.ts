import type { HostCalls, FromHost, ToHost } from './host-calls.ts';
import { createMortality } from './create-mortality.ts';
import { openHostCalls } from './open-host-calls.ts';

// A host of one replica in a process of its own, for scenarios. It lives as long as the runner listens.
let calls: HostCalls | null = null;
let nowMs = 0;

process.on('message', (message: ToHost) => {
  nowMs = message.nowMs;
  if (message.kind === 'start') start(message);
  else void answer(message);
});
process.once('disconnect', () => process.exit(0));

function start({ spec }: Extract<ToHost, { kind: 'start' }>): void {
  const opened = openHostCalls(spec, { nowMs: () => nowMs, mortality: createMortality(die) });
  if (opened.ok) calls = opened.value;
  tell(opened.ok ? { kind: 'started' } : { kind: 'refused', message: opened.error.message });
}

/** As by kill -9: nothing of this process runs any more. */
function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('a process that has killed itself goes on');
}

async function answer({ id, call, args }: Extract<ToHost, { kind: 'call' }>): Promise<void> {
  try {
    if (calls === null) throw new Error('the host has no replica yet');
    // The runner's call was typed by the same interface.
    const work = calls[call] as (...given: readonly unknown[]) => Promise<unknown>;
    tell({ kind: 'answer', id, value: await work(...args) });
  } catch (cause) {
    tell({
      kind: 'threw',
      id,
      message: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    });
  }
}

function tell(message: FromHost): void {
  process.send?.(message);
}
