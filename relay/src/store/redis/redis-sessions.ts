import type { SessionStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { RedisKeys } from "./keys.ts";
import { asText } from "./reply.ts";

/** The relay's own sessions in Redis, sealed by the secret that all nodes share. */
export function createRedisSessions(connection: Connection, keys: RedisKeys): SessionStore {
  return {
    async get(accountId) {
      const sealed = await connection.call("GET", keys.account(accountId).session);
      return sealed === null ? null : asText(sealed);
    },
    async put(accountId, sealed) {
      await connection.call("SET", keys.account(accountId).session, sealed);
    },
    async drop(accountId) {
      await connection.call("DEL", keys.account(accountId).session);
    },
  };
}
