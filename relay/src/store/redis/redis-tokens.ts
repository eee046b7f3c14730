import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { readJson } from "../json.ts";
import type { ProofStore, SessionStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { RedisKeys } from "./keys.ts";
import { asText } from "./script.ts";

const Entry = Type.Object({ expiresAt: Type.Number(), proof: Type.Unknown() });

/**
 * Create the proofs in Redis: a token is proven once for all nodes, and Redis itself deletes expired proofs.
 */
export function createRedisProofs(connection: Connection, keys: RedisKeys, now: () => number): ProofStore {
  return {
    async get(hash) {
      const entry = parse(Entry, readJson(await connection.call("GET", keys.proof(hash))));
      return entry.ok && entry.value.expiresAt > now() ? entry.value.proof : undefined;
    },
    async put(hash, proof, expiresAt) {
      const left = Math.ceil(expiresAt - now());
      if (left <= 0) return;
      await connection.call("SET", keys.proof(hash), JSON.stringify({ expiresAt, proof }), "PX", left);
    },
    async drop(hash) {
      await connection.call("DEL", keys.proof(hash));
    },
  };
}

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
