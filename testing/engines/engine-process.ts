import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
/** Length of the stored output: enough to explain a failed start. */
const KEPT_OUTPUT_CHARS = 4_000;

export interface EngineCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The engine is up when its output contains this text. */
  readonly ready: RegExp;
  /** Signal of an orderly end. */
  readonly stopSignal: NodeJS.Signals;
  /** Run as this user; needs root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly cwd?: string | undefined;
  /** Environment on top of ours. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface EngineProcess {
  readonly pid: number | undefined;
  /** End the process and wait for it. */
  stop(): Promise<void>;
  /** Suspend the process (`SIGSTOP`), or continue it. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
}

const stopProcess = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
};

/**
 * Run a server program and wait until it is ready.
 *
 * @throws Error with the program's last output when it ends early or is not ready within 30 s
 */
export const startEngineProcess = async (command: EngineCommand): Promise<EngineProcess> => {
  const child = spawn(command.file, command.args, {
    stdio: ["ignore", "pipe", "pipe"],
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    ...(command.env === undefined ? {} : { env: { ...process.env, ...command.env } }),
    ...(command.user ?? {}),
  });
  // An engine must not outlive a test process that ends without stopping it.
  const killWithParent = () => child.kill("SIGKILL");
  process.once("exit", killWithParent);
  child.once("exit", () => process.off("exit", killWithParent));

  let output = "";
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${command.file} ${reason}\n${output}`));
    const timer = setTimeout(() => fail(`was not ready within ${READY_TIMEOUT_MS} ms`), READY_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT_CHARS);
      if (!command.ready.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", (error) => fail(`could not be run: ${error.message}`));
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${code ?? signal} before it was ready`);
    });
  });
  try {
    await ready;
  } catch (error) {
    await stopProcess(child, "SIGKILL");
    throw error;
  }
  return {
    pid: child.pid,
    async stop() {
      // A suspended process handles no other signal.
      child.kill("SIGCONT");
      await stopProcess(child, command.stopSignal);
    },
    signal(signal) {
      child.kill(signal);
    },
  };
};
