import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { newDeviceKey } from "../accounts/key.ts";

const FILE = "demo-keys.json";
const Keys = Type.Record(Type.String(), Type.String({ pattern: "^[0-9a-f]{32}$" }));

/** Return the demo devices' keys by serial, from a file that only its owner can read; create missing ones. */
export async function demoKeys(
  folder: string,
  serials: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const file = join(folder, FILE);
  const stored = existsSync(file) ? parseJson(Keys, await readFile(file, "utf8")) : undefined;
  const known = stored?.ok ? stored.value : {};
  const keys = new Map(serials.map((serial) => [serial, known[String(serial)] ?? newDeviceKey()]));
  await writeFile(`${file}.new`, `${JSON.stringify(Object.fromEntries(keys), null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return keys;
}
