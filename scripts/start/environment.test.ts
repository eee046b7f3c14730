import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planStart, processEnvironment } from "./environment.ts";

describe("environment variables of start", () => {
  it("[start] runs API, broker and relay with the demo without any variable", () => {
    expect(planStart({})).toEqual({
      url: "http://localhost:8080",
      startsApi: true,
      healthUrls: ["http://localhost:8081/health", "http://localhost:8080/health"],
      ports: [
        { variable: "PORT", port: 8080 },
        { variable: "API_PORT", port: 8081 },
        { variable: "MQTT_PORT", port: 1883 },
      ],
    });
  });

  it("[start] runs only the relay in front of an external API", () => {
    const plan = planStart({ API_URL: "https://farm.example.org", PORT: "9000" });
    expect(plan).toMatchObject({ startsApi: false, url: "http://localhost:9000" });
    expect(plan.ports).toEqual([{ variable: "PORT", port: 9000 }]);
    expect(plan.healthUrls).toEqual(["http://localhost:9000/health"]);
  });

  it("[start] does not check the port of an external broker, and treats an empty variable as not set", () => {
    const plan = planStart({ MQTT_URL: "mqtt://broker", API_URL: " ", DEMO: "off" });
    expect(plan.ports.map(({ variable }) => variable)).toEqual(["PORT", "API_PORT"]);
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

  it("[start] creates it once, readable only by its owner", async () => {
    const first = await processEnvironment(folder, {}, true);
    const second = await processEnvironment(folder, {}, true);
    expect(first.RELAY_KEY).toMatch(/^[0-9a-f]{64}$/);
    expect(second.RELAY_KEY).toBe(first.RELAY_KEY);
    expect((await stat(join(folder, ".data/relay-key"))).mode & 0o777).toBe(0o600);
  });

  it("[start] stores it in DATA_DIR", async () => {
    const { RELAY_KEY } = await processEnvironment(folder, { DATA_DIR: join(folder, "farm") }, true);
    await writeFile(join(folder, "farm/relay-key"), "another-key\n");
    const changed = await processEnvironment(folder, { DATA_DIR: join(folder, "farm") }, true);
    expect(RELAY_KEY).not.toBe("another-key");
    expect(changed.RELAY_KEY).toBe("another-key");
  });

  it("[start] ends with an explanation if DATA_DIR is not writable", async () => {
    await writeFile(join(folder, "file"), "");
    const DATA_DIR = join(folder, "file", "farm");
    await expect(processEnvironment(folder, { DATA_DIR }, true)).rejects.toThrow(
      `The folder ${DATA_DIR} cannot be used (ENOTDIR`,
    );
  });

  it("[start] takes it from the environment if set, and uses none for an external API", async () => {
    expect(await processEnvironment(folder, { RELAY_KEY: "given" }, true)).toMatchObject({
      RELAY_KEY: "given",
    });
    expect(await processEnvironment(folder, { API_URL: "http://a" }, false)).not.toHaveProperty("RELAY_KEY");
  });
});

describe("the reach of the demo", () => {
  const hosts = async (environment: Record<string, string>) => {
    const made = await processEnvironment("/nowhere", { RELAY_KEY: "given", ...environment }, true);
    return [made.HOST, made.API_HOST, made.MQTT_HOST];
  };

  it.each([
    [{}, ["127.0.0.1", "127.0.0.1", "127.0.0.1"]],
    [{ HOST: " " }, ["127.0.0.1", "127.0.0.1", "127.0.0.1"]],
    [{ HOST: "0.0.0.0" }, ["0.0.0.0", "0.0.0.0", "0.0.0.0"]],
    [{ MQTT_HOST: "0.0.0.0" }, ["127.0.0.1", "127.0.0.1", "0.0.0.0"]],
    [{ DEMO: "off" }, [undefined, undefined, undefined]],
    [{ DEMO: "off", HOST: "10.0.0.1" }, ["10.0.0.1", undefined, undefined]],
  ] as const)("[DEMO-1] with %o the servers listen on %o", async (environment, expected) => {
    expect(await hosts(environment)).toEqual(expected);
  });
});

describe("addresses of API and relay for each other", () => {
  const given = { RELAY_KEY: "given" };

  it("[start] follows changed ports", async () => {
    const moved = { ...given, API_PORT: "9081", MQTT_PORT: "2883" };
    expect(await processEnvironment("/nowhere", moved, true)).toMatchObject({
      API_URL: "http://127.0.0.1:9081",
      RELAY_MQTT_URL: "mqtt://127.0.0.1:2883",
    });
  });

  it("[start] uses it for links in mails, unless a public address is set", async () => {
    expect(await processEnvironment("/nowhere", { ...given, PORT: "9090" }, true)).toMatchObject({
      PUBLIC_URL: "http://localhost:9090",
    });
    const named = { ...given, PUBLIC_URL: "https://farm.example.org" };
    expect(await processEnvironment("/nowhere", named, true)).toMatchObject(named);
  });

  it("[start] uses an external broker if one is set, unless the relay has another setting", async () => {
    const outer = { ...given, MQTT_URL: "mqtt://broker" };
    expect(await processEnvironment("/nowhere", outer, true)).toMatchObject({
      RELAY_MQTT_URL: "mqtt://broker",
    });
    const polling = { ...outer, RELAY_MQTT_URL: "off" };
    expect(await processEnvironment("/nowhere", polling, true)).toMatchObject({ RELAY_MQTT_URL: "off" });
  });

  it("[start] uses no broker in front of an external API, unless one is set", async () => {
    const elsewhere = { API_URL: "http://a" };
    expect(await processEnvironment("/nowhere", elsewhere, false)).toMatchObject({ RELAY_MQTT_URL: "off" });
    const named = { ...elsewhere, RELAY_MQTT_URL: "mqtt://b" };
    expect(await processEnvironment("/nowhere", named, false)).toMatchObject(named);
  });
});
