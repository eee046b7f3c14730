import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import Type, { type Static, type TSchema } from "typebox";
import { createTrust } from "./gateway/trusted-proxies.ts";

const Text = Type.String({ minLength: 1 });
const Ms = Type.Integer({ minimum: 100, maximum: 86_400_000 });

/** The environment of the relay once it is checked; the names in capitals are those of the variables. */
export const Config = Type.Object({
  /** Origin of the farm API. */
  API_URL: Type.String({ pattern: "^https?://[^/?#@]+/?$" }),
  HOST: Text,
  /** 0 takes any free port. */
  PORT: Type.Integer({ minimum: 0, maximum: 65_535 }),
  /** The broker on which the API speaks to the relay; `off`: readings are polled. */
  RELAY_MQTT_URL: Type.String({ pattern: "^(off|(mqtts?|tcp|ssl|wss?)://.+)$" }),
  /** Shared with the API and its broker. Without it the relay has no sessions of its own (CRED-1). */
  RELAY_KEY: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
  /** Seals what the relay keeps of sessions; the same on all nodes. Made at the first start where it is not set. */
  RELAY_SECRET: Type.Optional(Type.String({ minLength: 32, maxLength: 256 })),
  /** Comma list of addresses and networks whose `X-Forwarded-For` is believed; empty: none. */
  TRUST_PROXY: Type.String(),
  /** Comma list of origins, beside the relay's own, whose pages may open live connections. */
  ALLOWED_ORIGINS: Type.String(),
  /** The relay keeps its files in the folder `relay` of it. */
  DATA_DIR: Text,
  /** Redis or Valkey, for several nodes; without it the store is in the process and in `DATA_DIR`. */
  REDIS_URL: Type.Optional(Type.String({ pattern: "^rediss?://.+" })),
  /** Begins every key and channel in Redis, so that several installations can share one. */
  REDIS_PREFIX: Type.String({ pattern: "^[\\w:.-]{1,64}$" }),
  API_TIMEZONE: Text,
  /** Requests a second that all polls together make at most. */
  UPSTREAM_RPS: Type.Number({ minimum: 1, maximum: 100_000 }),
  /** Comma list of path prefixes that are passed on to the API as images. */
  IMAGE_PREFIXES: Type.String({ pattern: "^(/[\\w./-]+(,/[\\w./-]+)*)?$" }),
  /** Where people open the pages: an unpaired screen's QR code leads there. */
  PUBLIC_URL: Type.Optional(Type.String({ pattern: "^https?://[^\\s/?#]+(/[^\\s?#]*)?$" })),
  /** Folder of the built web client; where it is not set, that of this workspace. */
  WEB_DIST: Type.Optional(Text),
  /** Key of the weather service; without it the farm's own stations are the weather. */
  WEATHER_API_KEY: Type.Optional(Type.String({ pattern: "^[\\w.-]{8,256}$" })),
  /** Where the weather service gives the current weather. */
  WEATHER_URL: Type.String({ pattern: "^https?://[^?#@]+$" }),
  /** A MapLibre style that takes the place of the embedded map: an address, or a path of this origin. */
  MAP_STYLE_URL: Type.Optional(
    Type.String({ pattern: "^(https?://[^\\s/]+/|/[^\\s/])\\S*$", maxLength: 2_000 }),
  ),
  /** Comma list of further origins from which that style takes tiles, letters and signs. */
  MAP_ORIGINS: Type.String(),
  /** ms between two polls of a sensor on some screen, and of a channel on some screen (POLL-1). */
  POLL_SENSOR_MS: Ms,
  POLL_CHANNEL_MS: Ms,
  /** ms between two polls of the lists while somebody looks, and while nobody does. */
  POLL_LIST_MS: Ms,
  POLL_LIST_UNWATCHED_MS: Ms,
  LOG_LEVEL: Type.Union(
    (["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const).map((level) =>
      Type.Literal(level),
    ),
  ),
});
export type Config = Static<typeof Config>;

const DEFAULTS: Readonly<Record<string, string>> = {
  API_URL: "http://127.0.0.1:8081",
  HOST: "0.0.0.0",
  PORT: "8080",
  RELAY_MQTT_URL: "mqtt://127.0.0.1:1883",
  TRUST_PROXY: "",
  ALLOWED_ORIGINS: "",
  DATA_DIR: ".data",
  REDIS_PREFIX: "mulkko:",
  API_TIMEZONE: "Asia/Seoul",
  UPSTREAM_RPS: "50",
  IMAGE_PREFIXES: "/images",
  WEATHER_URL: "https://api.openweathermap.org/data/2.5/weather",
  MAP_ORIGINS: "",
  POLL_SENSOR_MS: "10000",
  POLL_CHANNEL_MS: "10000",
  POLL_LIST_MS: "60000",
  POLL_LIST_UNWATCHED_MS: "300000",
  LOG_LEVEL: "info",
};

const NUMBERS = new Set([
  "PORT",
  "UPSTREAM_RPS",
  "POLL_SENSOR_MS",
  "POLL_CHANNEL_MS",
  "POLL_LIST_MS",
  "POLL_LIST_UNWATCHED_MS",
]);
const SECRET = new Set(["RELAY_KEY", "RELAY_SECRET", "RELAY_MQTT_URL", "REDIS_URL", "WEATHER_API_KEY"]);
const INTERVAL = "must be a whole number of milliseconds from 100 to 86400000";

/** What a variable may be, where the schema's own words would say little. */
const WANTED: Readonly<Record<string, string>> = {
  API_URL: "must be an origin such as http://127.0.0.1:8081, without a path",
  PORT: "must be a port number from 0 to 65535",
  RELAY_MQTT_URL: "must be off, or begin with mqtt://, mqtts://, tcp://, ssl://, ws:// or wss://",
  REDIS_URL: "must begin with redis:// or rediss://",
  REDIS_PREFIX: "must be 1 to 64 letters, digits and signs of _ : . -",
  RELAY_KEY: "must have 16 to 256 characters",
  RELAY_SECRET: "must have 32 to 256 characters",
  UPSTREAM_RPS: "must be a number of requests a second from 1 to 100000",
  IMAGE_PREFIXES: "must be a comma list of paths such as /images",
  WEATHER_API_KEY: "must be 8 to 256 letters, digits, dots, dashes or underlines",
  WEATHER_URL: "must be an address such as https://api.openweathermap.org/data/2.5/weather, without a query",
  PUBLIC_URL: "must be an address such as https://farm.example.com",
  MAP_STYLE_URL:
    "must be an address such as https://maps.example/style.json, or a path such as /maps/style.json",
  POLL_SENSOR_MS: INTERVAL,
  POLL_CHANNEL_MS: INTERVAL,
  POLL_LIST_MS: INTERVAL,
  POLL_LIST_UNWATCHED_MS: INTERVAL,
  LOG_LEVEL: "must be fatal, error, warn, info, debug, trace or silent",
};

/** A setting that the process cannot start with; the message is a sentence that names the variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

function sentence(name: string, value: unknown, reason: string): string {
  const shown = SECRET.has(name) ? "a value that is not shown here" : `"${String(value)}"`;
  return `${name} cannot be ${shown}: it ${reason}.`;
}

function rawOf(environment: Readonly<Record<string, string | undefined>>, name: string): unknown {
  const text = environment[name]?.trim() || DEFAULTS[name];
  return text !== undefined && NUMBERS.has(name) && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The parts of a comma list. */
export function commaList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const originOf = (address: string): string => {
  const { origin, protocol } = new URL(address);
  // A sign of the policy's own grammar would end the list that it stands in.
  if (!/^https?:$/.test(protocol) || /[;,'"]/.test(origin)) throw new TypeError(`${address} is no origin`);
  return origin;
};

/**
 * The origins, beside the relay's own, that the installation's map is fetched from.
 *
 * @throws TypeError for what is no address
 */
export function mapOrigins(style: string | undefined, further: string): string[] {
  const addresses = [...(style === undefined || style.startsWith("/") ? [] : [style]), ...commaList(further)];
  return [...new Set(addresses.map(originOf))];
}

/** What a schema cannot say. */
const MORE_CHECKS: readonly (readonly [name: string, reason: string, check: (config: Config) => unknown])[] =
  [
    ["API_TIMEZONE", "is no time zone known here", (config) => createApiTimeZone(config.API_TIMEZONE)],
    [
      "TRUST_PROXY",
      "must be a comma list of addresses and networks such as 10.0.0.0/8",
      (config) => createTrust(commaList(config.TRUST_PROXY)),
    ],
    [
      "ALLOWED_ORIGINS",
      "must be a comma list of origins such as https://farm.example",
      (config) => commaList(config.ALLOWED_ORIGINS).map((origin) => new URL(origin)),
    ],
    [
      "MAP_STYLE_URL",
      "is no address",
      ({ MAP_STYLE_URL: style }) => style !== undefined && mapOrigins(style, ""),
    ],
    [
      "MAP_ORIGINS",
      "must be a comma list of origins such as https://tiles.example",
      (config) => mapOrigins(undefined, config.MAP_ORIGINS),
    ],
  ];

/**
 * Checks the environment. An empty variable counts as not set.
 *
 * @throws ConfigError naming the first variable that cannot be used.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const schemas: Readonly<Record<string, TSchema>> = Config.properties;
  const raw: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const value = rawOf(environment, name);
    if (value === undefined) continue;
    const one = parse(schema, value);
    if (!one.ok) throw new ConfigError(sentence(name, value, WANTED[name] ?? one.message));
    raw[name] = value;
  }
  const whole = parse(Config, raw);
  if (!whole.ok) throw new ConfigError(`The configuration ${whole.message} (${whole.path}).`);
  for (const [name, reason, check] of MORE_CHECKS) {
    try {
      check(whole.value);
    } catch {
      throw new ConfigError(sentence(name, raw[name], reason));
    }
  }
  return whole.value;
}
