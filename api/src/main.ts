import { type CleanStop, startServer, stopWith } from "@mulkko/shared/server/run-server";
import { build } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { DatabaseError } from "./database/database.ts";
import { SchemaError } from "./database/migrate.ts";
import { DamagedDatabaseError } from "./database/pglite.ts";
import { DEMO_ACCOUNTS, DEMO_DEVICES } from "./demo/farm.ts";
import type { App } from "./http/server.ts";
import { createStandBy } from "./http/stand-by.ts";
import { ProfileError } from "./ingest/lorawan/compile-profile.ts";

/** Time after which a stop is forced, ms. */
const STOP_TIMEOUT_MS = 10_000;

/** Return a sentence for a fault that the operator can fix; null for an internal fault. */
function sentenceOf(error: unknown): string | null {
  const mendable = [ProfileError, SchemaError, DamagedDatabaseError];
  if (error instanceof Error && mendable.some((kind) => error instanceof kind)) return error.message;
  return error instanceof DatabaseError
    ? `The database does not answer (DATABASE_URL): ${error.message}.`
    : null;
}

/** Log the address and the ways to sign in, at every LOG_LEVEL: an empty farm cannot be set up without them. */
function announce(app: App, config: Config): void {
  const log = app.log.child({}, { level: "info" });
  const address = app.server.address();
  const port = typeof address === "object" && address ? address.port : config.API_PORT;
  log.info({ event: "started", port, mqttPort: app.mqttPort ?? null }, "farm API started");
  const [device] = DEMO_DEVICES;
  if (app.demoLogin && app.demoKeys && device) {
    const names = DEMO_ACCOUNTS.map(({ username }) => username).join(", ");
    const key = app.demoKeys.get(device.serial);
    log.info({ event: "demo-accounts" }, `Demo accounts: ${names} (password ${app.demoLogin.password})`);
    log.info(
      { event: "demo-device", serial: device.serial },
      `Demo device ${device.serial} (${device.name}), key ${key}; the others: demo-keys.json in DATA_DIR`,
    );
  }
  if (app.setupCode) {
    log.info(
      { event: "setup-code" },
      `No account yet. One-time setup code for the first administrator: ${app.setupCode}`,
    );
  }
}

/** Serve as a stand-by, until this process is stopped or `close` is called. */
class StandBy {
  readonly #config: Config;
  readonly #stop: CleanStop;
  #holder = "";
  #app: App | undefined;
  #listening: Promise<unknown> = Promise.resolve();

  constructor(config: Config, stop: CleanStop) {
    this.#config = config;
    this.#stop = stop;
  }

  waitFor(holder: string): void {
    this.#holder = holder;
    const {
      API_HOST: host,
      API_PORT: port,
      LOG_LEVEL: logLevel,
      TRUSTED_PROXIES: trustedProxies,
    } = this.#config;
    if (!this.#app) {
      const app = createStandBy({ logLevel, logStream: undefined, trustedProxies }, () => this.#holder);
      this.#app = app;
      this.#stop.closes(app, STOP_TIMEOUT_MS);
      this.#listening = app.listen({ host, port }).catch((error: unknown) => {
        app.log.fatal({ event: "stand-by-failed", err: error }, "stand-by cannot listen");
        stopWith(`The stand-by cannot listen: ${error instanceof Error ? error.message : String(error)}.`);
      });
    }
    const log = this.#app.log.child({}, { level: "info" });
    void this.#listening.then(() =>
      log.info(
        { event: "stand-by", holder },
        `the database belongs to ${holder}: waiting as a stand-by until it ends`,
      ),
    );
  }

  async close(): Promise<void> {
    await this.#listening;
    this.#app?.log.info({ event: "stand-by-over" }, "the database is free: starting");
    await this.#app?.close();
  }
}

async function start(stop: CleanStop): Promise<void> {
  const config = readConfig(process.env);
  const standBy = new StandBy(config, stop);
  const app = await build(config, { onFatal: stopWith, onStandBy: (holder) => standBy.waitFor(holder) });
  if (stop.closes(app, STOP_TIMEOUT_MS)) return;
  await standBy.close();
  try {
    await app.listen({ host: config.API_HOST, port: config.API_PORT });
  } catch (error) {
    await app.close();
    throw error;
  }
  announce(app, config);
}

await startServer(start, "API_PORT or MQTT_PORT", sentenceOf);
