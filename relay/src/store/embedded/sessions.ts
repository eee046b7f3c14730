import type { SessionStore } from "../store.ts";
import type { Durable } from "./durable.ts";

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
