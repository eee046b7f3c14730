import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../http/api-error.ts";

const KEY_BYTES = 16;

/** Create a device key: 128 random bits as 32 hex digits. Shown once, stored as a hash. */
export const newDeviceKey = (): string => randomBytes(KEY_BYTES).toString("hex");

export const hashSecret = (secret: string | Uint8Array): Buffer =>
  createHash("sha256").update(secret).digest();

/** Compare a secret with a stored SHA-256 in constant time. */
export function isSecret(given: string | Uint8Array, hash: Uint8Array): boolean {
  const other = hashSecret(given);
  return other.length === hash.length && timingSafeEqual(other, hash);
}

/** Accept only calls with the key shared by API and relay, in the header `relayKey`. */
export function createRelayKeyCheck(relayKey: string): (request: FastifyRequest) => void {
  const keyHash = hashSecret(relayKey);
  return ({ headers }) => {
    const given = headers.relaykey;
    if (typeof given !== "string" || !isSecret(given, keyHash)) {
      throw new ApiError(401, "unauthorized", "the relay key is missing or wrong");
    }
  };
}
