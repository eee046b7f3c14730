import {
  isListedKind,
  LIVE_KINDS,
  type LiveEntry,
  type LiveKind,
  type LiveTopic,
  type LiveValues,
  sameListing,
  splitKey,
} from "./values.ts";

type Maps = { [K in LiveKind]: Map<string, LiveValues[K]> };

/** One flush: values to put, keys to take away. */
export interface StoreStep {
  readonly put: readonly LiveEntry[];
  readonly remove: readonly string[];
}

/**
 * What the farm is like now: plain maps outside React. A component subscribes to the one key that it draws, or
 * to a whole kind. A value is replaced, never changed, so that it stays the same object until it differs.
 */
export interface LiveStore {
  get<K extends LiveKind>(kind: K, id: string): LiveValues[K] | undefined;
  /** All values of a kind by id; the same map all the time, see {@link LiveStore.version}. */
  all<K extends LiveKind>(kind: K): ReadonlyMap<string, LiveValues[K]>;
  /** Counts the flushes that touched a kind, or what lists draw of it. */
  version(topic: LiveTopic): number;
  /** The ids of a kind; a new list only when one came or went. */
  ids(kind: LiveKind): readonly string[];
  /**
   * Called after a flush that changed the key, or with a bare kind (`sensor`) any key of it, or with
   * `sensor.listing` what lists draw of any: who there is, its info and its quality, not its readings.
   */
  subscribe(topic: string, listener: () => void): () => void;
  apply(step: StoreStep): void;
}

export function createLiveStore(): LiveStore {
  const maps: Maps = {
    farm: new Map(),
    sensor: new Map(),
    controller: new Map(),
    channel: new Map(),
    watering: new Map(),
    alarm: new Map(),
  };
  const versions = new Map<LiveTopic, number>();
  const ids = new Map<LiveKind, readonly string[]>(LIVE_KINDS.map((kind) => [kind, []]));
  const listeners = new Map<string, Set<() => void>>();

  const put = <K extends LiveKind>(entry: LiveEntry<K>): boolean => {
    const map = maps[entry.kind];
    const isNew = !map.has(entry.id);
    map.set(entry.id, entry.value);
    return isNew;
  };

  return {
    get: (kind, id) => maps[kind].get(id),
    all: (kind) => maps[kind],
    version: (topic) => versions.get(topic) ?? 0,
    ids: (kind) => ids.get(kind) ?? [],
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set);
      set.add(listener);
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic);
      };
    },
    apply(step) {
      const touched = new Set<LiveTopic>();
      const moved = new Set<LiveKind>();
      const topics = new Set<string>();
      for (const entry of step.put) {
        const before = maps[entry.kind].get(entry.id);
        if (put(entry)) moved.add(entry.kind);
        if (isListedKind(entry.kind) && !sameListing(before, entry.value)) {
          touched.add(`${entry.kind}.listing`);
        }
        touched.add(entry.kind);
        topics.add(`${entry.kind}:${entry.id}`);
      }
      for (const key of step.remove) {
        const part = splitKey(key);
        if (!part || !maps[part.kind].delete(part.id)) continue;
        moved.add(part.kind);
        touched.add(part.kind);
        if (isListedKind(part.kind)) touched.add(`${part.kind}.listing`);
        topics.add(key);
      }
      for (const kind of moved) ids.set(kind, [...maps[kind].keys()]);
      for (const topic of touched) {
        versions.set(topic, (versions.get(topic) ?? 0) + 1);
        topics.add(topic);
      }
      for (const topic of topics) for (const listener of [...(listeners.get(topic) ?? [])]) listener();
    },
  };
}
