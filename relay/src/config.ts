import {
  type ConfigSpec,
  type Environment,
  LOG_LEVELS,
  METRICS_TOKEN_PATTERN,
  readEnvironment,
  TIME_ZONE_CHECK,
  WANTED,
} from "@mulkko/shared/server/read-config";
import Type, { type Static } from "typebox";
import { createTrust } from "./http/trusted-proxies.ts";

const Text = Type.String({ minLength: 1 });
const Ms = Type.Integer({ minimum: 100, maximum: 86_400_000 });

/** The validated environment of the relay; names in capitals are those of the variables. */
export const Config = Type.Object({
  /** Origin of the farm API, with its base path, if any. */
  API_URL: Type.String({ pattern: "^https?://[^/?#@\\s]+(/[^?#@\\s]*)?$" }),
  HOST: Text,
  /** 0 takes any free port. */
  PORT: Type.Integer({ minimum: 0, maximum: 65_535 }),
  /** The broker of the farm API's messages; `off`: readings are polled. */
  RELAY_MQTT_URL: Type.String({ pattern: "^(off|(mqtts?|tcp|ssl|wss?)://.+)$" }),
  /** Shared with the API and its broker. Without it the relay has no sessions of its own (CRED-1). */
  RELAY_KEY: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
  /** Encrypts stored sessions; identical on all nodes. Generated at the first start if it is not set. */
  RELAY_SECRET: Type.Optional(Type.String({ minLength: 32, maxLength: 256 })),
  /** Bearer token for reading the metrics; without it only this machine may read them. */
  METRICS_TOKEN: Type.Optional(Type.String({ pattern: METRICS_TOKEN_PATTERN })),
  /** Comma list of addresses and networks whose `X-Forwarded-For` is trusted; empty: none. */
  TRUST_PROXY: Type.String(),
  /** Comma list of additional origins whose pages may open live connections. */
  ALLOWED_ORIGINS: Type.String(),
  /** The relay stores its files in the subfolder `relay`. */
  DATA_DIR: Text,
  /** Redis or Valkey, for several nodes; without it the store is in-process with files in `DATA_DIR`. */
  REDIS_URL: Type.Optional(Type.String({ pattern: "^rediss?://.+" })),
  /** Prefix of every key and channel in Redis, so that several installations can share one. */
  REDIS_PREFIX: Type.String({ pattern: "^[\\w:.-]{1,64}$" }),
  API_TIMEZONE: Text,
  /** Maximum rate of all polls together, requests per second. */
  UPSTREAM_RPS: Type.Number({ minimum: 1, maximum: 100_000 }),
  /** Comma list of path prefixes that are proxied to the API as images. */
  IMAGE_PREFIXES: Type.String({ pattern: "^(/[\\w./-]+(,/[\\w./-]+)*)?$" }),
  /** Public address of the pages; an unpaired screen's QR code leads there. */
  PUBLIC_URL: Type.Optional(Type.String({ pattern: "^https?://[^\\s/?#]+(/[^\\s?#]*)?$" })),
  /** Folder of the built web client; default: that of this workspace. */
  WEB_DIST: Type.Optional(Text),
  /** Key of the weather service; without it the farm's own stations provide the weather. */
  WEATHER_API_KEY: Type.Optional(Type.String({ pattern: "^[\\w.-]{8,256}$" })),
  /** Address of the weather service's current weather. */
  WEATHER_URL: Type.String({ pattern: "^https?://[^?#@]+$" }),
  /** A MapLibre style that replaces the embedded map: an address, or a path of this origin. */
  MAP_STYLE_URL: Type.Optional(
    Type.String({ pattern: "^(https?://[^\\s/]+/|/[^\\s/])\\S*$", maxLength: 2_000 }),
  ),
  /** Comma list of additional origins from which that style loads tiles, glyphs and sprites. */
  MAP_ORIGINS: Type.String(),
  /** ms between two polls of a watched sensor or channel (POLL-1). */
  POLL_SENSOR_MS: Ms,
  POLL_CHANNEL_MS: Ms,
  /** ms between two polls of the lists while watched, and while unwatched. */
  POLL_LIST_MS: Ms,
  POLL_LIST_UNWATCHED_MS: Ms,
  LOG_LEVEL: Type.Union(LOG_LEVELS.map((level) => Type.Literal(level))),
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

const SECRET = new Set([
  "RELAY_KEY",
  "RELAY_SECRET",
  "METRICS_TOKEN",
  "RELAY_MQTT_URL",
  "REDIS_URL",
  "WEATHER_API_KEY",
]);
const INTERVAL = "must be a whole number of milliseconds from 100 to 86400000";

const WANTED_HERE: Readonly<Record<string, string>> = {
  API_URL:
    "must be an address such as http://127.0.0.1:8081 or https://farm.example/backend, without a query",
  PORT: WANTED.port,
  RELAY_MQTT_URL: "must be off, or begin with mqtt://, mqtts://, tcp://, ssl://, ws:// or wss://",
  REDIS_URL: "must begin with redis:// or rediss://",
  REDIS_PREFIX: "must be 1 to 64 letters, digits and signs of _ : . -",
  RELAY_KEY: WANTED.relayKey,
  RELAY_SECRET: "must have 32 to 256 characters",
  METRICS_TOKEN: WANTED.metricsToken,
  UPSTREAM_RPS: "must be a number of requests a second from 1 to 100000",
  IMAGE_PREFIXES: "must be a comma list of paths such as /images",
  WEATHER_API_KEY: "must be 8 to 256 letters, digits, dots, dashes or underlines",
  WEATHER_URL: "must be an address such as https://api.openweathermap.org/data/2.5/weather, without a query",
  PUBLIC_URL: WANTED.publicUrl,
  MAP_STYLE_URL:
    "must be an address such as https://maps.example/style.json, or a path such as /maps/style.json",
  POLL_SENSOR_MS: INTERVAL,
  POLL_CHANNEL_MS: INTERVAL,
  POLL_LIST_MS: INTERVAL,
  POLL_LIST_UNWATCHED_MS: INTERVAL,
  LOG_LEVEL: WANTED.logLevel,
};

/** Split a comma list. */
export function commaList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const originOf = (address: string): string => {
  const { origin, protocol } = new URL(address);
  // A character of the policy's own syntax would end the list that contains the origin.
  if (!/^https?:$/.test(protocol) || /[;,'"]/.test(origin))
    throw new TypeError(`${address} is not an origin`);
  return origin;
};

/**
 * Return the additional origins that the installation's map is loaded from.
 *
 * @throws TypeError for an invalid address
 */
export function mapOrigins(style: string | undefined, further: string): string[] {
  const addresses = [...(style === undefined || style.startsWith("/") ? [] : [style]), ...commaList(further)];
  return [...new Set(addresses.map(originOf))];
}

const CHECKS: ConfigSpec<typeof Config>["checks"] = [
  TIME_ZONE_CHECK,
  {
    name: "TRUST_PROXY",
    reason: "must be a comma list of addresses and networks such as 10.0.0.0/8",
    check: (config) => createTrust(commaList(config.TRUST_PROXY)),
  },
  {
    name: "ALLOWED_ORIGINS",
    reason: "must be a comma list of origins such as https://farm.example",
    check: (config) => commaList(config.ALLOWED_ORIGINS).map((origin) => new URL(origin)),
  },
  {
    name: "MAP_STYLE_URL",
    reason: "is not an address",
    check: ({ MAP_STYLE_URL: style }) => style !== undefined && mapOrigins(style, ""),
  },
  {
    name: "MAP_ORIGINS",
    reason: "must be a comma list of origins such as https://tiles.example",
    check: (config) => mapOrigins(undefined, config.MAP_ORIGINS),
  },
];

/**
 * Validate the environment. An empty variable counts as not set.
 *
 * @throws ConfigError naming the first invalid variable
 */
export const readConfig = (environment: Environment): Config =>
  readEnvironment(
    { schema: Config, defaults: DEFAULTS, secret: SECRET, wanted: WANTED_HERE, checks: CHECKS },
    environment,
  );
