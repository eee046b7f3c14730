import { type App, build, type Overrides } from "../src/app.ts";
import { readConfig } from "../src/config.ts";

/**
 * Start a relay on a free port, without a broker.
 *
 * @param folder of its files
 */
export async function bootRelay(
  apiUrl: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
  overrides: Overrides,
): Promise<{ readonly app: App; readonly origin: string }> {
  const config = readConfig({
    API_URL: apiUrl,
    HOST: "127.0.0.1",
    PORT: "0",
    RELAY_MQTT_URL: "off",
    DATA_DIR: folder,
    LOG_LEVEL: "silent",
    ...environment,
  });
  const app = await build(config, overrides);
  return { app, origin: await app.server.listen({ host: "127.0.0.1", port: 0 }) };
}
