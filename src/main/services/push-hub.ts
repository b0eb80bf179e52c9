import type { Push, Topic } from '#shared/api/envelope.ts';
import { createListeners } from '../peers/create-listeners.ts';
import type { Timers } from '../peers/timers.ts';
import { createGather } from './create-gather.ts';

export interface PushHub {
  /** Tells that something changed, soon; many changes of one thing in a short time are one push. */
  readonly push: (topic: Topic, ref?: string) => void;
  readonly onPush: (listener: (push: Push) => void) => () => void;
  readonly close: () => void;
}

/** Pages fetch again at each push: more often than this helps nobody. */
const GATHER_MS = 100;

/** Gathers what changed and tells it to everybody who listens. */
export function createPushHub(timers: Timers): PushHub {
  const listeners = createListeners<Push>();
  const gathered = new Map<string, Push>();
  const gather = createGather(timers, GATHER_MS, flush);

  return {
    push: (topic, ref) => {
      gathered.set(`${topic} ${ref ?? ''}`, { push: ref === undefined ? { topic } : { topic, ref } });
      gather.request();
    },
    onPush: listeners.add,
    close: gather.cancel,
  };

  function flush(): void {
    const pushes = [...gathered.values()];
    gathered.clear();
    for (const push of pushes) listeners.tell(push);
  }
}
