import { OddFields } from "@mulkko/shared/rest/odd-fields";
import { parse } from "@mulkko/shared/schema/parse";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectWebSocket, type LiveClient } from "../../testing/live-client.ts";
import { buildPlainFarm } from "../../testing/plain-api.ts";
import { type PlainApiHarness, startPlainApiHarness } from "../../testing/plain-api-harness.ts";

const FAST = {
  POLL_SENSOR_MS: "300",
  POLL_CHANNEL_MS: "300",
  POLL_LIST_MS: "300",
  POLL_LIST_UNWATCHED_MS: "300",
  UPSTREAM_RPS: "500",
};
const WAIT = { timeout: 20_000, interval: 50 };
const TOKEN = "bare-token";

function farmOf() {
  const now = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
  const soil = (id: number, more: object = {}) => ({
    ...{ id, name: `토양 ${id}`, deviceType: "SMS", serial: 100_000 + id },
    ...more,
  });
  return buildPlainFarm({
    account: { id: 7, username: "farmer", userType: "ADMIN", imagePath: { a: 1 } },
    farms: [{ id: 5, name: { ko: "논산" }, sensors: [{ id: 1, deviceType: null }] }],
    sensors: [
      soil(1),
      soil(2, { latitude: "36.2", longitude: "", widget: "Y", description: { ko: "밭" }, colour: "red" }),
      soil(3, { serial: { no: 3 }, clusters: [{ id: null }], name: 12 }),
      soil(4, { deviceType: null }),
    ],
    controllers: [
      {
        id: 3,
        serial: 200_001,
        name: ["밸브함"],
        type: "CON04V",
        channels: [{ id: 11, channelNumber: "1", sensors: [{ id: 1, serial: "no number", name: {} }] }],
      },
    ],
    logs: new Map([
      ["1", [{ at: now, fields: { moisture: "31.5", battery: 80, leafWetness: 4.5, rssi: {} } }]],
    ]),
    states: new Map([["200001/11", { onoff: "2", automatic: {}, periodTime: [], reservationTime: 6 }]]),
    moistures: new Map([["11", 31.5]]),
  });
}

describe("in front of a farm API with deviations", { timeout: 60_000 }, () => {
  let harness: PlainApiHarness;
  let clients: LiveClient[];

  beforeEach(async () => {
    clients = [];
    harness = await startPlainApiHarness(farmOf(), FAST);
    await expect.poll(() => harness.app.services.link.state.upstream, WAIT).toBe("up");
  });
  afterEach(async () => {
    for (const client of clients) client.leave();
    await harness.close();
  });

  const look = async (): Promise<LiveClient> => {
    const client = await connectWebSocket(harness.origin);
    clients.push(client);
    client.say({ t: "hello", protocol: 1, token: TOKEN });
    client.say({ t: "subscribe", stream: "devices" });
    return client;
  };
  /** Return the state that the screen shows, with all frames applied. */
  const shown = (client: LiveClient): Map<string, Record<string, unknown>> => {
    const state = new Map<string, Record<string, unknown>>();
    for (const message of client.received) {
      if (message.t === "snapshot" && message.stream === "devices") {
        state.clear();
        for (const [key, value] of Object.entries(message.state)) state.set(key, { ...Object(value) });
      }
      if (message.t !== "change" || message.stream !== "devices") continue;
      for (const [key, value] of Object.entries(message.set ?? {})) state.set(key, { ...Object(value) });
      for (const [key, value] of Object.entries(message.patch ?? {})) {
        state.set(key, { ...state.get(key), ...Object(value) });
      }
      for (const key of message.del ?? []) state.delete(key);
    }
    return state;
  };

  it("[ROW-1] shows devices with odd fields, and reports the fields to the administrator", async () => {
    const client = await look();
    await expect
      .poll(() => [...shown(client).keys()].sort(), WAIT)
      .toEqual(["channel:11", "controller:3", "farm:5", "sensor:1", "sensor:2", "sensor:3"]);
    await expect.poll(() => shown(client).get("channel:11"), WAIT).toMatchObject({ onoff: 2, number: 1 });
    const state = shown(client);
    expect(state.get("sensor:2")).toMatchObject({ info: { latitude: 36.2, longitude: null, colour: "red" } });
    expect(state.get("sensor:3")).toMatchObject({ info: { serial: null, clusters: [], name: "12" } });
    expect(state.get("farm:5")).toMatchObject({ info: { name: "5", sensorIds: [1] } });
    expect(state.get("sensor:1")).toMatchObject({
      reading: { moisture: 31.5, leafWetness: 4.5, rssi: null },
    });

    const said = parse(OddFields, await (await harness.get("/relay/odd-fields")).json());
    if (!said.ok) throw new Error(said.message);
    const fields = said.value.odd.map(({ unit, field, rows }) => [unit, field, rows]);
    expect(fields).toEqual(
      expect.arrayContaining([
        ["sensors", "", ["4"]],
        ["sensors", "serial", ["3"]],
        ["sensors", "description", ["2"]],
        ["sensors", "clusters", ["3"]],
        ["sensors", "latestLog.rssi", ["1"]],
        ["controllers", "name", ["3"]],
        ["controllers", "channels.sensors.serial", ["3"]],
        ["farms", "name", ["5"]],
        ["refresh", "automatic", []],
      ]),
    );
  });

  const login = (password: string) =>
    fetch(`${harness.origin}/api/account/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "farmer", password }),
    });
  const press = (payload: 1 | 2) =>
    fetch(`${harness.origin}/api/v1/controller/cmd`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ uuid: 3, command: "onoff", deviceType: "controller", channel: 1, payload }),
    });
  const add = () =>
    fetch(`${harness.origin}/api/v1/sensor/add`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ name: "토양 9", deviceType: "SMS", serial: 100_009 }),
    });
  const slowLists = { POLL_LIST_MS: "60000", POLL_LIST_UNWATCHED_MS: "60000" };
  const sent = () => harness.api.requests.filter(({ path }) => path.endsWith("/controller/cmd"));

  it("[WAY-1] controls a valve with the method and body type that the API accepts, and remembers both", async () => {
    Object.assign(harness.api.habits, { writesBy: "PUT", bodies: "form" });
    expect((await press(1)).status).toBe(200);
    await expect.poll(() => harness.api.farm.states.get("200001/11")?.onoff, WAIT).toBe(1);
    expect(sent().map(({ method }) => method)).toEqual(["POST", "PUT", "PUT"]);
    expect(sent()[2]?.body).toMatch(/^uuid=3&command=onoff&deviceType=controller&channel=1&payload=1/);
    expect((await press(2)).status).toBe(200);
    await expect.poll(() => harness.api.farm.states.get("200001/11")?.onoff, WAIT).toBe(2);
    expect(sent()[3]).toMatchObject({ method: "PUT", body: expect.stringContaining("payload=2") });
  });

  it("[config] reaches an API below a base path", async () => {
    harness.api.habits.base = "/backend";
    await harness.restart({ API_URL: `${harness.api.origin}/backend/` });
    const client = await look();
    await expect.poll(() => shown(client).has("sensor:1"), WAIT).toBe(true);
    expect((await harness.get("/api/account/info")).status).toBe(200);
    expect((await login("password1")).status).toBe(200);
    expect((await press(1)).status).toBe(200);
  });

  it("[CRED-1] a wrong password costs one failed login at the API", async () => {
    const answer = await login("wrong");
    expect(answer.status).toBe(401);
    expect(harness.api.count(/^\/api\/account\/login/)).toBe(1);
    expect((await login("password1")).status).toBe(200);
  });

  it.each(["500", "cut"] as const)(
    "[POLL-8] a write that was done and answered by %s is seen",
    async (how) => {
      await harness.restart(slowLists);
      const client = await look();
      await expect.poll(() => shown(client).has("sensor:1"), WAIT).toBe(true);
      harness.api.habits.afterDeed = how;
      expect((await add()).status).toBeGreaterThanOrEqual(500);
      await expect.poll(() => shown(client).has("sensor:5"), { timeout: 5_000, interval: 50 }).toBe(true);
    },
  );

  it("[POLL-9] keeps everything while lists that had rows are empty", async () => {
    const client = await look();
    await expect.poll(() => shown(client).size, WAIT).toBe(6);
    harness.api.habits.emptyLists = true;
    const before = harness.api.count(/^\/api\/v1\/sensor\/list$/);
    await expect.poll(() => harness.api.count(/^\/api\/v1\/sensor\/list$/), WAIT).toBeGreaterThan(before + 3);
    expect(shown(client).size).toBe(6);
  });

  it("[POLL-10] repeats a refresh answered 404 after ten minutes, and reads the log meanwhile", async () => {
    harness.api.habits.noRefresh.add("100050");
    harness.api.farm.sensors.push({ id: 50, name: "밸브", deviceType: "COT", serial: 100_050, chNums: 1 });
    harness.api.farm.cotLogs.set("50/1", [{ at: Date.now() - 5_000, fields: { valve: 2 } }]);
    const client = await look();
    await expect.poll(() => shown(client).get("channel:50:1")?.onoff, WAIT).toBe(2);
    const log = /^\/api\/v1\/sensor\/read\/log\/cot\/50/;
    const before = harness.api.count(log);
    await expect.poll(() => harness.api.count(log), WAIT).toBeGreaterThan(before + 3);
    expect(harness.api.count(/^\/api\/v1\/controller\/100050\/channel\/1\/refresh$/)).toBe(1);
  });

  it("[ROW-1] reports to administrators only", async () => {
    harness.api.farm.account = { ...harness.api.farm.account, userType: "USER" };
    expect((await harness.get("/relay/odd-fields")).status).toBe(403);
  });
});
