import { createHash, randomBytes, randomInt } from "node:crypto";
import { CODE_LENGTH, CODE_LETTERS, DISPLAY_TOKEN_PREFIX } from "@mulkko/shared/rest/displays";

/** Bytes of a token, and of what an unpaired screen proves itself with: 256 random bits. */
const SECRET_BYTES = 32;

/** What pairing draws by lot. */
export interface Lots {
  code(): string;
  secret(): string;
}

export const systemLots: Lots = {
  code: () =>
    Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))).join(""),
  secret: () => randomBytes(SECRET_BYTES).toString("base64url"),
};

/** A code as people type it: in small letters, with blanks or a hyphen. Null for what is none. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, "");
  const isCode = code.length === CODE_LENGTH && [...code].every((letter) => CODE_LETTERS.includes(letter));
  return isCode ? code : null;
}

export const isDisplayToken = (token: string): boolean => token.startsWith(DISPLAY_TOKEN_PREFIX);

/** What is kept of a secret. It is random through and through, so that a fast hash is as good as a slow one. */
export const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");
