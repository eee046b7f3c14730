import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../root.ts";

const DUMPS = 'for a in "$@"; do case $a in --file=*) echo rows > "$(echo $a | cut -c8-)";; esac; done';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mulkko-dumps-"));
  await mkdir(join(folder, "images"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Put a shell script in the place of a tool of PostgreSQL. */
async function tool(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

/** Run the script; with `--stay` until its first look is over. @returns its exit code */
async function backUp(...options: string[]): Promise<number | null> {
  const child = spawn("sh", [join(ROOT, "ops/backup.sh"), ...options], {
    env: { PATH: `${folder}:${process.env.PATH}`, DATA_DIR: folder, DATABASE_URL: "postgres://x" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  if (options.length > 0) {
    await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
    await new Promise((done) => setTimeout(done, 500));
    child.kill("SIGTERM");
  }
  const [code] = await ended;
  return typeof code === "number" ? code : null;
}
const dumps = async () =>
  (await readdir(join(folder, "backups")).catch(() => [])).filter((name) => /\.dump$/.test(name));

test.each([["once"], ["--stay"]])(
  "[backup] the nightly dump of PostgreSQL is read back and kept, closed to others (%s)",
  async (how) => {
    await tool("pg_dump", DUMPS);
    await tool("pg_restore", "exit 0");
    expect(await backUp(...(how === "once" ? [] : [how]))).toBe(0);
    const [name = ""] = await dumps();
    expect(name).toMatch(/^mulkko-[\dT-]+Z\.dump$/);
    expect((await stat(join(folder, "backups", name))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, "backups"))).toContain(name.replace(".dump", ".images.tar.gz"));
  },
);

const FAILURES = [
  ["pg_dump", `${DUMPS}; exit 1`, "exit 0"],
  ["pg_restore", DUMPS, "exit 1"],
] as const;
test.each(FAILURES.flatMap((one) => [["once", ...one] as const, ["--stay", ...one] as const]))(
  "[backup] nothing passes for a dump where (%s) %s fails, and the former ones stay",
  async (how, _which, dump, restore) => {
    await tool("pg_dump", dump);
    await tool("pg_restore", restore);
    await mkdir(join(folder, "backups"));
    const old = join(folder, "backups", "mulkko-2026-01-01T0327Z.dump");
    await writeFile(old, "rows");
    await utimes(old, 1_700_000_000, 1_700_000_000);
    expect(await backUp(...(how === "once" ? [] : [how]))).toBe(how === "once" ? 1 : 0);
    expect(await dumps()).toEqual(["mulkko-2026-01-01T0327Z.dump"]);
  },
);

test("[backup] the last seven dumps stay", async () => {
  await tool("pg_dump", DUMPS);
  await tool("pg_restore", "exit 0");
  await mkdir(join(folder, "backups"));
  for (let day = 10; day < 22; day += 1) {
    const file = join(folder, "backups", `mulkko-2026-01-${day}T0327Z.dump`);
    await writeFile(file, "rows");
    await utimes(file, 1_700_000_000 + day * 86_400, 1_700_000_000 + day * 86_400);
  }
  expect(await backUp()).toBe(0);
  const kept = (await dumps()).toSorted();
  expect(kept).toHaveLength(7);
  expect(kept[0]).toBe("mulkko-2026-01-16T0327Z.dump");
});
