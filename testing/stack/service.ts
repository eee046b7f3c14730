import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const OUTPUT_KEPT = 200_000;

/** Start options of a service. */
export interface ServiceOptions {
  name: string;
  /** Script of Node, absolute. */
  script: string;
  env: Record<string, string>;
  /** Address that answers 200 when the service is up. */
  healthUrl: string;
  startTimeoutMs: number;
}

/** A process of ours that a scenario starts, kills and starts again. */
export interface Service {
  readonly output: () => string;
  readonly running: () => boolean;
  readonly pid: () => number | undefined;
  /** @param env on top of its first environment, until the next start */
  start(env?: Record<string, string>): Promise<void>;
  /** Send SIGTERM, and wait for the end. */
  stop(): Promise<void>;
  /** Send SIGKILL: no cleanup. */
  kill(): Promise<void>;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Create a service; nothing runs before `start`. Its newest output is stored for the failure message. */
export function createService(options: ServiceOptions): Service {
  let child: ChildProcess | undefined;
  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-OUTPUT_KEPT);
  };
  const running = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    if (!ending || !running()) return;
    const gone = once(ending, "exit");
    ending.kill(signal);
    const late = setTimeout(() => ending.kill("SIGKILL"), 20_000);
    await gone;
    clearTimeout(late);
  };

  return {
    output: () => output,
    running,
    pid: () => child?.pid,
    async start(env = {}) {
      child = spawn(process.execPath, [options.script], {
        env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/", ...options.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const started = child;
      // The end of this process, for any reason, ends its services.
      process.once("exit", () => started.kill("SIGKILL"));
      child.stdout?.on("data", keep);
      child.stderr?.on("data", keep);
      const deadline = performance.now() + options.startTimeoutMs;
      while (performance.now() < deadline) {
        if (!running()) throw new Error(`${options.name} ended while starting:\n${output}`);
        if (await answers(options.healthUrl)) return;
        await sleep(100);
      }
      await end("SIGKILL");
      throw new Error(`${options.name} did not answer at ${options.healthUrl}:\n${output}`);
    },
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}
