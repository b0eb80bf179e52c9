/** Listeners to one thing: adding gives back what ends it. */
export interface ListenerSet<Message> {
  readonly add: (listener: (message: Message) => void) => () => void;
  readonly tell: (message: Message) => void;
}

export function createListenerSet<Message>(): ListenerSet<Message> {
  const listeners = new Set<(message: Message) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell: (message) => {
      for (const listener of listeners) listener(message);
    },
  };
}
