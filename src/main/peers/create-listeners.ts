export interface Listeners<T> {
  /** The answer takes the listener off again. */
  readonly add: (listener: (value: T) => void) => () => void;
  /** Tells those that listen at this moment; who leaves meanwhile is still told. */
  readonly tell: (value: T) => void;
  readonly size: () => number;
}

/** A list of listeners that holds no past: who comes late hears only what is told afterwards. */
export function createListeners<T>(): Listeners<T> {
  const listeners = new Set<{ readonly hear: (value: T) => void }>();

  return {
    add: (listener) => {
      // An entry of its own, so that one function may listen twice.
      const entry = { hear: listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    tell: (value) => {
      for (const entry of [...listeners]) entry.hear(value);
    },
    size: () => listeners.size,
  };
}
