import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WATCH_ENDS, type WatchEnd } from "@mulkko/shared/rest/watch";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { Static } from "typebox";
import Type from "typebox";
import type { SingleCollection } from "../store/collections.ts";

const SECRET_BYTES = 32;

/**
 * Return the relay's encryption secret: `RELAY_SECRET`, else one created at the first start in the relay's
 * folder, readable by its user only. Nodes that share a store need the same secret.
 */
export function relaySecret(given: string | undefined, folder: string): string {
  if (given !== undefined) return given;
  const file = join(folder, "secret");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  mkdirSync(folder, { recursive: true });
  const made = randomBytes(SECRET_BYTES).toString("base64url");
  writeFileSync(file, `${made}\n`, { mode: 0o600, flag: "wx" });
  return made;
}

/** Encrypt text that the relay stores outside its process, or sends to other nodes. */
export interface TokenCipher {
  encrypt(text: string): string;
  /** Decrypt a text; null if it was encrypted with another secret, or changed. */
  open(encrypted: string): string | null;
}

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Create the cipher.
 * @param secret `RELAY_SECRET`, the same on all nodes
 */
export function createTokenCipher(secret: string): TokenCipher {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "mulkko relay seal", KEY_BYTES));
  return {
    encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(encrypted) {
      const bytes = Buffer.from(encrypted, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString("utf8");
      } catch {
        // Another secret, or changed bytes: GCM fails alike for both.
        return null;
      }
    },
  };
}

const Pair = Type.Object({
  kind: Type.Literal("pair"),
  accessToken: Type.String(),
  /** Null if the API sent none: the session then lasts as long as its access token. */
  refreshToken: Nullable(Type.String()),
  /** Issue time of the access token, ms UTC. */
  issuedAt: Type.Number(),
  expiresAt: Type.Number(),
});
const Ended = Type.Object({
  kind: Type.Literal("ended"),
  why: Type.Enum([...WATCH_ENDS]),
});
/** Stored state of the relay's own session for an account: its tokens, or the reason why it ended. */
export const StoredSession = Type.Union([Pair, Ended]);
export type StoredSession = Static<typeof StoredSession>;
export type SessionPair = Static<typeof Pair>;

/** The relay's own sessions at a plain API, one an account (CRED-1 b): encrypted text. */
export const SESSIONS = {
  ...{ name: "session", shape: "single", value: Type.String(), plain: true, anyNode: true },
  sqlite: { table: "sessions", value: "sealed" },
  redis: { documents: "session" },
} as const satisfies SingleCollection;

export const endedSession = (why: WatchEnd): StoredSession => ({ kind: "ended", why });

export function encryptSession(cipher: TokenCipher, session: StoredSession): string {
  return cipher.encrypt(JSON.stringify(session));
}

/** Decrypt a stored session. One encrypted with another `RELAY_SECRET`, or invalid, counts as ended. */
export function openSession(cipher: TokenCipher, encrypted: string): StoredSession {
  const text = cipher.open(encrypted);
  const session = text === null ? null : parseJson(StoredSession, text);
  return session?.ok ? session.value : endedSession("secret-lost");
}
