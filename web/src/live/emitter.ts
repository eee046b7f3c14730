/** Listeners of one kind of event. */
export interface Emitter<T> {
  emit(event: T): void;
  /** Call back with every event. @returns a function that unsubscribes */
  subscribe(listener: (event: T) => void): () => void;
}

export function createEmitter<T = void>(): Emitter<T> {
  const listeners = new Set<(event: T) => void>();
  return {
    emit(event) {
      for (const listener of [...listeners]) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
