import { createHash, randomBytes, randomInt } from "node:crypto";
import { CODE_LENGTH, CODE_LETTERS, DISPLAY_TOKEN_PREFIX } from "@mulkko/shared/rest/displays";

/** Bytes of a token, and of an unpaired screen's secret: 256 random bits. */
const SECRET_BYTES = 32;

/** The random values of pairing. */
export interface PairingRandom {
  code(): string;
  secret(): string;
}

export const systemRandom: PairingRandom = {
  code: () =>
    Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))).join(""),
  secret: () => randomBytes(SECRET_BYTES).toString("base64url"),
};

/** Parse a typed code: lower case, with blanks or a hyphen. Return null for an invalid one. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, "");
  const isCode = code.length === CODE_LENGTH && [...code].every((letter) => CODE_LETTERS.includes(letter));
  return isCode ? code : null;
}

export const isDisplayToken = (token: string): boolean => token.startsWith(DISPLAY_TOKEN_PREFIX);

/**
 * Return the stored hash of a secret. The secret is fully random, so a fast hash is as good as a slow one.
 */
export const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");
