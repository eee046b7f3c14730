import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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
