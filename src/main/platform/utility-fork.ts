import { fileURLToPath } from 'node:url';

import type { UtilityProcess } from 'electron';

import type { ForkProcess, ProcessEnd } from '../worker/process-end.ts';

/**
 * Starts our files as processes of Electron, which lets none of its own be forked the way of Node.
 *
 * `killNow` ends a process in the middle of a statement; Electron's own `kill` asks first.
 */
export function createUtilityFork(deps: {
  readonly fork: (path: string) => UtilityProcess;
  readonly killNow: (pid: number) => void;
}): ForkProcess {
  return <Out extends object, In>(file: URL): ProcessEnd<Out, In> => {
    const child = deps.fork(fileURLToPath(file));
    return {
      send: (message) => child.postMessage(message),
      // The file at the other end is ours and sends nothing else.
      onMessage: (listener) => void child.on('message', (message: In) => listener(message)),
      onExit: (listener) => void child.on('exit', () => listener()),
      kill: () => {
        if (child.pid === undefined) child.kill();
        else deps.killNow(child.pid);
      },
    };
  };
}
