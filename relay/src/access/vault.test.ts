import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTokenCipher, relaySecret } from "./vault.ts";

const secret = "a-secret-of-the-relay-0123456789";

test("[CRED-1] an encrypted text is decrypted unchanged, and reveals nothing", () => {
  const { encrypt, open } = createTokenCipher(secret);
  const encrypted = encrypt("토큰 token-of-kim");
  expect(open(encrypted)).toBe("토큰 token-of-kim");
  expect(Buffer.from(encrypted, "base64url").toString("latin1")).not.toContain("token");
  expect(encrypt("same")).not.toBe(encrypt("same"));
});

test("[CRED-1] another secret, a changed byte and a truncated text are refused", () => {
  const { encrypt, open } = createTokenCipher(secret);
  const encrypted = encrypt("token");
  expect(createTokenCipher(`${secret}x`).open(encrypted)).toBeNull();
  const bytes = Buffer.from(encrypted, "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(open(changed.toString("base64url"))).toBeNull();
  }
  expect(open(encrypted.slice(0, 10))).toBeNull();
  expect(open("")).toBeNull();
});

test("[CRED-1] creates the secret at the first start, keeps it, and makes it readable for its user only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-secret-"));
  const relay = join(folder, "relay");
  const made = relaySecret(undefined, relay);
  expect(made.length).toBeGreaterThanOrEqual(43);
  expect(relaySecret(undefined, relay)).toBe(made);
  expect((await stat(join(relay, "secret"))).mode & 0o077).toBe(0);
  expect(relaySecret("given-by-hand", relay)).toBe("given-by-hand");
  await rm(folder, { recursive: true });
});
