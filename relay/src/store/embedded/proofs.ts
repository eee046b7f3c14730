import { STORE_LIMITS } from "../limits.ts";
import type { ProofStore } from "../store.ts";

/**
 * Create the proofs in memory: after a restart each token is proven once more. The oldest are dropped first.
 */
export function createProofs(now: () => number): ProofStore {
  const known = new Map<string, { text: string; expiresAt: number }>();
  return {
    async get(hash) {
      const entry = known.get(hash);
      if (entry === undefined) return undefined;
      if (entry.expiresAt > now()) return JSON.parse(entry.text);
      known.delete(hash);
      return undefined;
    },
    async put(hash, proof, expiresAt) {
      known.delete(hash);
      if (expiresAt <= now()) return;
      known.set(hash, { text: JSON.stringify(proof), expiresAt });
      const [oldest] = known.keys();
      if (known.size > STORE_LIMITS.proofs && oldest !== undefined) known.delete(oldest);
    },
    async drop(hash) {
      known.delete(hash);
    },
  };
}
