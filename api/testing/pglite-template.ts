import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { knownMigrations, migrate, readMigration } from "../src/database/migrate.ts";
import { createPgliteFolder, openPglite } from "../src/database/pglite.ts";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/mulkko/", import.meta.url));
const pglite = createRequire(import.meta.url).resolve("@electric-sql/pglite");

/** Changes with the version of PGlite, which is part of pnpm's folder name. */
const version = /pglite@([\d.]+)/.exec(pglite)?.[1] ?? "unknown";

/** Copy an empty database into a folder from a template: creating one takes seconds. */
export const copyEmptyPglite = (folder: string): Promise<void> =>
  copyTemplate(folder, `${CACHE}pglite-${version}`, createPgliteFolder);

/** Copy a database with the tables of the newest schema: creating them is the slowest part of a start. */
export async function copyMigratedPglite(folder: string): Promise<void> {
  await copyTemplate(folder, `${CACHE}pglite-${version}-${await schemaHash()}`, async (fresh) => {
    await copyEmptyPglite(fresh);
    const database = await openPglite(fresh, () => undefined);
    await migrate(database);
    await database.close();
  });
}

/** Return a hash that changes with every change of the migrations. */
async function schemaHash(): Promise<string> {
  const hash = createHash("sha256");
  for (const { file } of await knownMigrations()) hash.update(await readMigration(file));
  return hash.digest("hex").slice(0, 12);
}

/**
 * Create the template in a temporary folder and move it into place; never change an existing one, because
 * others copy it meanwhile.
 */
async function copyTemplate(
  folder: string,
  template: string,
  make: (fresh: string) => Promise<void>,
): Promise<void> {
  if (!existsSync(template)) await makeTemplate(template, make);
  await cp(template, folder, { recursive: true });
}

async function makeTemplate(template: string, make: (fresh: string) => Promise<void>): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const own = `${template}.${process.pid}`;
  await rm(own, { recursive: true, force: true });
  await make(own);
  try {
    await rename(own, template);
  } catch (error) {
    const isTaken =
      error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "EEXIST");
    if (!isTaken) throw error;
    await rm(own, { recursive: true, force: true });
  }
}
