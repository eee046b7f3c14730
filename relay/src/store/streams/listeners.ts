/** Listeners of one source, called in the order of their registration. */
export interface Listeners<T> {
  /** Register a listener. Return the unsubscribe function. */
  add(listener: (value: T) => void): () => void;
  call(value: T): void;
  readonly size: number;
}

/** @param onError receives exceptions, so that one listener cannot stop the others */
export function createListeners<T>(onError: (error: unknown) => void): Listeners<T> {
  const listeners = new Set<{ listener: (value: T) => void }>();
  return {
    add(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    call(value) {
      for (const { listener } of listeners) {
        try {
          listener(value);
        } catch (error) {
          onError(error);
        }
      }
    },
    get size() {
      return listeners.size;
    },
  };
}
