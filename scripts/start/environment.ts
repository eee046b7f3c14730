import { join, resolve } from "node:path";
import { keepSecret } from "./kept-secret.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as not set. */
const textOf = (environment: Environment, name: string): string | undefined =>
  environment[name]?.trim() || undefined;

/** What start.ts itself reads of the environment; each process checks the rest of it. */
export interface StartPlan {
  /** Where the page is: `http://localhost:8080`. */
  readonly url: string;
  /** False where API_URL names a farm API that runs elsewhere. */
  readonly startsApi: boolean;
  readonly hasDemo: boolean;
  /** What answers 200 when everything that is started is up. */
  readonly healthUrls: readonly string[];
  /** The ports that our processes will listen on, by the variable that moves them. */
  readonly ports: readonly { readonly variable: string; readonly port: number }[];
}

const portOf = (environment: Environment, variable: string, otherwise: number): number => {
  const text = textOf(environment, variable);
  if (text === undefined) return otherwise;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`${variable} cannot be "${text}": it is a number from 1 to 65535.`);
};

/** @throws Error with a sentence that names the variable that cannot be used */
export const planStart = (environment: Environment): StartPlan => {
  const startsApi = textOf(environment, "API_URL") === undefined;
  const startsBroker = startsApi && textOf(environment, "MQTT_URL") === undefined;
  const page = { variable: "PORT", port: portOf(environment, "PORT", 8080) };
  const api = { variable: "API_PORT", port: portOf(environment, "API_PORT", 8081) };
  const broker = { variable: "MQTT_PORT", port: portOf(environment, "MQTT_PORT", 1883) };
  const healthOf = ({ port }: { port: number }): string => `http://localhost:${port}/health`;
  return {
    url: `http://localhost:${page.port}`,
    healthUrls: (startsApi ? [api, page] : [page]).map(healthOf),
    startsApi,
    hasDemo: startsApi && textOf(environment, "DEMO") !== "off",
    ports: [page, ...(startsApi ? [api] : []), ...(startsBroker ? [broker] : [])],
  };
};

/**
 * The environment of both processes: ours, where each finds the other, and the key by which the bundled API knows
 * the relay, made at the first start. A farm API elsewhere gets no key that it cannot know, and the relay listens
 * to no broker unless one is named.
 */
export const processEnvironment = async (
  root: string,
  environment: Environment,
  startsApi: boolean,
): Promise<NodeJS.ProcessEnv> => {
  if (!startsApi) return { RELAY_MQTT_URL: "off", ...environment };
  const apiPort = portOf(environment, "API_PORT", 8081);
  const brokerPort = portOf(environment, "MQTT_PORT", 1883);
  const folder = resolve(root, textOf(environment, "DATA_DIR") ?? ".data");
  return {
    ...environment,
    API_URL: `http://127.0.0.1:${apiPort}`,
    // Where links in mails lead; a farm that is reached from elsewhere names its own.
    PUBLIC_URL: textOf(environment, "PUBLIC_URL") ?? `http://localhost:${portOf(environment, "PORT", 8080)}`,
    RELAY_MQTT_URL:
      textOf(environment, "RELAY_MQTT_URL") ??
      textOf(environment, "MQTT_URL") ??
      `mqtt://127.0.0.1:${brokerPort}`,
    RELAY_KEY: textOf(environment, "RELAY_KEY") ?? (await keepSecret(join(folder, "relay-key"))),
  };
};
