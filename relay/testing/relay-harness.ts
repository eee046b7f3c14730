import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, build, type Overrides } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import {
  buildFakeAccount,
  type FakeApiAccount,
  type FakeFarmApi,
  startFakeFarmApi,
} from "./fake-farm-api.ts";

/** The real relay on a real socket, in front of a fake farm API. */
export interface RelayHarness {
  readonly api: FakeFarmApi;
  readonly account: FakeApiAccount;
  readonly origin: string;
  readonly app: App;
  /** Restart the relay on the same folder. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Start the harness.
 * @param environment besides a free port, its own folder and no broker
 */
export async function startRelayHarness(
  account: FakeApiAccount = buildFakeAccount(),
  environment: Readonly<Record<string, string>> = {},
  prepare: (api: FakeFarmApi) => void = () => undefined,
  overrides: Overrides = {},
): Promise<RelayHarness> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-relay-"));
  const api = await startFakeFarmApi([account]);
  prepare(api);
  const config = readConfig({
    API_URL: api.origin,
    HOST: "127.0.0.1",
    PORT: "0",
    RELAY_MQTT_URL: "off",
    DATA_DIR: folder,
    LOG_LEVEL: "silent",
    ...environment,
  });
  const boot = async (): Promise<{ app: App; origin: string }> => {
    const app = await build(config, overrides);
    return { app, origin: await app.server.listen({ host: "127.0.0.1", port: 0 }) };
  };
  let running = await boot().catch(async (error: unknown) => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    api,
    account,
    get origin() {
      return running.origin;
    },
    get app() {
      return running.app;
    },
    async restart() {
      await running.app.server.close();
      running = await boot();
    },
    async close() {
      await running.app.server.close();
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
