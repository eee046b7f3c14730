import type { SessionStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { RedisKeys } from "./keys.ts";
import { asText } from "./reply.ts";

/** Create the store of the relay's own sessions in Redis, encrypted with the secret that all nodes share. */
export function createRedisSessions(connection: Connection, keys: RedisKeys): SessionStore {
  return {
    async get(accountId) {
      const encrypted = await connection.call("GET", keys.account(accountId).session);
      return encrypted === null ? null : asText(encrypted);
    },
    async put(accountId, encrypted) {
      await connection.call("SET", keys.account(accountId).session, encrypted);
    },
    async drop(accountId) {
      await connection.call("DEL", keys.account(accountId).session);
    },
  };
}
