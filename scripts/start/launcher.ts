import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** A process above this one. */
export interface Ancestor {
  readonly pid: number;
  /** Its command line, with blanks between the arguments. */
  readonly command: string;
}

const PACKAGE_MANAGER = /^(npm|npx|pnpm|pnpx|yarn|corepack)(-cli)?(\.c?js)?$/;
const SHELL = /^-?(sh|ash|dash|bash|zsh|busybox)$/;
const DEEPEST = 16;
const PAUSE_MS = 500;

const words = (command: string): string[] =>
  command
    .split(/\s+/, 2)
    .filter(Boolean)
    .map((word) => basename(word));

function isPackageManager({ command }: Ancestor): boolean {
  const [program = "", script = ""] = words(command);
  return PACKAGE_MANAGER.test(program === "node" ? script : program);
}
const isShell = ({ command }: Ancestor): boolean => SHELL.test(words(command)[0] ?? "");

/**
 * Return the commands that have launched this one: package managers, and the shells between them. What is above them (a
 * person's shell, a service manager) may end without a stop being meant.
 *
 * @param ancestors the nearest first
 */
export function launchersAmong(ancestors: readonly Ancestor[]): readonly Ancestor[] {
  const end = ancestors.findIndex((one) => !isPackageManager(one) && !isShell(one));
  const near = end === -1 ? ancestors : ancestors.slice(0, end);
  return near.slice(0, near.findLastIndex(isPackageManager) + 1);
}

/** Return a process's parent and command; null where it has ended or the system does not say. */
function lookUp(pid: number): { parent: number; command: string } | null {
  try {
    if (process.platform === "linux") {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return { parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0), command };
    }
    const [, parent, command] =
      /^\s*(\d+)\s+(.*)/.exec(
        execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" }),
      ) ?? [];
    return parent === undefined ? null : { parent: Number(parent), command: command ?? "" };
  } catch {
    return null;
  }
}

function ancestors(): Ancestor[] {
  const found: Ancestor[] = [];
  let pid = process.ppid;
  while (pid > 1 && found.length < DEEPEST) {
    const seen = lookUp(pid);
    if (!seen) break;
    found.push({ pid, command: seen.command });
    pid = seen.parent;
  }
  return found;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Call `then` once when a command that launched this process has ended: npx ends at SIGTERM without passing it on, and
 * its children would keep ports and data folder.
 *
 * @param then is called with the name of the command, such as `npm`
 */
export function whenLauncherEnds(then: (launcher: string) => void): void {
  const launchers = launchersAmong(ancestors());
  if (launchers.length === 0) return;
  const timer = setInterval(() => {
    const ended = launchers.find(({ pid }) => !isAlive(pid));
    if (!ended) return;
    clearInterval(timer);
    then(words(ended.command)[0] ?? "the launching command");
  }, PAUSE_MS);
  timer.unref();
}
