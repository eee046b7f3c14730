import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, build, type Overrides } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { type PlainApi, type PlainFarm, startPlainApi } from "./plain-api.ts";

/** The real relay on a real socket, in front of an API without extensions. */
export interface PlainApiHarness {
  readonly api: PlainApi;
  readonly origin: string;
  readonly app: App;
  /** Send a GET request to the relay with a token that the API accepts. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Restart the relay on the same folder, with the changed environment variables. */
  restart(change?: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

const TOKEN = "bare-token";

export async function startPlainApiHarness(
  farm: PlainFarm,
  environment: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<PlainApiHarness> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-bare-"));
  const api = await startPlainApi(farm, TOKEN);
  const boot = async (
    change: Readonly<Record<string, string>> = {},
  ): Promise<{ app: App; origin: string }> => {
    const config = readConfig({
      API_URL: api.origin,
      HOST: "127.0.0.1",
      PORT: "0",
      RELAY_MQTT_URL: "off",
      DATA_DIR: folder,
      LOG_LEVEL: "silent",
      ...environment,
      ...change,
    });
    const app = await build(config, overrides);
    return { app, origin: await app.server.listen({ host: "127.0.0.1", port: 0 }) };
  };
  let running = await boot();
  return {
    api,
    get origin() {
      return running.origin;
    },
    get app() {
      return running.app;
    },
    get: (path, headers = {}) =>
      fetch(`${running.origin}${path}`, { headers: { authorization: `Bearer ${TOKEN}`, ...headers } }),
    async restart(change) {
      await running.app.server.close();
      running = await boot(change);
    },
    async close() {
      await running.app.server.close();
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
