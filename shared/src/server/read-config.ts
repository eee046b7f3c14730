import type { Static, TObject, TSchema } from "typebox";
import { createApiTimeZone } from "../rules/api-time.ts";
import { parse } from "../schema/parse.ts";

/** A setting that the process cannot start with; the message is a sentence that names the variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The process environment, or a part of it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables of one process. */
export interface ConfigSpec<Schema extends TObject> {
  /** One property for each variable, by its name in capitals. */
  readonly schema: Schema;
  readonly defaults: Readonly<Record<string, string>>;
  /** Variables whose values are never printed. */
  readonly secret: ReadonlySet<string>;
  /** "must be …" for variables whose schema's own message would say little. */
  readonly wanted: Readonly<Record<string, string>>;
  /** Rules that a schema cannot express; `check` throws for a value that cannot be used. */
  readonly checks: readonly {
    readonly name: string;
    readonly reason: string;
    check(config: Static<Schema>): unknown;
  }[];
}

/** The levels of the servers' log. */
export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** A bearer token. */
export const METRICS_TOKEN_PATTERN = "^[\\w.~+/=-]{16,256}$";

/** Sentences of variables that more than one process has. */
export const WANTED = {
  metricsToken: "must have 16 to 256 letters, digits and signs of . _ ~ + / = -",
  port: "must be a port number from 0 to 65535",
  relayKey: "must have 16 to 256 characters",
  logLevel: "must be fatal, error, warn, info, debug, trace or silent",
  publicUrl: "must be an address such as https://farm.example.com",
} as const;

/** Check `API_TIMEZONE`: both servers read the farm API's times in it. */
export const TIME_ZONE_CHECK = {
  name: "API_TIMEZONE",
  reason: "is not a known time zone",
  check: (config: { readonly API_TIMEZONE: string }) => createApiTimeZone(config.API_TIMEZONE),
} as const;

const isNumeric = (schema: TSchema): boolean =>
  "type" in schema && (schema.type === "integer" || schema.type === "number");

/**
 * Check the environment against a specification. An empty variable counts as not set.
 *
 * @throws ConfigError naming the first variable that cannot be used
 */
export function readEnvironment<Schema extends TObject>(
  { schema, defaults, secret, wanted, checks }: ConfigSpec<Schema>,
  environment: Environment,
): Static<Schema> {
  const refuse = (name: string, value: unknown, reason: string): ConfigError => {
    const shown = secret.has(name) ? "a value that is not shown here" : `"${String(value)}"`;
    return new ConfigError(`${name} cannot be ${shown}: it ${reason}.`);
  };
  const raw: Record<string, unknown> = {};
  const variables: Readonly<Record<string, TSchema>> = schema.properties;
  for (const [name, variable] of Object.entries(variables)) {
    const text = environment[name]?.trim() || defaults[name];
    if (text === undefined) continue;
    const value = isNumeric(variable) && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    const parsed = parse(variable, value);
    if (!parsed.ok) throw refuse(name, value, wanted[name] ?? parsed.message);
    raw[name] = value;
  }
  const config = parse(schema, raw);
  if (!config.ok) throw new ConfigError(`The configuration ${config.message} (${config.path}).`);
  for (const { name, reason, check } of checks) {
    try {
      check(config.value);
    } catch {
      throw refuse(name, raw[name], reason);
    }
  }
  return config.value;
}
