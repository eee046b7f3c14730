import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Below the range of outgoing connections: one of those may take a port before its server listens on it. */
const FIRST = 10_000;
const COUNT = 20_000;
/** Number of tries; if all fail, nearly all ports are taken. */
const TRIES = 200;

/** Folder with a file for each port that a process on this machine was given. */
const CLAIMS = join(tmpdir(), "mulkko-ports");

const claimed = new Set<string>();
process.once("exit", () => {
  for (const file of claimed) rmSync(file, { force: true });
});

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Release the ports of a process that has ended. */
function forgetEnded(file: string): void {
  try {
    const owner = Number(readFileSync(file, "utf8"));
    if (owner > 0 && !isAlive(owner)) rmSync(file, { force: true });
  } catch (error) {
    // Its owner has just released it.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Claim a port for this process; return true if no other process has claimed it. */
function claim(port: number): boolean {
  const file = join(CLAIMS, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    forgetEnded(file);
    return false;
  }
  claimed.add(file);
  return true;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/**
 * Return a TCP port without a listener on 127.0.0.1, reserved for this process until it ends.
 *
 * @throws if nearly all are taken
 */
export async function freePort(): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true });
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (claim(port) && (await isFree(port))) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${FIRST + COUNT}`);
}
