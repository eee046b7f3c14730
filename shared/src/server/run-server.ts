import { FolderLockedError, FolderUnwritableError } from "./folder-lock.ts";
import { ConfigError } from "./read-config.ts";

/** A server that listens, as both programs run it. */
interface Running {
  readonly log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
  close(): PromiseLike<unknown>;
}

/** Close the server at SIGTERM or SIGINT, and exit: after `withinMs` also without having closed it. */
export function closeAtSignal(server: Running, withinMs: number): void {
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) return;
    isStopping = true;
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
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

/**
 * Return true for Fastify's line about a listening server, which is a text without fields. The loggers give
 * it an event.
 */
export const isListeningText = (text: unknown): text is string =>
  typeof text === "string" && text.startsWith("Server listening at ");

/** Print a sentence for the operator, and exit. */
export function stopWith(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
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
  start: () => Promise<void>,
  ports: string,
  sentenceOf: (error: unknown) => string | null,
): Promise<void> {
  // New files are for this user alone.
  process.umask(0o077);
  try {
    await start();
  } catch (error) {
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
