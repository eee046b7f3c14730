import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
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
  if (!existsSync(template)) await makeTemplate(template);
  await cp(template, folder, { recursive: true });
}

/** Made apart and put in its place whole; one that stands there is never touched, as others copy it meanwhile. */
async function makeTemplate(template: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const own = `${template}.${process.pid}`;
  await createPgliteFolder(own);
  try {
    await rename(own, template);
  } catch (error) {
    const isTaken =
      error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "EEXIST");
    if (!isTaken) throw error;
    await rm(own, { recursive: true, force: true });
  }
}
