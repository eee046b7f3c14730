import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

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
