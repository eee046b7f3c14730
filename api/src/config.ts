import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, type TSchema, Type } from "typebox";

const Port = Type.Integer({ minimum: 0, maximum: 65_535 });
const Text = Type.String({ minLength: 1 });

/** The environment of the farm API once it is checked; the names in capitals are those of the variables. */
export const Config = Type.Object({
  API_HOST: Text,
  /** 0 takes any free port. */
  API_PORT: Port,
  MQTT_HOST: Text,
  /** 0 takes any free port. */
  MQTT_PORT: Port,
  /** PostgreSQL; where it is not set, PGlite keeps a folder in DATA_DIR. */
  DATABASE_URL: Type.Optional(Type.String({ pattern: "^postgres(ql)?://" })),
  /** A broker elsewhere; where it is not set, one runs inside this process. */
  MQTT_URL: Type.Optional(Type.String({ pattern: "^(mqtts?|tcp|ssl)://" })),
  DATA_DIR: Text,
  API_TIMEZONE: Text,
  /** What the relay shows to the broker and to this API. Without it there is no relay session. */
  RELAY_KEY: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
  /** The relay's: a backup says that what is there is not in it. */
  REDIS_URL: Type.Optional(Text),
  /** Network servers whose uplinks come over `MQTT_URL`. */
  UPLINK_TOPICS: Type.Union(
    (["off", "chirpstack", "tts", "both"] as const).map((source) => Type.Literal(source)),
  ),
  /** What a network server shows to the broker in this process. Without it there is no such user. */
  UPLINK_KEY: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
  /** The mail server. Without it mails stay here, where administrators read them. */
  SMTP_URL: Type.Optional(Type.String({ pattern: "^smtps?://" })),
  /** Whom mails come from. */
  MAIL_FROM: Text,
  /** Where people open the web client: what links in mails begin with. */
  PUBLIC_URL: Type.String({ pattern: "^https?://[^\\s/?#]+(/[^\\s?#]*)?$" }),
  /** Days that readings are kept as they came; without it for ever. */
  RETENTION_DAYS: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  /** Days that their hours and days are kept, not less than the readings; without it for ever. */
  RETENTION_ROLLUP_DAYS: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  /** `off`: backups are taken elsewhere, and their age is not watched. */
  BACKUPS: Type.Union([Type.Literal("on"), Type.Literal("off")]),
  DEMO: Type.Union([Type.Literal("on"), Type.Literal("off")]),
  DEMO_INTERVAL_MS: Type.Integer({ minimum: 100, maximum: 3_600_000 }),
  /** Comma list of addresses, networks or the names that `proxy-addr` knows. */
  TRUSTED_PROXIES: Text,
  LOG_LEVEL: Type.Union(
    (["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const).map((level) =>
      Type.Literal(level),
    ),
  ),
});
export type Config = Static<typeof Config>;

const DEFAULTS: Readonly<Record<string, string>> = {
  API_HOST: "0.0.0.0",
  API_PORT: "8081",
  MQTT_HOST: "0.0.0.0",
  MQTT_PORT: "1883",
  DATA_DIR: ".data",
  API_TIMEZONE: "Asia/Seoul",
  UPLINK_TOPICS: "off",
  MAIL_FROM: "Mulkko <mulkko@localhost>",
  PUBLIC_URL: "http://localhost:8080",
  BACKUPS: "on",
  DEMO: "on",
  DEMO_INTERVAL_MS: "10000",
  TRUSTED_PROXIES: "loopback",
  LOG_LEVEL: "info",
};

const NUMBERS = new Set([
  "API_PORT",
  "MQTT_PORT",
  "DEMO_INTERVAL_MS",
  "RETENTION_DAYS",
  "RETENTION_ROLLUP_DAYS",
]);
const SECRET = new Set(["RELAY_KEY", "UPLINK_KEY", "DATABASE_URL", "MQTT_URL", "REDIS_URL", "SMTP_URL"]);

/** A setting that the process cannot start with; the message is a sentence that names the variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

function rawOf(environment: Readonly<Record<string, string | undefined>>, name: string): unknown {
  const given = environment[name]?.trim();
  const text = given ? given : DEFAULTS[name];
  return text !== undefined && NUMBERS.has(name) && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** What a variable may be, where the schema's own words would say little. */
const WANTED: Readonly<Record<string, string>> = {
  API_PORT: "must be a port number from 0 to 65535",
  MQTT_PORT: "must be a port number from 0 to 65535",
  BACKUPS: "must be on or off",
  DEMO: "must be on or off",
  DEMO_INTERVAL_MS: "must be a whole number of milliseconds from 100 to 3600000",
  DATABASE_URL: "must begin with postgres:// or postgresql://",
  MQTT_URL: "must begin with mqtt://, mqtts://, tcp:// or ssl://",
  RELAY_KEY: "must have 16 to 256 characters",
  UPLINK_TOPICS: "must be off, chirpstack, tts or both",
  UPLINK_KEY: "must have 16 to 256 characters",
  SMTP_URL: "must begin with smtp:// or smtps://",
  PUBLIC_URL: "must be an address such as https://farm.example.com",
  RETENTION_DAYS: "must be a whole number of days from 1 to 36500",
  RETENTION_ROLLUP_DAYS: "must be a whole number of days from 1 to 36500",
  LOG_LEVEL: "must be fatal, error, warn, info, debug, trace or silent",
};

function sentence(name: string, value: unknown, reason: string): string {
  const shown = SECRET.has(name) ? "a value that is not shown here" : `"${String(value)}"`;
  return `${name} cannot be ${shown}: it ${reason}.`;
}

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
  const { RETENTION_DAYS: rawDays, RETENTION_ROLLUP_DAYS: rollupDays } = whole.value;
  if (rollupDays !== undefined && rollupDays < (rawDays ?? Number.POSITIVE_INFINITY)) {
    throw new ConfigError(
      sentence(
        "RETENTION_ROLLUP_DAYS",
        rollupDays,
        "must not be less than RETENTION_DAYS, which must be set too",
      ),
    );
  }
  try {
    createApiTimeZone(whole.value.API_TIMEZONE);
  } catch {
    throw new ConfigError(sentence("API_TIMEZONE", whole.value.API_TIMEZONE, "is no time zone known here"));
  }
  return whole.value;
}
