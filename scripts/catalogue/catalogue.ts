import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ColumnsOfField } from "./reading-columns.ts";

export const CATALOGUE = "shared/src/catalogue";

const FIELD = /^ {2}\w+: field\("(\w+)"(.*)$/gm;
const TYPE = /\btype: "(\w+)"/g;

/** Return the fields of the catalogue, as they are written in `fields.ts`. */
export async function readFields(root: string): Promise<ColumnsOfField[]> {
  const text = await readFile(join(root, CATALOGUE, "fields.ts"), "utf8");
  return [...text.matchAll(FIELD)].map(([, name = "", rest = ""]) => ({
    name,
    circular: rest.includes("circular: true"),
  }));
}

/** Return the names of the device types, one file each. */
export async function readTypes(root: string): Promise<string[]> {
  const folder = join(root, CATALOGUE, "types");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const names = await Promise.all(
    files.map(async (file) =>
      [...(await readFile(join(folder, file), "utf8")).matchAll(TYPE)].map(([, name = ""]) => name),
    ),
  );
  return names.flat();
}
