import { FolderLockedError, FolderUnwritableError } from "@mulkko/shared/server/folder-lock";
import { ConfigError } from "@mulkko/shared/server/read-config";
import { build } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { DatabaseError } from "./database/database.ts";
import { SchemaError } from "./database/migrate.ts";
import { DEMO_ACCOUNTS, DEMO_DEVICES, DEMO_PASSWORD } from "./demo/farm.ts";
import type { App } from "./http/server.ts";
import { ProfileError } from "./ingest/lorawan/compile-profile.ts";

/** Time after which a stop is forced, ms. */
const STOP_TIMEOUT_MS = 10_000;

function stopWith(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Return a sentence for a fault that the operator can fix; null for an internal fault. */
function sentenceOf(error: unknown): string | null {
  const mendable = [ConfigError, FolderLockedError, FolderUnwritableError, ProfileError, SchemaError];
  if (error instanceof Error && mendable.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseError) return `The database does not answer (DATABASE_URL): ${error.message}.`;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `A port is taken: ${error.message}. Choose another with API_PORT or MQTT_PORT.`;
  }
  return null;
}

function announce(app: App, config: Config): void {
  const address = app.server.address();
  const port = typeof address === "object" && address ? address.port : config.API_PORT;
  const lines = [`Farm API on port ${port}`];
  lines.push(app.mqttPort ? `MQTT broker on port ${app.mqttPort}` : "MQTT broker at MQTT_URL");
  const [device] = DEMO_DEVICES;
  if (app.demoKeys && device) {
    const names = DEMO_ACCOUNTS.map(({ username }) => username).join(", ");
    const key = app.demoKeys.get(device.serial);
    lines.push(`Demo accounts: ${names} (password ${DEMO_PASSWORD})`);
    lines.push(
      `Demo device ${device.serial} (${device.name}), key ${key}; the others: demo-keys.json in DATA_DIR`,
    );
  }
  if (app.setupCode)
    lines.push(`No account yet. One-time setup code for the first administrator: ${app.setupCode}`);
  console.log(lines.join("\n"));
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const app = await build(config, { onFatal: stopWith });
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    app.log.info({ event: "stopping", signal }, "stopping");
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ event: "stop-failed", err: error }, "failed to stop cleanly");
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  try {
    await app.listen({ host: config.API_HOST, port: config.API_PORT });
  } catch (error) {
    await app.close();
    throw error;
  }
  announce(app, config);
}

try {
  await start();
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === null) throw error;
  stopWith(sentence);
}
