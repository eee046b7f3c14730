import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";

const DeviceKeys = Type.Record(Type.String(), Type.String());

/** Return the key with which a device of the demo farm signs in at the broker. */
export async function deviceKey(dataDir: string, serial: number): Promise<string> {
  const file = join(dataDir, "demo-keys.json");
  const keys = parseJson(DeviceKeys, await readFile(file, "utf8"));
  if (!keys.ok) throw new Error(`${file} ${keys.path} ${keys.message}`);
  const key = keys.value[String(serial)];
  if (key === undefined) throw new Error(`${file} has no key for ${serial}`);
  return key;
}
