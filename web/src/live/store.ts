import { LIVE_KINDS, type LiveKind, type LiveValue, type LiveValues, splitKey } from "./values.ts";

type Maps = { [K in LiveKind]: Map<string, LiveValues[K]> };

/** One flush: values to put, keys to take away. */
export interface StoreStep {
  put: readonly (LiveValue & { id: string })[];
  remove: readonly string[];
}

/**
 * What the farm is like now: plain maps outside React. A component subscribes to the one key that it draws, or
 * to a whole kind; everything returned stays the same object until it changes.
 */
export interface LiveStore {
  get<K extends LiveKind>(kind: K, id: string): LiveValues[K] | undefined;
  /** All values of a kind, by id; a new map after each flush that touched the kind. */
  all<K extends LiveKind>(kind: K): ReadonlyMap<string, LiveValues[K]>;
  /** The ids of a kind; a new list only when one came or went. */
  ids(kind: LiveKind): readonly string[];
  /** Called after a flush that changed the key, or with a bare kind (`sensor`), any key of it. */
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
  };
  const ids = new Map<LiveKind, readonly string[]>(LIVE_KINDS.map((kind) => [kind, []]));
  const listeners = new Map<string, Set<() => void>>();

  /** Maps are copied on the first write of a flush, so that a reader's map never moves under it. */
  const owned = <K extends LiveKind>(kind: K, fresh: Set<LiveKind>): Maps[K] => {
    if (!fresh.has(kind)) {
      fresh.add(kind);
      Object.assign(maps, { [kind]: new Map<string, unknown>(maps[kind]) });
    }
    return maps[kind];
  };
  const put = (entry: LiveValue & { id: string }, fresh: Set<LiveKind>): void => {
    switch (entry.kind) {
      case "farm":
        owned("farm", fresh).set(entry.id, entry.value);
        break;
      case "sensor":
        owned("sensor", fresh).set(entry.id, entry.value);
        break;
      case "controller":
        owned("controller", fresh).set(entry.id, entry.value);
        break;
      case "channel":
        owned("channel", fresh).set(entry.id, entry.value);
        break;
      case "watering":
        owned("watering", fresh).set(entry.id, entry.value);
        break;
    }
  };

  return {
    get: (kind, id) => maps[kind].get(id),
    all: (kind) => maps[kind],
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
      const fresh = new Set<LiveKind>();
      const topics = new Set<string>();
      const moved = new Set<LiveKind>();
      for (const entry of step.put) {
        if (!maps[entry.kind].has(entry.id)) moved.add(entry.kind);
        put(entry, fresh);
        topics.add(`${entry.kind}:${entry.id}`).add(entry.kind);
      }
      for (const key of step.remove) {
        const part = splitKey(key);
        if (!part || !maps[part.kind].has(part.id)) continue;
        owned(part.kind, fresh).delete(part.id);
        moved.add(part.kind);
        topics.add(key).add(part.kind);
      }
      for (const kind of moved) ids.set(kind, [...maps[kind].keys()]);
      for (const topic of topics) for (const listener of [...(listeners.get(topic) ?? [])]) listener();
    },
  };
}
