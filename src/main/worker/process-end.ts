import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The main thread's end of a process that can be killed. */
export interface ProcessEnd<Out, In> {
  readonly send: (message: Out) => void;
  readonly onMessage: (listener: (message: In) => void) => void;
  readonly onExit: (listener: () => void) => void;
  /** At once, in the middle of whatever it does. */
  readonly kill: () => void;
}

/** Starts one of our files as a process. Electron has another way to than Node. */
export type ForkProcess = <Out extends object, In>(file: URL) => ProcessEnd<Out, In>;

/** Starts it with Node's own fork. It ends with this process. */
export const forkNodeProcess: ForkProcess = <Out extends object, In>(file: URL) => {
  const child = fork(fileURLToPath(file), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // A query in flight keeps nobody from ending.
  child.unref();
  child.channel?.unref();
  return createChildEnd<Out, In>(child);
};

function createChildEnd<Out extends object, In>(child: ChildProcess): ProcessEnd<Out, In> {
  // Without a listener a failed fork would end this process; `exit` does not come then.
  let gone: () => void = () => undefined;
  child.on('error', () => gone());
  return {
    send: (message) => void child.send(message),
    // The file at the other end is ours and sends nothing else.
    onMessage: (listener) => void child.on('message', (message) => listener(message as In)),
    onExit: (listener) => {
      gone = once(listener);
      child.on('exit', gone);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function once(listener: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    listener();
  };
}
