import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../root.ts";

const UNIT = "ops/mulkko.service";
const HOME = "/opt/mulkko";
/** Deadline of a stop by the starting process, s: `STOP_TIMEOUT_MS` in `scripts/start/service.ts`. */
const STOP_S = 15;

async function settings(): Promise<Map<string, string>> {
  const text = await readFile(join(ROOT, UNIT), "utf8");
  return new Map(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
      name === "Environment" ? (value.split("=", 1)[0] ?? "") : name,
      name === "Environment" ? value.slice(value.indexOf("=") + 1) : value,
    ]),
  );
}

test("[STOP-1] the unit of systemd starts Node itself, and stops the starting process before it kills the rest", async () => {
  const unit = await settings();
  const [program = "", script = ""] = unit.get("ExecStart")?.split(" ") ?? [];
  expect(program.startsWith(`${HOME}/`)).toBe(true);
  for (const path of [program.slice(HOME.length + 1), script])
    expect(existsSync(join(ROOT, path)), path).toBe(true);
  expect(unit.get("WorkingDirectory")).toBe(HOME);
  expect(unit.get("KillMode")).toBe("mixed");
  expect(Number(unit.get("TimeoutStopSec"))).toBeGreaterThan(STOP_S);
});

test("[KEEP-6] the unit of systemd keeps the data in a folder of its user alone", async () => {
  const unit = await settings();
  expect(unit.get("DATA_DIR")).toBe(`/var/lib/${unit.get("StateDirectory")}`);
  expect([unit.get("StateDirectoryMode"), unit.get("UMask"), unit.get("User"), unit.get("DEMO")]).toEqual([
    ...["0700", "0077", "mulkko", "off"],
  ]);
});
