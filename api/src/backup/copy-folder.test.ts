import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createFolderCopy } from "./snapshot.ts";

const root = await mkdtemp(join(tmpdir(), "mulkko-copy-"));
afterAll(() => rm(root, { recursive: true, force: true }));

test("[backup] the second pass copies what was changed, added and removed since the first", async () => {
  const [from, to] = [join(root, "from"), join(root, "to")];
  const put = (path: string, text: string) => writeFile(join(from, path), text);
  await mkdir(join(from, "deep/empty"), { recursive: true });
  for (const path of ["same", "changed", "deep/gone"]) await put(path, "1");
  const copy = createFolderCopy(from, to);
  await copy.copyChanges();
  // Same length, and within one tick of a coarse clock.
  await put("changed", "2");
  await put("deep/new", "3");
  await rm(join(from, "deep/gone"));
  await copy.copyChanges();
  const textOf = (path: string) => readFile(join(to, path), "utf8").catch(() => null);
  expect(await Promise.all(["same", "changed", "deep/new", "deep/gone"].map(textOf))).toEqual([
    "1",
    "2",
    "3",
    null,
  ]);
  await writeFile(join(to, "deep/empty/is a folder"), "");
});
