import { createListeners } from '#main/peers/create-listeners.ts';
import type { WorkerEnd } from '#main/worker/worker-end.ts';
import type { FromWriter, ToWriter } from '#main/worker/worker-messages.ts';

export interface FakeWorker {
  readonly end: WorkerEnd<ToWriter, FromWriter>;
  /** What was sent to it, in order. */
  readonly heard: readonly ToWriter[];
  readonly say: (message: FromWriter) => void;
  readonly open: () => void;
  /** Answers the oldest call that was not answered yet. */
  readonly answer: (value: unknown) => void;
  readonly exit: (fault: string | null) => void;
}

/** A writer worker that does what a test says. A close ends it at once. */
export function createFakeWorker(): FakeWorker {
  const heard: ToWriter[] = [];
  const messages = createListeners<FromWriter>();
  const exits = createListeners<string | null>();
  let answered = 0;

  return {
    end: {
      send: (message) => {
        heard.push(message);
        if (message.kind === 'close') exits.tell(null);
      },
      onMessage: messages.add,
      onExit: exits.add,
      terminate: () => exits.tell(null),
    },
    heard,
    say: messages.tell,
    open: () => messages.tell({ kind: 'opened', opening: { attached: false, journalModeChanged: false } }),
    answer: (value) => {
      const calls = heard.filter((message) => message.kind === 'call');
      const call = calls[answered];
      if (call === undefined) throw new Error('Nothing waits for an answer.');
      answered += 1;
      messages.tell({ kind: 'answer', id: call.id, value });
    },
    exit: exits.tell,
  };
}
