import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** All files that the built client depends on. */
const SOURCES = [
  "web/src/**/*",
  "web/public/**/*",
  "web/build/*.ts",
  "web/worker/*.ts",
  "web/*.{html,json,ts}",
  "shared/src/**/*.ts",
  "pnpm-lock.yaml",
];

/** Return one hash over names and contents of the client's sources. */
export const sourcesHash = async (root: string): Promise<string> => {
  const hash = createHash("sha256");
  const entries = globSync(SOURCES, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  for (const file of files) hash.update(file.slice(root.length)).update(await readFile(file));
  return hash.digest("hex");
};
