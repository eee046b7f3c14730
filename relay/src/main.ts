import { FolderLockedError, FolderUnwritableError } from "@mulkko/shared/server/folder-lock";
import { ConfigError } from "@mulkko/shared/server/read-config";
import { build } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { NewerSchemaError } from "./store/errors.ts";

/** Deadline of a graceful stop, ms; after it the process exits. */
const STOP_TIMEOUT_MS = 15_000;

function stopWith(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Return the message for an error that the operator can fix; null for an internal error. */
function sentenceOf(error: unknown): string | null {
  if (
    error instanceof ConfigError ||
    error instanceof FolderLockedError ||
    error instanceof FolderUnwritableError ||
    error instanceof NewerSchemaError
  ) {
    return error.message;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `A port is taken: ${error.message}. Choose another with PORT.`;
  }
  return null;
}

async function start(config: Config): Promise<void> {
  const { server } = await build(config);
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    server.log.info({ event: "stopping", signal }, "stopping");
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
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
  try {
    await server.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    await server.close();
    throw error;
  }
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : config.PORT;
  console.log(`Mulkko on http://localhost:${port}, in front of the farm API at ${config.API_URL}`);
}

try {
  await start(readConfig(process.env));
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === null) throw error;
  stopWith(sentence);
}
