import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FolderUnwritableError, lockFolder } from "./folder-lock.ts";

test("[NODE-4] a second process stops with a sentence that names the folder and the holder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-lock-"));
  const lock = lockFolder(folder);
  const script = `
    import { FolderUnwritableError, lockFolder } from ${JSON.stringify(new URL("./folder-lock.ts", import.meta.url).href)};
    try { lockFolder(${JSON.stringify(folder)}); console.log("locked"); } catch (error) { console.log(error.message); }
  `;
  const second = (): string =>
    spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).stdout.trim();
  expect(second()).toBe(`The folder ${folder} is in use by another relay (process ${process.pid}).`);
  lock.release();
  expect(second()).toBe("locked");
  await rm(folder, { recursive: true });
});

test("[NODE-4] a folder that cannot be written to is refused with a sentence", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-lock-"));
  await writeFile(join(folder, "file"), "");
  const inFile = join(folder, "file", "relay");
  expect(() => lockFolder(inFile)).toThrow(FolderUnwritableError);
  expect(() => lockFolder(inFile)).toThrow(`The folder ${inFile} cannot be written to (ENOTDIR`);
  await rm(folder, { recursive: true });
});
