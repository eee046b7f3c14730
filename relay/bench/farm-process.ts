import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A server of the workspace that a benchmark runs. */
export interface FarmProcess {
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
}

const START_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 100;
const OUTPUT_KEPT = 20_000;

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * @param script path in the workspace
 * @param readyUrl answers 200 when the server can be used
 */
export async function startFarmProcess(
  script: string,
  env: Readonly<Record<string, string>>,
  readyUrl: string,
): Promise<FarmProcess> {
  const file = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-OUTPUT_KEPT);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  // Whatever ends the benchmark ends its servers.
  const killWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", killWithUs);
  const stop = async (): Promise<void> => {
    process.off("exit", killWithUs);
    if (!isRunning()) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  };
  const deadline = performance.now() + START_WITHIN_MS;
  while (!(await answers(readyUrl))) {
    const isLate = performance.now() > deadline;
    if (isRunning() && !isLate) await wait(ASK_EVERY_MS);
    else {
      await stop();
      throw new Error(`${script} ${isLate ? "is not ready in time" : "ended while starting"}:\n${output}`);
    }
  }
  return { stop };
}
