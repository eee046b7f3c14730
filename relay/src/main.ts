import { type CleanStop, startServer } from "@mulkko/shared/server/run-server";
import { build } from "./app.ts";
import { readConfig } from "./config.ts";
import { DamagedStoreError, NewerSchemaError } from "./store/errors.ts";

/** Deadline of a graceful stop, ms; after it the process exits. */
const STOP_TIMEOUT_MS = 15_000;

async function start(stop: CleanStop): Promise<void> {
  const config = readConfig(process.env);
  const { server } = await build(config);
  if (stop.closes(server, STOP_TIMEOUT_MS)) return;
  try {
    await server.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    await server.close();
    throw error;
  }
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : config.PORT;
  // Logged at every LOG_LEVEL: operators wait for this line.
  const log = server.log.child({}, { level: "info" });
  log.info({ event: "started", port, apiUrl: config.API_URL }, "relay started");
}

await startServer(start, "PORT", (error) =>
  error instanceof NewerSchemaError || error instanceof DamagedStoreError ? error.message : null,
);
