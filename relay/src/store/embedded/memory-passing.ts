import { parse } from "@mulkko/shared/schema/parse";
import { LRUCache } from "lru-cache";
import type { Store } from "../store.ts";

interface Entry {
  readonly text: string;
  /** Store time, ms UTC. */
  readonly expiresAt: number;
}

/**
 * Create the passing documents in memory. A restart loses them, and beyond the number of their collection the
 * oldest are dropped first.
 * @param now store time, ms UTC
 */
export function createMemoryPassing(now: () => number): Store["passing"] {
  const collections = new Map<string, LRUCache<string, Entry>>();
  return (of) => {
    const entries = collections.get(of.name) ?? new LRUCache<string, Entry>({ max: of.atMost });
    collections.set(of.name, entries);
    return {
      async get(key) {
        const entry = entries.get(key);
        if (entry === undefined) return undefined;
        if (entry.expiresAt > now()) return parse(of.value, JSON.parse(entry.text));
        entries.delete(key);
        return undefined;
      },
      async put(key, value, expiresAt) {
        if (expiresAt > now()) entries.set(key, { text: JSON.stringify(value), expiresAt });
        else entries.delete(key);
      },
      async drop(key) {
        entries.delete(key);
      },
    };
  };
}
