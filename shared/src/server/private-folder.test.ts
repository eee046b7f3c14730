import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeDataFolder } from "./private-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mulkko-private-"));
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (name = ""): Promise<string> =>
  ((await stat(join(folder, name))).mode & 0o777).toString(8);
const write = async (name: string, mode: number): Promise<void> => {
  await mkdir(join(folder, name, ".."), { recursive: true, mode: 0o755 });
  await writeFile(join(folder, name), "");
  await chmod(join(folder, name), mode);
};

test("[KEEP-6] a data folder and all in it are closed to other users, whatever modes its files had", async () => {
  await write("pgdata/global/pg_control", 0o666);
  await write("relay/relay.sqlite", 0o644);
  await write("images/photo.png", 0o640);
  await write("relay-key", 0o600);
  await write("lock.sqlite", 0o644);
  expect(closeDataFolder(folder)).toEqual([]);
  expect(await Promise.all(["", "pgdata", "pgdata/global", "relay", "images"].map(modeOf))).toEqual(
    Array(5).fill("700"),
  );
  const files = [
    "pgdata/global/pg_control",
    "relay/relay.sqlite",
    "images/photo.png",
    "relay-key",
    "lock.sqlite",
  ];
  expect(await Promise.all(files.map(modeOf))).toEqual(Array(5).fill("600"));
});

test("[KEEP-6] what else is in the folder keeps its modes, and so does the folder", async () => {
  await write("pgdata/PG_VERSION", 0o666);
  await write("photos of the family/cat.png", 0o644);
  expect(closeDataFolder(folder)).toEqual(["photos of the family"]);
  expect(await Promise.all(["", "photos of the family", "pgdata", "pgdata/PG_VERSION"].map(modeOf))).toEqual([
    ...["755", "755", "700", "600"],
  ]);
});

test("[KEEP-6] a symbolic link is not followed", async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), "mulkko-elsewhere-"));
  await chmod(elsewhere, 0o755);
  await symlink(elsewhere, join(folder, "backups"));
  expect(closeDataFolder(folder)).toEqual([]);
  expect(((await stat(elsewhere)).mode & 0o777).toString(8)).toBe("755");
  await rm(elsewhere, { recursive: true });
});
