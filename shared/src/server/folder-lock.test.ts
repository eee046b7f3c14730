import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderLockedError, FolderUnwritableError, lockFolder } from "./folder-lock.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mulkko-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const HOLD = `
  const { lockFolder } = await import(process.argv[1]);
  lockFolder(process.argv[2]);
  process.stdout.write("held");
  setInterval(() => undefined, 1000);`;

test("[NODE-4] a second process gets an error naming folder and holder; a killed holder frees it", async () => {
  const file = new URL("./folder-lock.ts", import.meta.url).href;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", HOLD, file, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  expect(() => lockFolder(folder)).toThrow(FolderLockedError);
  expect(() => lockFolder(folder)).toThrow(`${folder} is in use by process ${holder.pid}`);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(`process ${process.pid}`);
  lock.release();
  lockFolder(folder).release();
});

test("[NODE-4] refuses a folder that cannot be written to with an explanation", async () => {
  await writeFile(join(folder, "file"), "");
  const inFile = join(folder, "file", "data");
  expect(() => lockFolder(inFile)).toThrow(FolderUnwritableError);
  expect(() => lockFolder(inFile)).toThrow(`The folder ${inFile} cannot be written to (ENOTDIR`);
  // The kernel's own file system accepts no files, not even from root.
  expect(() => lockFolder("/proc/self")).toThrow(FolderUnwritableError);
});

test("[NODE-4] a damaged lock ends with a sentence that names it and the way", async () => {
  await writeFile(join(folder, "lock.sqlite"), "not a database at all, but forty bytes long".repeat(40));
  expect(() => lockFolder(folder)).toThrow(FolderUnwritableError);
  expect(() => lockFolder(folder)).toThrow(`The file ${join(folder, "lock.sqlite")} is damaged`);
});
