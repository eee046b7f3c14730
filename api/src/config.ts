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
  DEMO: "on",
  DEMO_INTERVAL_MS: "10000",
  TRUSTED_PROXIES: "loopback",
  LOG_LEVEL: "info",
};

const NUMBERS = new Set(["API_PORT", "MQTT_PORT", "DEMO_INTERVAL_MS"]);
const SECRET = new Set(["RELAY_KEY", "DATABASE_URL", "MQTT_URL"]);

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
  DEMO: "must be on or off",
  DEMO_INTERVAL_MS: "must be a whole number of milliseconds from 100 to 3600000",
  DATABASE_URL: "must begin with postgres:// or postgresql://",
  MQTT_URL: "must begin with mqtt://, mqtts://, tcp:// or ssl://",
  RELAY_KEY: "must have 16 to 256 characters",
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
  try {
    createApiTimeZone(whole.value.API_TIMEZONE);
  } catch {
    throw new ConfigError(sentence("API_TIMEZONE", whole.value.API_TIMEZONE, "is no time zone known here"));
  }
  return whole.value;
}
