import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sourcesHash } from "./sources-hash.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "mulkko-build-"));
  for (const folder of ["web/src/app", "web/dist", "web/build", "shared/src"])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, "web/src/app/root.tsx"), "one");
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe("the hash of the client's sources", () => {
  it.each([
    "web/src/app/root.tsx",
    "web/index.html",
    "web/vite.config.ts",
    "web/build/wall-page.ts",
    "shared/src/rules.ts",
  ])("[start] changes with %s, so that the client is built again", async (file) => {
    const before = await sourcesHash(root);
    await writeFile(join(root, file), "two");
    expect(await sourcesHash(root)).not.toBe(before);
  });

  it("[start] changes when a file is renamed", async () => {
    const before = await sourcesHash(root);
    await rename(join(root, "web/src/app/root.tsx"), join(root, "web/src/app/main.tsx"));
    expect(await sourcesHash(root)).not.toBe(before);
  });

  it("[start] stays the same when only the build has changed", async () => {
    const before = await sourcesHash(root);
    await writeFile(join(root, "web/dist/index.html"), "built");
    expect(await sourcesHash(root)).toBe(before);
  });
});
