import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runNodeQuietly } from "../process/run-node.ts";
import { sourcesHash } from "./sources-hash.ts";

/** Hash of the sources of the last build. It is not stored in the build, which would serve it. */
const MARK = "node_modules/.cache/mulkko/web-build";

const markOf = async (root: string): Promise<string | null> => {
  const file = join(root, MARK);
  return existsSync(file) ? readFile(file, "utf8") : null;
};

/**
 * Build the client into `web/dist` with Vite.
 *
 * @param says false where the output is a log
 * @throws Error when Vite fails
 */
export const buildWeb = async (root: string, says = true): Promise<void> => {
  const hash = await sourcesHash(root);
  if (says) console.info("Building the web client.");
  // Vite and its plugins print every file of the build, the worker's build at any log level.
  const code = await runNodeQuietly(["node_modules/vite/bin/vite.js", "build"], join(root, "web"));
  if (code !== 0) throw new Error(`The web client could not be built: Vite ended with ${code}.`);
  await mkdir(dirname(join(root, MARK)), { recursive: true });
  await writeFile(join(root, MARK), hash);
};

/** Build the client unless `web/dist` is a build of exactly these sources. @param says false where the output is a log */
export const buildWebIfNeeded = async (root: string, says = true): Promise<void> => {
  const isBuilt = existsSync(join(root, "web/dist/index.html"));
  if (isBuilt && (await markOf(root)) === (await sourcesHash(root))) return;
  await buildWeb(root, says);
};
