import { createTopics, type Topics } from "./topics.ts";
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

/** One flush: values to set, keys to delete. */
export interface StoreStep {
  readonly put: readonly LiveEntry[];
  readonly remove: readonly string[];
}

/**
 * Current state of the farm: plain maps outside React. A component subscribes to one key or to a whole kind.
 * Values are immutable: an unchanged value is the same object. A bare kind (`sensor`) covers all its keys;
 * `sensor.listing` covers keys, info and quality, not readings.
 */
export interface LiveStore extends Pick<Topics<LiveTopic>, "version" | "subscribe"> {
  get<K extends LiveKind>(kind: K, id: string): LiveValues[K] | undefined;
  /** Return all values of a kind by id; always the same map, see its version. */
  all<K extends LiveKind>(kind: K): ReadonlyMap<string, LiveValues[K]>;
  /** Return the ids of a kind; a new list only after one was added or removed. */
  ids(kind: LiveKind): readonly string[];
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
  const topics = createTopics<LiveTopic>();
  const ids = new Map<LiveKind, readonly string[]>(LIVE_KINDS.map((kind) => [kind, []]));

  const put = <K extends LiveKind>(entry: LiveEntry<K>): boolean => {
    const map = maps[entry.kind];
    const isNew = !map.has(entry.id);
    map.set(entry.id, entry.value);
    return isNew;
  };

  return {
    get: (kind, id) => maps[kind].get(id),
    all: (kind) => maps[kind],
    version: topics.version,
    subscribe: topics.subscribe,
    ids: (kind) => ids.get(kind) ?? [],
    apply(step) {
      const changed = new Set<LiveTopic>();
      const moved = new Set<LiveKind>();
      const keys: string[] = [];
      for (const entry of step.put) {
        const before = maps[entry.kind].get(entry.id);
        if (put(entry)) moved.add(entry.kind);
        if (isListedKind(entry.kind) && !sameListing(before, entry.value)) {
          changed.add(`${entry.kind}.listing`);
        }
        changed.add(entry.kind);
        keys.push(`${entry.kind}:${entry.id}`);
      }
      for (const key of step.remove) {
        const part = splitKey(key);
        if (!part || !maps[part.kind].delete(part.id)) continue;
        moved.add(part.kind);
        changed.add(part.kind);
        if (isListedKind(part.kind)) changed.add(`${part.kind}.listing`);
        keys.push(key);
      }
      for (const kind of moved) ids.set(kind, [...maps[kind].keys()]);
      topics.count(changed);
      topics.notify(new Set([...keys, ...changed]));
    },
  };
}
