import { join, resolve } from "node:path";
import { keepSecret } from "./kept-secret.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Return a variable's value; an empty one counts as not set. */
const textOf = (environment: Environment, name: string): string | undefined =>
  environment[name]?.trim() || undefined;

/** Environment variables of start.ts itself; each process checks its own. */
export interface StartPlan {
  /** Address of the page: `http://localhost:8080`. */
  readonly url: string;
  /** False if API_URL names an external farm API. */
  readonly startsApi: boolean;
  /** Addresses that answer 200 when all processes are up. */
  readonly healthUrls: readonly string[];
  /** Ports of our processes, by their variable. */
  readonly ports: readonly { readonly variable: string; readonly port: number }[];
}

const portOf = (environment: Environment, variable: string, otherwise: number): number => {
  const text = textOf(environment, variable);
  if (text === undefined) return otherwise;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`${variable} cannot be "${text}": it is a number from 1 to 65535.`);
};

/** @throws Error that names the invalid variable */
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
    ports: [page, ...(startsApi ? [api] : []), ...(startsBroker ? [broker] : [])],
  };
};

/**
 * Return the environment of both processes: our own, the addresses of each other, and the key that the
 * bundled API and the relay share, made at the first start. An external farm API gets no key, and the relay
 * then connects to no broker unless one is set.
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
  const isDemo = textOf(environment, "DEMO") !== "off";
  const host = textOf(environment, "HOST") ?? "127.0.0.1";
  return {
    ...environment,
    // The demo is for this machine alone, unless an address is chosen: its password is published.
    ...(isDemo && {
      HOST: host,
      API_HOST: textOf(environment, "API_HOST") ?? host,
      MQTT_HOST: textOf(environment, "MQTT_HOST") ?? host,
    }),
    API_URL: `http://127.0.0.1:${apiPort}`,
    // Base of links in mails; a farm that is reached from elsewhere sets its own.
    PUBLIC_URL: textOf(environment, "PUBLIC_URL") ?? `http://localhost:${portOf(environment, "PORT", 8080)}`,
    RELAY_MQTT_URL:
      textOf(environment, "RELAY_MQTT_URL") ??
      textOf(environment, "MQTT_URL") ??
      `mqtt://127.0.0.1:${brokerPort}`,
    RELAY_KEY: textOf(environment, "RELAY_KEY") ?? (await keepSecret(join(folder, "relay-key"))),
  };
};
