import type { Timers } from "@mulkko/shared/rules/clock";

/** An object's kind and its id within the kind. */
export interface Place<K> {
  readonly kind: K;
  readonly id: string;
}

/** A value with its place. */
export type Entry<V, K extends keyof V = keyof V> = {
  [P in K]: { readonly kind: P; readonly id: string; readonly value: V[P] };
}[K];

/** One flush: values to set, keys to delete. */
export interface Step<V> {
  readonly put: readonly Entry<V>[];
  readonly remove: readonly string[];
}

/**
 * Values of a stream in plain maps outside React. A listener subscribes to one key, or to a topic over many
 * keys, such as a kind. Values are immutable: an unchanged value is the same object.
 */
export interface KeyedStore<V, T extends string> {
  get<K extends keyof V>(kind: K, id: string): V[K] | undefined;
  /** Return all values of a kind by id; always the same map, see its version. */
  all<K extends keyof V>(kind: K): ReadonlyMap<string, V[K]>;
  /** Return the ids of a kind; a new list only after one was added or removed. */
  ids(kind: keyof V): readonly string[];
  apply(step: Step<V>): void;
  /**
   * Parse and apply changed keys of a stream's copy; a key that it lacks is deleted, as is one whose value
   * does not match its schema. @returns the number of the latter
   */
  applyRaw(keys: Iterable<string>, copy: ReadonlyMap<string, RawValue>): number;
  /** Return the number of changes of a topic. */
  version(topic: T): number;
  /** Call back after a change of the key or topic. */
  subscribe(keyOrTopic: string, listener: () => void): () => void;
  /** Count a change of each topic, and call its listeners. */
  publish(topics: Iterable<T>): void;
}

/** A value as received, with its fields by name. */
export type RawValue = Readonly<Record<string, unknown>>;

export interface KeyedStoreOptions<V, T extends string> {
  /** Return the place of a key; null for a kind that the store does not hold. */
  readonly placeOf: (key: string) => Place<keyof V> | null;
  readonly keyOf: (place: Place<keyof V>) => string;
  /** Parse a value with the schema of its kind; null if it does not match. @param before the present value */
  readonly parse: (place: Place<keyof V>, raw: RawValue, before: V[keyof V] | undefined) => Entry<V> | null;
  /** Return the topics that a change concerns. A value is undefined before its arrival and after its deletion. */
  readonly topicsOf: (
    kind: keyof V,
    before: V[keyof V] | undefined,
    value: V[keyof V] | undefined,
  ) => readonly T[];
  /** Least interval between two changes of topics, ms; those of keys are immediate. Default: none. */
  readonly pace?: { readonly timers: Timers; readonly everyMs: number };
}

/** @param maps an empty map for each kind */
export function createKeyedStore<V, T extends string>(
  maps: { [K in keyof V]: Map<string, V[K]> },
  { placeOf, keyOf, parse, topicsOf, pace }: KeyedStoreOptions<V, T>,
): KeyedStore<V, T> {
  const listeners = new Map<string, Set<() => void>>();
  const versions = new Map<T, number>();
  const idLists = new Map<keyof V, readonly string[]>();
  /** Changed topics that wait for the end of the interval. */
  const due = new Set<T>();
  let isPausing = false;

  const notify = (keysOrTopics: Iterable<string>) => {
    for (const each of keysOrTopics) for (const listener of [...(listeners.get(each) ?? [])]) listener();
  };
  const publishDue = () => {
    isPausing = pace !== undefined && due.size > 0;
    if (isPausing) pace?.timers.after(pace.everyMs, publishDue);
    const topics = [...due];
    due.clear();
    for (const topic of topics) versions.set(topic, (versions.get(topic) ?? 0) + 1);
    notify(topics);
  };
  const publish = (topics: Iterable<T>) => {
    for (const topic of topics) due.add(topic);
    if (!isPausing) publishDue();
  };
  const put = <K extends keyof V>({ kind, id, value }: Entry<V, K>) => {
    const map = maps[kind];
    const before = map.get(id);
    if (before === undefined) idLists.delete(kind);
    map.set(id, value);
    return topicsOf(kind, before, value);
  };
  const remove = <K extends keyof V>({ kind, id }: Place<K>) => {
    const map = maps[kind];
    const before = map.get(id);
    if (!map.delete(id)) return null;
    idLists.delete(kind);
    return topicsOf(kind, before, undefined);
  };
  const apply = (step: Step<V>) => {
    const keys = new Set<string>();
    const changed = new Set<T>();
    for (const entry of step.put) {
      keys.add(keyOf(entry));
      for (const topic of put(entry)) changed.add(topic);
    }
    for (const key of step.remove) {
      const place = placeOf(key);
      const topics = place && remove(place);
      if (!topics) continue;
      keys.add(key);
      for (const topic of topics) changed.add(topic);
    }
    notify(keys);
    publish(changed);
  };

  return {
    get: (kind, id) => maps[kind].get(id),
    all: (kind) => maps[kind],
    ids(kind) {
      const ids = idLists.get(kind) ?? [...maps[kind].keys()];
      idLists.set(kind, ids);
      return ids;
    },
    apply,
    applyRaw(keys, copy) {
      const put: Entry<V>[] = [];
      const remove: string[] = [];
      let rejected = 0;
      for (const key of keys) {
        const place = placeOf(key);
        if (!place) continue;
        const raw = copy.get(key);
        const entry = raw && parse(place, raw, maps[place.kind].get(place.id));
        if (entry) put.push(entry);
        else remove.push(key);
        if (raw && !entry) rejected += 1;
      }
      apply({ put, remove });
      return rejected;
    },
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
    publish,
  };
}
