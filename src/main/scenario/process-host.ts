import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { createPendingCalls } from '../worker/pending-calls.ts';
import {
  HOST_CALLS,
  HOST_ENDED,
  type FromHost,
  type HostSpec,
  type ScenarioHost,
  type ToHost,
} from './host-calls.ts';

/**
 * Starts a host in a process of its own, so that it can die as by kill -9 and be a WebSocket apart.
 *
 * Rejects when the replica cannot be opened, with the sentence as the message. Calls that wait when the
 * process dies reject.
 */
export async function startProcessHost(
  spec: HostSpec,
  options: { readonly nowMs: () => number },
): Promise<ScenarioHost> {
  const child = fork(hostFile(), {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const calls = createPendingCalls();
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      calls.end(HOST_ENDED);
      resolve();
    });
  });
  child.on('message', (message: FromHost) => {
    if (message.kind === 'answer') calls.answer(message.id, message.value);
    if (message.kind === 'threw') calls.fail(message.id, new Error(message.message));
  });
  await started(child, { kind: 'start', spec, nowMs: options.nowMs() });

  const ask = (call: (typeof HOST_CALLS)[number], args: readonly unknown[]): Promise<unknown> =>
    calls.ask((id) => tell(child, { kind: 'call', id, call, args, nowMs: options.nowMs() }));
  // The other end answers each call with what HostCalls promises for it.
  const remote = Object.fromEntries(
    HOST_CALLS.map((call) => [call, (...args: readonly unknown[]) => ask(call, args)]),
  ) as unknown as ScenarioHost;
  return {
    ...remote,
    close: async () => {
      await remote.close();
      child.disconnect();
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function started(child: ChildProcess, start: ToHost): Promise<void> {
  const answer = new Promise<FromHost>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the host ended at once, with status ${String(code)}`)));
    child.once('error', reject);
  });
  tell(child, start);
  const message = await answer;
  if (message.kind !== 'refused') return;
  child.kill('SIGKILL');
  throw new Error(message.message);
}

function tell(child: ChildProcess, message: ToHost): void {
  if (child.connected) child.send(message);
}

/** Beside this file: as source while developing and testing, else as the build made it. */
function hostFile(): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`./scenario-host.${extension}`, import.meta.url));
}
