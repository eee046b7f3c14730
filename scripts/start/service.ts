import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { withThisNode } from "../process/node-path.ts";
import { type LogWriter, passLines } from "./log-lines.ts";

const STOP_TIMEOUT_MS = 15_000;
const END_WITH_PARENT = resolve(import.meta.dirname, "end-with-parent.ts");

export interface ServiceCommand {
  /** Prefix of each line of its output. */
  readonly name: string;
  /** Arguments of Node: options, script, arguments. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Destination of the services' output. */
export interface Output {
  readonly log: LogWriter;
  /** Called with each line. */
  readonly onLine: (name: string, line: string) => void;
}

export interface Service {
  readonly name: string;
  /** Resolves with the exit code when the process has ended; 1 when a signal ended it. */
  readonly ended: Promise<number>;
  /** Ask the process to end; kill it after 15 s. */
  stop(signal: NodeJS.Signals): void;
}

/**
 * Run one of our servers. It has a process group of its own, so that a Ctrl-C in the terminal reaches it
 * once, through `stop`, and not twice.
 */
export const startService = ({ name, args, cwd, env }: ServiceCommand, output: Output): Service => {
  const child = spawn(process.execPath, ["--import", END_WITH_PARENT, ...args], {
    cwd,
    env: withThisNode(env),
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) passLines(stream, output.log, name, (line) => output.onLine(name, line));
  }
  const ended = once(child, "exit").then(([code]: unknown[]) => (typeof code === "number" ? code : 1));
  return {
    name,
    ended,
    stop(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS).unref();
    },
  };
};
