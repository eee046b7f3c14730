import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planStart, processEnvironment } from "./environment.ts";

describe("what start reads of the environment", () => {
  it("[start] runs API, broker and relay with the demo when nothing is set", () => {
    expect(planStart({})).toEqual({
      url: "http://localhost:8080",
      startsApi: true,
      hasDemo: true,
      healthUrls: ["http://localhost:8081/health", "http://localhost:8080/health"],
      ports: [
        { variable: "PORT", port: 8080 },
        { variable: "API_PORT", port: 8081 },
        { variable: "MQTT_PORT", port: 1883 },
      ],
    });
  });

  it("[start] runs the relay alone in front of an API that runs elsewhere", () => {
    const plan = planStart({ API_URL: "https://farm.example.org", PORT: "9000" });
    expect(plan).toMatchObject({ startsApi: false, hasDemo: false, url: "http://localhost:9000" });
    expect(plan.ports).toEqual([{ variable: "PORT", port: 9000 }]);
    expect(plan.healthUrls).toEqual(["http://localhost:9000/health"]);
  });

  it("[start] leaves the port of a broker elsewhere alone, and takes an empty variable for unset", () => {
    const plan = planStart({ MQTT_URL: "mqtt://broker", API_URL: " ", DEMO: "off" });
    expect(plan.ports.map(({ variable }) => variable)).toEqual(["PORT", "API_PORT"]);
    expect(plan.hasDemo).toBe(false);
  });

  it.each(["0", "65536", "80a", "-1", "1.5"])("[start] names the variable of the bad port %s", (text) => {
    expect(() => planStart({ PORT: text })).toThrow(`PORT cannot be "${text}"`);
  });
});

describe("the key that API and relay share", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "mulkko-start-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("[start] is made once, and only its owner may read it", async () => {
    const first = await processEnvironment(folder, {}, true);
    const second = await processEnvironment(folder, {}, true);
    expect(first.RELAY_KEY).toMatch(/^[0-9a-f]{64}$/);
    expect(second.RELAY_KEY).toBe(first.RELAY_KEY);
    expect((await stat(join(folder, ".data/relay-key"))).mode & 0o777).toBe(0o600);
  });

  it("[start] lies in DATA_DIR", async () => {
    const { RELAY_KEY } = await processEnvironment(folder, { DATA_DIR: join(folder, "farm") }, true);
    await writeFile(join(folder, "farm/relay-key"), "another-key\n");
    const changed = await processEnvironment(folder, { DATA_DIR: join(folder, "farm") }, true);
    expect(RELAY_KEY).not.toBe("another-key");
    expect(changed.RELAY_KEY).toBe("another-key");
  });

  it("[start] is the one of the environment where that has one, and none for an API elsewhere", async () => {
    expect(await processEnvironment(folder, { RELAY_KEY: "given" }, true)).toEqual({ RELAY_KEY: "given" });
    expect(await processEnvironment(folder, { API_URL: "http://a" }, false)).toEqual({ API_URL: "http://a" });
  });
});
