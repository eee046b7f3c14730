import { ConfigError } from "@mulkko/shared/server/read-config";
import { describe, expect, test } from "vitest";
import { isInReach, readConfig } from "./config.ts";

const sentenceOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
};

describe("[config]", () => {
  test("[config] uses the defaults for an empty environment", () => {
    expect(readConfig({ API_PORT: " " })).toEqual({
      API_HOST: "127.0.0.1",
      API_PORT: 8081,
      MQTT_HOST: "127.0.0.1",
      MQTT_PORT: 1883,
      DATA_DIR: ".data",
      API_TIMEZONE: "Asia/Seoul",
      UPLINK_TOPICS: "off",
      MAIL_FROM: "Mulkko <mulkko@localhost>",
      PUBLIC_URL: "http://localhost:8080",
      DEMO: "on",
      DEMO_INTERVAL_MS: 10_000,
      MAX_DEVICES: 500,
      BACKUPS: "on",
      TRUSTED_PROXIES: "loopback",
      LOG_LEVEL: "info",
    });
  });

  test("[DEMO-1] the demo is for this machine alone, unless an address is chosen", () => {
    const inReach = (environment: Record<string, string>) => isInReach(readConfig(environment));
    const near = [
      {},
      { HOST: "127.0.0.1" },
      { HOST: "localhost" },
      { API_HOST: "::1" },
      { MQTT_HOST: "127.9.9.9" },
    ];
    const far = [
      ...["0.0.0.0", "::", "192.168.0.7", "farm.example", "127.0.0.1.example"].map((HOST) => ({ HOST })),
      { API_HOST: "0.0.0.0" },
      { MQTT_HOST: "0.0.0.0" },
    ];
    expect(near.map(inReach)).toEqual(near.map(() => false));
    expect(far.map(inReach)).toEqual(far.map(() => true));
  });

  test.each([
    ["API_PORT", "abc"],
    ["API_PORT", "70000"],
    ["MQTT_PORT", "-1"],
    ["DATABASE_URL", "mysql://x"],
    ["MQTT_URL", "http://x"],
    ["API_TIMEZONE", "Mars/Olympus"],
    ["MAX_DEVICES", "0"],
    ["METRICS_TOKEN", "short"],
    ["DEMO", "yes"],
    ["DEMO_INTERVAL_MS", "1.5"],
    ["RELAY_KEY", "short"],
    ["UPLINK_TOPICS", "helium"],
    ["UPLINK_KEY", "short"],
    ["SMTP_URL", "mail.example.com"],
    ["PUBLIC_URL", "farm.example.com"],
    ["RETENTION_DAYS", "0"],
    ["RETENTION_ROLLUP_DAYS", "1.5"],
    ["LOG_LEVEL", "loud"],
  ])("[config] %s=%s stops with a sentence that names it", (name, value) => {
    const sentence = sentenceOf({ [name]: value });
    expect(sentence).toMatch(new RegExp(`^${name} cannot be .+\\.$`));
  });

  test("[config] keeps hours and days at least as long as the readings", () => {
    expect(sentenceOf({ RETENTION_DAYS: "60", RETENTION_ROLLUP_DAYS: "59" })).toMatch(
      /^RETENTION_ROLLUP_DAYS/,
    );
    expect(sentenceOf({ RETENTION_ROLLUP_DAYS: "59" })).toMatch(/^RETENTION_ROLLUP_DAYS/);
    expect(readConfig({ RETENTION_DAYS: "60", RETENTION_ROLLUP_DAYS: "60" })).toMatchObject({
      RETENTION_DAYS: 60,
      RETENTION_ROLLUP_DAYS: 60,
    });
  });

  test("[config] does not repeat a secret in the error", () => {
    expect(sentenceOf({ RELAY_KEY: "tooshort" })).not.toContain("tooshort");
    expect(sentenceOf({ UPLINK_KEY: "tooshort" })).not.toContain("tooshort");
    expect(sentenceOf({ SMTP_URL: "me:pass@x" })).not.toContain("pass@");
    expect(sentenceOf({ DATABASE_URL: "mysql://me:pass@x" })).not.toContain("pass@");
  });
});
