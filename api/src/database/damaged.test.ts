import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { copyEmptyPglite } from "../../testing/pglite-template.ts";
import { DamagedDatabaseError, openPglite } from "./pglite.ts";

// PGlite takes seconds to open on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "mulkko-damaged-"));
  folder = join(root, "pgdata");
  await copyEmptyPglite(folder);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const inside = (name: string) => join(folder, name);
const DAMAGE: Readonly<Record<string, () => Promise<void>>> = {
  "a control file of zeros": () => writeFile(inside("global/pg_control"), Buffer.alloc(8_192)),
  "no control file": () => rm(inside("global/pg_control")),
  "a short control file": () => truncate(inside("global/pg_control"), 100),
  "no tables": () => rm(inside("base"), { recursive: true }),
  "no log": () => rm(inside("pg_wal"), { recursive: true }),
  "another version": () => writeFile(inside("PG_VERSION"), "9.6\n"),
};

test.each(Object.keys(DAMAGE))(
  "[database] an embedded database with %s ends with a sentence that names the folder and the way back",
  async (name) => {
    await DAMAGE[name]?.();
    const lost = vi.fn();
    const opened = openPglite(folder, lost);
    await expect(opened).rejects.toThrow(DamagedDatabaseError);
    await expect(opened).rejects.toThrow(`The embedded database ${folder} cannot be opened (`);
    await expect(opened).rejects.toThrow("restore the newest backup");
    expect(lost).not.toHaveBeenCalled();
  },
);
