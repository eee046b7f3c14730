/** Listeners of one thing, called in the order in which they came. */
export interface Listeners<T> {
  /** Returns how to stop. */
  add(listener: (value: T) => void): () => void;
  call(value: T): void;
  readonly size: number;
}

/** @param onError takes what a listener throws, so that one cannot keep the others from hearing */
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
