/** Subscriptions of a keyed store: to one key, or to a topic over many keys, which counts its changes. */
export interface Topics<T extends string> {
  /** Return the number of changes of a topic. */
  version(topic: T): number;
  /** Call back after a change of the key or topic. */
  subscribe(keyOrTopic: string, listener: () => void): () => void;
  /** Count a change of each topic. */
  count(topics: Iterable<T>): void;
  /** Call the listeners of the keys and topics. */
  notify(keysOrTopics: Iterable<string>): void;
}

export function createTopics<T extends string>(): Topics<T> {
  const versions = new Map<T, number>();
  const listeners = new Map<string, Set<() => void>>();
  return {
    version: (topic) => versions.get(topic) ?? 0,
    subscribe(keyOrTopic, listener) {
      const set = listeners.get(keyOrTopic) ?? new Set();
      listeners.set(keyOrTopic, set);
      set.add(listener);
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(keyOrTopic) === set) listeners.delete(keyOrTopic);
      };
    },
    count(topics) {
      for (const topic of topics) versions.set(topic, (versions.get(topic) ?? 0) + 1);
    },
    notify(keysOrTopics) {
      for (const key of keysOrTopics) for (const listener of [...(listeners.get(key) ?? [])]) listener();
    },
  };
}
