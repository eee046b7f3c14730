import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parse } from "@mulkko/shared/schema/parse";
import type { Static, TSchema } from "typebox";

/** A process of a benchmark that answers one request at a time. */
export interface Child {
  ask<S extends TSchema>(question: object, answer: S): Promise<Static<S>>;
  /** Kill (`SIGKILL`), stop (`SIGSTOP`) or continue (`SIGCONT`) the process. */
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
  stop(): Promise<void>;
}

/** Folder for CPU profiles of the children, e.g. `BENCH_PROFILE=profiles pnpm bench fan-out`; unset: none. */
const profiles = process.env.BENCH_PROFILE;

export interface ChildOptions {
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** True to allow a garbage collection before a memory measurement. */
  readonly exposeGc?: boolean;
}

/**
 * Start a child.
 * @param file relative to this folder
 */
export function startChild(
  file: string,
  parameters: readonly string[],
  { env = {}, exposeGc = false }: ChildOptions = {},
): Child {
  const name = [file.replace(/\.ts$/, ""), ...parameters].join("-").replaceAll(/[^\w-]+/g, "-");
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), parameters, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
    env: { ...process.env, ...env },
    execArgv: [
      ...(exposeGc ? ["--expose-gc"] : []),
      ...(profiles ? ["--cpu-prof", `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}.cpuprofile`] : []),
    ],
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
  });
  return {
    async ask(question, schema) {
      const answered = new Promise<unknown>((resolve) => {
        child.once("message", resolve);
      });
      child.send(question);
      const died = exited.then((code) => {
        throw new Error(`${file} ended with ${code}`);
      });
      const answer = parse(schema, await Promise.race([answered, died]));
      if (!answer.ok) throw new Error(`${file} answered ${answer.path} ${answer.message}`);
      return answer.value;
    },
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Answer the parent's requests in the child process. */
export function answerParent<S extends TSchema>(
  schema: S,
  answer: (question: Static<S>) => Promise<object>,
): void {
  process.on("message", (message) => {
    const question = parse(schema, message);
    if (!question.ok) throw new Error(`not a question: ${question.path} ${question.message}`);
    answer(question.value).then(
      (value) => process.send?.(value),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  // The parent has ended, and cannot stop this process any more.
  process.on("disconnect", () => process.exit(0));
  process.on("SIGTERM", () => process.exit(0));
}
