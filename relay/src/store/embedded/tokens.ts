import { LRUCache } from "lru-cache";
import { STORE_LIMITS } from "../limits.ts";
import type { ProofStore, SessionStore } from "../store.ts";
import type { Durable } from "./durable.ts";

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

/** Create the store of the relay's own sessions in the SQLite file. */
export function createSessions(durable: Durable): SessionStore {
  return {
    async get(accountId) {
      const row = durable.get("SELECT sealed FROM sessions WHERE account = ?", accountId);
      return typeof row?.sealed === "string" ? row.sealed : null;
    },
    async put(accountId, encrypted) {
      durable.write([["INSERT OR REPLACE INTO sessions VALUES (?, ?)", accountId, encrypted]]);
    },
    async drop(accountId) {
      durable.write([["DELETE FROM sessions WHERE account = ?", accountId]]);
    },
  };
}
