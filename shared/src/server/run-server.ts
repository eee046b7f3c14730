import { FolderLockedError, FolderUnwritableError } from "./folder-lock.ts";
import { ConfigError } from "./read-config.ts";

/** A server that listens, as both programs run it. */
interface Running {
  readonly log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
  close(): PromiseLike<unknown>;
}

/** The signals that ask a process to stop: by a manager, by Ctrl-C, and by a terminal that was closed. */
export const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Deadline of a stop that was asked for before there is a server, ms; after it the process exits. */
const START_TIMEOUT_MS = 15_000;

/**
 * The clean stop of this process. The first signal counts, and further ones change nothing: a service manager may
 * signal all processes at once, and `start` passes its own signal on.
 *
 * ```text
 * starting ── closes() ──▶ serving ── signal ──▶ closing ──▶ exit 0, or 1 at the deadline
 *     └────── signal ────▶ asked ─── closes() ────▲ └─ no server at the deadline ──▶ exit 1
 * ```
 */
export class CleanStop {
  #signal: string | null = null;
  #close: ((signal: string) => void) | null = null;

  constructor() {
    for (const signal of STOP_SIGNALS) process.on(signal, () => this.#ask(signal));
  }

  /** True while the server is being closed: errors of a start then no longer matter. */
  get isClosing(): boolean {
    return this.#signal !== null && this.#close !== null;
  }

  /**
   * Name what a signal closes, in place of what was named before.
   *
   * @param withinMs time after which the process exits in any case
   * @returns true if the signal has already come: the server is being closed, and must not listen
   */
  closes(server: Running, withinMs: number): boolean {
    this.#close = (signal) => {
      server.log.info({ event: "stopping", signal }, "stopping");
      setTimeout(() => process.exit(1), withinMs).unref();
      server.close().then(
        () => process.exit(0),
        (error: unknown) => {
          server.log.error({ event: "stop-failed", err: error }, "failed to stop cleanly");
          process.exit(1);
        },
      );
    };
    if (this.#signal === null) return false;
    this.#close(this.#signal);
    return true;
  }

  #ask(signal: string): void {
    if (this.#signal !== null) return;
    this.#signal = signal;
    if (this.#close) this.#close(signal);
    else setTimeout(() => process.exit(1), START_TIMEOUT_MS).unref();
  }
}

/**
 * Return true for Fastify's line about a listening server, which is a text without fields. The loggers give
 * it an event.
 */
export const isListeningText = (text: unknown): text is string =>
  typeof text === "string" && text.startsWith("Server listening at ");

/** A level of the log that ends a process. */
const FATAL = 60;

/** Return a sentence for the operator as it is printed: where standard output is no terminal, as a line of the log. */
export const sentenceLine = (sentence: string): string =>
  process.stdout.isTTY
    ? `${sentence}\n`
    : `${JSON.stringify({ level: FATAL, time: Date.now(), event: "cannot-run", msg: sentence })}\n`;

/** Print a sentence for the operator, and exit. */
export function stopWith(sentence: string): never {
  process.stderr.write(sentenceLine(sentence));
  process.exit(1);
}

/**
 * Start a server. A fault that the operator can fix ends the process with its sentence, any other one with a
 * stack.
 *
 * @param ports the variables by which the operator chooses another port
 * @param sentenceOf returns the sentence for a fault of this server; null for any other one
 */
export async function startServer(
  start: (stop: CleanStop) => Promise<void>,
  ports: string,
  sentenceOf: (error: unknown) => string | null,
): Promise<void> {
  // New files are for this user alone.
  process.umask(0o077);
  const stop = new CleanStop();
  try {
    await start(stop);
  } catch (error) {
    if (stop.isClosing) return;
    const mendable = [ConfigError, FolderLockedError, FolderUnwritableError];
    if (error instanceof Error && mendable.some((kind) => error instanceof kind)) stopWith(error.message);
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      stopWith(`A port is taken: ${error.message}. Choose another with ${ports}.`);
    }
    const sentence = sentenceOf(error);
    if (sentence === null) throw error;
    stopWith(sentence);
  }
}
