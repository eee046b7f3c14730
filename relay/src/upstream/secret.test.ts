import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relaySecret } from "./token-cipher.ts";

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
