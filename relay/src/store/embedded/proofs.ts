import { LRUCache } from "lru-cache";
import { STORE_LIMITS } from "../limits.ts";
import type { ProofStore } from "../store.ts";

/**
 * Create the proofs in memory: after a restart each token is proven once more. The oldest are dropped first.
 */
export function createProofs(now: () => number): ProofStore {
  const known = new LRUCache<string, { text: string; expiresAt: number }>({ max: STORE_LIMITS.proofs });
  return {
    async get(hash) {
      const entry = known.get(hash);
      if (entry === undefined) return undefined;
      if (entry.expiresAt > now()) return JSON.parse(entry.text);
      known.delete(hash);
      return undefined;
    },
    async put(hash, proof, expiresAt) {
      if (expiresAt > now()) known.set(hash, { text: JSON.stringify(proof), expiresAt });
      else known.delete(hash);
    },
    async drop(hash) {
      known.delete(hash);
    },
  };
}
