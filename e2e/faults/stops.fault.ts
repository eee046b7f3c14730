import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "@mulkko/testing/engines/free-port";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const START = ["node_modules/.bin/node", ["scripts/start.ts"]] as const;
const NPX = ["npx", ["-y", "pnpm@12", "start"]] as const;
/** The API's 10 s, the relay's 15 s, and the start's own 15 s are deadlines; a clean stop takes a second or two. */
const WAIT = { timeout: 30_000, interval: 100 };

let folder = "";
let ports: readonly number[] = [];
let runs = 0;
let run: { child: ChildProcess; log: string; pids: readonly number[] } | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mulkko-stops-"));
  ports = [await freePort(), await freePort(), await freePort()];
});
afterEach(() => {
  for (const pid of run?.pids ?? []) if (isAlive(pid)) process.kill(pid, "SIGKILL");
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  for (let past = 1; past <= runs; past += 1) await rm(`${folder}-${past}.log`, { force: true });
});

/** Return false for a process that has ended, also where its parent has not asked for its end. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Return a process and all below it. */
function treeOf(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          [Number(name), Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1])],
        ];
      } catch {
        return [];
      }
    });
  const below = (of: number): number[] =>
    parents.flatMap(([child, parent]) =>
      parent === of && child !== undefined ? [child, ...below(child)] : [],
    );
  return [pid, ...below(pid)];
}

/** Run the product in a process group of its own, as a shell or a service manager does; its log is a file. */
async function start([program, args]: readonly [string, readonly string[]], isUp = true): Promise<void> {
  runs += 1;
  const log = `${folder}-${runs}.log`;
  const [page, api, broker] = ports.map(String);
  const child = spawn("sh", ["-c", `exec "$@" > "${log}" 2>&1`, "sh", program, ...args], {
    cwd: ROOT,
    detached: true,
    stdio: "ignore",
    env: { ...process.env, DATA_DIR: folder, PORT: page, API_PORT: api, MQTT_PORT: broker },
  });
  run = { child, log, pids: [] };
  const said = () => readFile(log, "utf8").catch(() => "");
  await expect.poll(said, { timeout: 120_000 }).toContain(isUp ? "is running at" : "Mulkko");
  if (!isUp) await expect.poll(() => treeOf(child.pid ?? 0).length, WAIT).toBeGreaterThan(2);
  run = { child, log, pids: treeOf(child.pid ?? 0) };
}

function signal(name: NodeJS.Signals, to: "main" | "group" | "all"): void {
  const main = run?.child.pid ?? 0;
  if (to === "main") process.kill(main, name);
  else if (to === "group") process.kill(-main, name);
  else for (const pid of run?.pids ?? []) if (isAlive(pid)) process.kill(pid, name);
}
const isTaken = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      done(true);
    }).once("error", () => done(false));
  });
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const LEFT = ["lock.pid", "relay/lock.pid", "pgdata/postmaster.pid"];

/** Every process has ended by itself, with its line, and left no sign of a crash. */
async function expectClean(lines: boolean): Promise<void> {
  await expect.poll(() => run?.pids.filter(isAlive), WAIT).toEqual([]);
  const text = await readFile(run?.log ?? "", "utf8");
  expect(
    LEFT.filter((name) => existsSync(join(folder, name))),
    text.slice(-2_000),
  ).toEqual([]);
  for (const port of ports) expect(await isTaken(port)).toBe(false);
  if (!lines) return;
  const stops = text.split("\n").filter((line) => line.includes('"event":"stopping"'));
  expect(stops.map((line) => /"process":"(\w+)"/.exec(line)?.[1]).toSorted(), text.slice(-2_000)).toEqual([
    "api",
    "relay",
  ]);
  expect(text).not.toContain('"level":60');
}

describe("a stop is clean, however it comes", () => {
  test("[STOP-1] all data is closed to other users while it runs", async () => {
    await start(START);
    for (const name of ["", "pgdata", "relay", "images"])
      if (existsSync(join(folder, name)))
        expect((statSync(join(folder, name)).mode & 0o77).toString(8), name).toBe("0");
    signal("SIGTERM", "main");
    await expectClean(true);
  });

  test.each([
    ["SIGTERM to the starting process, as a unit with KillMode=mixed sends it", ["SIGTERM", "main", 1]],
    ["SIGTERM to every process at once, as systemd sends it by default", ["SIGTERM", "all", 1]],
    ["SIGTERM to every process twice", ["SIGTERM", "all", 2]],
    ["SIGTERM twice to the starting process", ["SIGTERM", "main", 2]],
    ["Ctrl-C", ["SIGINT", "group", 1]],
    ["Ctrl-C twice", ["SIGINT", "group", 2]],
    ["a terminal that is closed", ["SIGHUP", "group", 1]],
  ] as const)("[STOP-1] %s", async (_name, [name, to, times]) => {
    await start(START);
    for (let time = 0; time < times; time += 1) {
      // On a quiet machine the whole stop takes little more than 100 ms.
      if (time > 0) await pause(20);
      signal(name, to);
    }
    await expectClean(true);
  });

  test.each([
    ["SIGTERM to npx alone", ["SIGTERM", "main"]],
    ["SIGKILL of npx alone", ["SIGKILL", "main"]],
    ["SIGTERM to all that npx has started", ["SIGTERM", "all"]],
    ["Ctrl-C on npx", ["SIGINT", "group"]],
  ] as const)("[STOP-1] %s", async (_name, [name, to]) => {
    await start(NPX);
    signal(name, to);
    await expectClean(true);
  });

  test("[STOP-1] the end of the starting process without a chance to say so", async () => {
    await start(START);
    signal("SIGKILL", "main");
    await expectClean(false);
  });

  test("[STOP-1] SIGTERM to every process while the farm API still starts", async () => {
    await rm(folder, { recursive: true, force: true });
    await start(START, false);
    await pause(1_500);
    signal("SIGTERM", "all");
    await expectClean(false);
    await start(START);
    signal("SIGTERM", "main");
    await expectClean(true);
  });
});
