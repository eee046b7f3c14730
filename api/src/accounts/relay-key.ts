import type { FastifyRequest } from "fastify";
import { ApiError } from "../http/api-error.ts";
import { hashSecret, isSecret } from "./key.ts";

/** Accept only calls with the key shared by API and relay, in the header `relayKey`. */
export function createRelayGate(relayKey: string): (request: FastifyRequest) => void {
  const keyHash = hashSecret(relayKey);
  return ({ headers }) => {
    const given = headers.relaykey;
    if (typeof given !== "string" || !isSecret(given, keyHash)) {
      throw new ApiError(401, "unauthorized", "the relay key is missing or wrong");
    }
  };
}
