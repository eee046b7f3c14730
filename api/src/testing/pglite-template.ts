import { cp, mkdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { createPgliteFolder } from "../database/pglite.ts";

const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/mulkko/", import.meta.url));
const pglite = createRequire(import.meta.url).resolve("@electric-sql/pglite");

/** Changes with the version of PGlite, whose folder pnpm names. */
const version = /pglite@([\d.]+)/.exec(pglite)?.[1] ?? "unknown";

/** Fills a folder with an empty database, copied from one that is made once: that takes seconds. */
export async function copyEmptyPglite(folder: string): Promise<void> {
  const template = `${CACHE}pglite-${version}`;
  await mkdir(CACHE, { recursive: true });
  try {
    await createPgliteFolder(template);
  } catch (error) {
    // Another test file was first.
    const isTaken = error instanceof Error && "code" in error && error.code === "ENOTEMPTY";
    if (!isTaken) throw error;
    await rm(`${template}.${process.pid}.new`, { recursive: true, force: true });
  }
  await cp(template, folder, { recursive: true });
}
