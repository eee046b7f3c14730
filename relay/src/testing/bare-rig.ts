import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, build } from "../app.ts";
import { readConfig } from "../config.ts";
import { type BareApi, type BareFarm, startBareApi } from "./bare-api.ts";

/** The real relay on a real socket, in front of an API that offers nothing beyond the founding documents. */
export interface BareRig {
  readonly api: BareApi;
  readonly origin: string;
  readonly app: App;
  /** GET of the relay with a token that the API accepts. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

const TOKEN = "bare-token";

export async function startBareRig(
  farm: BareFarm,
  environment: Readonly<Record<string, string>> = {},
): Promise<BareRig> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-bare-"));
  const api = await startBareApi(farm, TOKEN);
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
    const app = await build(config);
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
