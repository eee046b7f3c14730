import type { FastifyRequest } from "fastify";
import { hashSecret, isSecret } from "../../devices/device-key.ts";
import { ApiError } from "../../http/api-error.ts";

/** Lets only calls pass that bear the key that API and relay share, in the header `relayKey`. */
export function createRelayGate(relayKey: string): (request: FastifyRequest) => void {
  const keyHash = hashSecret(relayKey);
  return ({ headers }) => {
    const given = headers.relaykey;
    if (typeof given !== "string" || !isSecret(given, keyHash)) {
      throw new ApiError(401, "unauthorized", "the relay key is missing or wrong");
    }
  };
}
