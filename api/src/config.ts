import {
  type Environment,
  LOG_LEVELS,
  METRICS_TOKEN_PATTERN,
  readEnvironment,
  TIME_ZONE_CHECK,
  WANTED,
} from "@mulkko/shared/server/read-config";
import { type Static, Type } from "typebox";

const Port = Type.Integer({ minimum: 0, maximum: 65_535 });
const Text = Type.String({ minLength: 1 });

/** The validated environment of the farm API; names in capitals are those of the variables. */
export const Config = Type.Object({
  /** Address of the page, which the relay listens on: the demo's password is published only where it is this machine. */
  HOST: Type.Optional(Text),
  API_HOST: Text,
  /** 0 uses any free port. */
  API_PORT: Port,
  MQTT_HOST: Text,
  /** 0 uses any free port. */
  MQTT_PORT: Port,
  /** URL of PostgreSQL; without it PGlite uses a folder in DATA_DIR. */
  DATABASE_URL: Type.Optional(Type.String({ pattern: "^postgres(ql)?://" })),
  /** URL of an external broker; without it a broker runs inside this process. */
  MQTT_URL: Type.Optional(Type.String({ pattern: "^(mqtts?|tcp|ssl)://" })),
  DATA_DIR: Text,
  API_TIMEZONE: Text,
  /** Key of the relay at the broker and at this API. Without it there is no relay session. */
  RELAY_KEY: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
  /** Set for the relay: a backup then states that it does not contain the relay's data. */
  REDIS_URL: Type.Optional(Text),
  /** Network servers whose uplinks arrive over `MQTT_URL`. */
  UPLINK_TOPICS: Type.Union(
    (["off", "chirpstack", "tts", "both"] as const).map((source) => Type.Literal(source)),
  ),
  /** Key of a network server at the embedded broker. Without it there is no such user. */
  UPLINK_KEY: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
  /** The mail server. Without it mails stay in the outbox, where administrators read them. */
  SMTP_URL: Type.Optional(Type.String({ pattern: "^smtps?://" })),
  /** Sender of mails. */
  MAIL_FROM: Text,
  /** URL of the web client, the base of links in mails. */
  PUBLIC_URL: Type.String({ pattern: "^https?://[^\\s/?#]+(/[^\\s?#]*)?$" }),
  /** Days to keep raw readings; without it they are kept without limit. */
  RETENTION_DAYS: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  /** Days to keep hours and days, not less than the readings; without it they are kept without limit. */
  RETENTION_ROLLUP_DAYS: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  /** Devices that an account may register; administrators may register more for it. */
  MAX_DEVICES: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  /** `off`: backups are made elsewhere, and their age is not monitored. */
  BACKUPS: Type.Union([Type.Literal("on"), Type.Literal("off")]),
  DEMO: Type.Union([Type.Literal("on"), Type.Literal("off")]),
  DEMO_INTERVAL_MS: Type.Integer({ minimum: 100, maximum: 3_600_000 }),
  /** Comma-separated addresses, networks or names that `proxy-addr` knows. */
  TRUSTED_PROXIES: Text,
  /** Bearer token for the metrics and the details of `/ready`; without one this machine alone reads them. */
  METRICS_TOKEN: Type.Optional(Type.String({ pattern: METRICS_TOKEN_PATTERN })),
  LOG_LEVEL: Type.Union(LOG_LEVELS.map((level) => Type.Literal(level))),
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
  MAX_DEVICES: "500",
  BACKUPS: "on",
  DEMO: "on",
  DEMO_INTERVAL_MS: "10000",
  TRUSTED_PROXIES: "loopback",
  LOG_LEVEL: "info",
};

/** The demo is for this machine alone, unless an address is chosen. */
const DEMO_DEFAULTS: Readonly<Record<string, string>> = {
  ...DEFAULTS,
  API_HOST: "127.0.0.1",
  MQTT_HOST: "127.0.0.1",
};

const SECRET = new Set([
  "RELAY_KEY",
  "UPLINK_KEY",
  "DATABASE_URL",
  "MQTT_URL",
  "REDIS_URL",
  "SMTP_URL",
  "METRICS_TOKEN",
]);

const WANTED_HERE: Readonly<Record<string, string>> = {
  API_PORT: WANTED.port,
  MQTT_PORT: WANTED.port,
  BACKUPS: "must be on or off",
  DEMO: "must be on or off",
  DEMO_INTERVAL_MS: "must be a whole number of milliseconds from 100 to 3600000",
  DATABASE_URL: "must begin with postgres:// or postgresql://",
  MQTT_URL: "must begin with mqtt://, mqtts://, tcp:// or ssl://",
  RELAY_KEY: WANTED.relayKey,
  UPLINK_TOPICS: "must be off, chirpstack, tts or both",
  UPLINK_KEY: WANTED.relayKey,
  SMTP_URL: "must begin with smtp:// or smtps://",
  PUBLIC_URL: WANTED.publicUrl,
  RETENTION_DAYS: "must be a whole number of days from 1 to 36500",
  RETENTION_ROLLUP_DAYS: "must be a whole number of days from 1 to 36500",
  MAX_DEVICES: "must be a whole number from 1 to 1000000",
  METRICS_TOKEN: WANTED.metricsToken,
  LOG_LEVEL: WANTED.logLevel,
};

/**
 * Validate the environment. An empty variable counts as unset.
 *
 * @throws ConfigError naming the first invalid variable
 */
export const readConfig = (environment: Environment): Config =>
  readEnvironment(
    {
      schema: Config,
      defaults: environment.DEMO?.trim() === "off" ? DEFAULTS : DEMO_DEFAULTS,
      secret: SECRET,
      wanted: WANTED_HERE,
      checks: [
        {
          name: "RETENTION_ROLLUP_DAYS",
          reason: "must not be less than RETENTION_DAYS, which must be set too",
          check({ RETENTION_DAYS: days, RETENTION_ROLLUP_DAYS: rollupDays }) {
            if (rollupDays !== undefined && rollupDays < (days ?? Number.POSITIVE_INFINITY)) {
              throw new RangeError("sums would be deleted before the readings");
            }
          },
        },
        TIME_ZONE_CHECK,
      ],
    },
    environment,
  );

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;

/** Return true if others than this machine reach the page, the API or the broker. */
export const isInReach = ({
  HOST,
  API_HOST,
  MQTT_HOST,
}: Pick<Config, "HOST" | "API_HOST" | "MQTT_HOST">): boolean =>
  [HOST, API_HOST, MQTT_HOST].some((host) => host !== undefined && !LOOPBACK.test(host));
