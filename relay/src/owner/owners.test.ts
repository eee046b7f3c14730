// Long because one rig carries the whole life of an account: views, commands, writes, restarts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiPath } from "@mulkko/shared/rest/routes";
import { buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { expect, test } from "vitest";
import type { Viewer } from "../ports/owners.ts";
import { createOwnersRig, type OwnersRig } from "../testing/owners-rig.ts";
import { passTime } from "../testing/settle.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";

const SENSOR = "10000000-0000-4000-8000-000000000001";
const KEY = `sensor:${SENSOR}`;
const CONTROLLER = "controller:20000000-0000-4000-8000-000000000001";
const MINUTE = 60_000;
const away = () => new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
/** Keeps its access for longer than a viewer's token lasts. */
const WITH_SESSION = { extensions: ["relay-session" as const], relayKey: "0123456789abcdef" };
const refresh = apiPath.refreshState(200001, 11);

/** API time of so many ms ago, by the rig's clock. */
const ago = (rig: OwnersRig, ms: number): string =>
  new Date(rig.clock.now() - ms + 9 * 60 * MINUTE).toISOString().slice(0, 19).replace("T", " ");

const withFarm = (rig: OwnersRig, ageMs = 0): OwnersRig => {
  rig.api.answer(apiPath.sensors, [
    buildSensor({ latestLog: buildLogEntry({ createdDate: ago(rig, ageMs) }) }),
  ]);
  rig.api.answer(apiPath.clusters, [{ id: 1, name: "House 1", sensors: [buildSensor()] }]);
  rig.api.answer(apiPath.controllers, [buildController()]);
  rig.api.answer(refresh, { onoff: 2, automatic: 1, automaticWatering: 5, createdDate: ago(rig, 0) });
  rig.api.answer(apiPath.moisture(11), 31.5);
  return rig;
};

/** Events beside those of alarms, which `alarms/` looks after. */
const told = (rig: OwnersRig, viewer: Viewer) =>
  rig.events(viewer).filter(({ event }) => event.kind !== "alarm");

const heardReading = (rig: OwnersRig, change: object = {}): object => ({
  ...buildLogEntry({ moisture: 40 }),
  at: new Date(rig.clock.now()).toISOString(),
  receivedAt: new Date(rig.clock.now()).toISOString(),
  ...change,
});

test("[SUB-2] the first state is whole, in the shapes of the protocol", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  const state = rig.state(viewer);
  expect(state["farm:1"]).toEqual({
    info: { id: 1, name: "House 1", description: null, sensorIds: [SENSOR] },
  });
  expect(state[KEY]).toMatchObject({
    info: { name: "Soil 1", serial: 100001 },
    reading: { moisture: 32.4, soilTemperature: 18.2, battery: 88, rssi: -71, fwversion: "1.2" },
    at: "2026-11-21T03:00:00.000Z",
    heardAt: "2026-11-21T03:00:00.000Z",
    quality: "fresh",
    via: "poll",
  });
  expect(state[KEY]?.info).not.toHaveProperty("latestLog");
  expect(state[CONTROLLER]).toMatchObject({ info: { serial: 200001 }, quality: "fresh" });
  expect(state[CONTROLLER]?.info).not.toHaveProperty("channels");
  expect(state["channel:11"]).toMatchObject({
    controllerId: "20000000-0000-4000-8000-000000000001",
    serial: 200001,
    number: 1,
    sensorIds: [SENSOR],
    onoff: 2,
    modes: { active: "automatic", automatic: { wateringDuration: 5 } },
    moisture: 31.5,
    command: null,
    quality: "fresh",
  });
  expect(rig.reports[0]).toMatchObject({
    channelKey: "channel:11",
    report: { onoff: 2, activeMode: "automatic" },
  });
});

test("[AUTH-3] an account that cannot be read is refused, and read when it can be", async () => {
  const rig = withFarm(createOwnersRig());
  rig.api.answer(apiPath.sensors, away());
  await expect(rig.owners.view(rig.proven, "t1")).rejects.toBeInstanceOf(UpstreamUnreachableError);
  rig.api.answer(apiPath.sensors, [buildSensor()]);
  expect(Object.keys(rig.state(await rig.owners.view(rig.proven, "t1")))).toContain(KEY);
});

test("[AUTH-3] what is gone from the lists is gone from the stream", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 1_000);
  const position = { epoch: viewer.devices.epoch, offset: viewer.devices.offset };
  rig.api.answer(apiPath.sensors, []);
  rig.api.answer(apiPath.controllers, []);
  await passTime(rig.timers, 70_000);
  expect(Object.keys(rig.state(viewer))).toEqual(["farm:1"]);
  expect(viewer.devices.changesSince(position)).toMatchObject({
    kind: "resume",
    del: expect.arrayContaining([KEY, CONTROLLER, "channel:11"]),
  });
  const before = rig.api.count(refresh);
  await passTime(rig.timers, 60_000);
  expect(rig.api.count(refresh)).toBe(before);
});

test("[POLL-1] a hundred viewers cost the API what one does", async () => {
  const calls: number[] = [];
  for (const viewers of [1, 100]) {
    const rig = withFarm(createOwnersRig());
    const views = Array.from({ length: viewers }, (_, n) => rig.owners.view(rig.proven, `t${n}`));
    const viewer = (await Promise.all(views))[0];
    for (let minute = 0; minute < 10; minute += 1) {
      viewer?.active();
      await passTime(rig.timers, MINUTE);
    }
    expect(rig.api.count(apiPath.sensors)).toBe(11);
    calls.push(rig.api.calls.length);
  }
  expect(calls[1]).toBe(calls[0]);
});

test("[POLL-1] unwatched, an account is polled at the slow pace; tracked, only what is on a screen", async () => {
  const rig = withFarm(createOwnersRig(WITH_SESSION));
  const viewer = await rig.owners.view(rig.proven, "t1");
  viewer.track(new Set(["farm:1"]));
  await passTime(rig.timers, 30 * MINUTE - 1);
  const latest = rig.api.count(apiPath.latestMqtt(SENSOR));
  expect(latest).toBeLessThan(3);
  viewer.active();
  viewer.track(new Set([KEY]));
  await passTime(rig.timers, MINUTE);
  expect(rig.api.count(apiPath.latestMqtt(SENSOR)) - latest).toBeGreaterThanOrEqual(1);
  expect(rig.api.count(apiPath.latest(SENSOR))).toBeGreaterThanOrEqual(5);
});

test("[POLL-1] a viewer who was not active for five minutes counts as nobody, until they are again", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 5 * MINUTE);
  const watched = rig.api.count(apiPath.sensors);
  await passTime(rig.timers, MINUTE);
  const asleep = rig.api.count(apiPath.sensors);
  await passTime(rig.timers, 20 * MINUTE);
  expect(watched).toBe(6);
  expect(rig.api.count(apiPath.sensors) - asleep).toBe(4);
  expect(rig.owners.stats()).toMatchObject({ accounts: 1, viewers: 1 });
  await passTime(rig.timers, 2 * MINUTE);
  const before = rig.api.count(apiPath.sensors);
  viewer.active();
  await passTime(rig.timers, 5_000);
  expect(rig.api.count(apiPath.sensors)).toBe(before + 1);
  await passTime(rig.timers, 3 * MINUTE);
  expect(rig.api.count(apiPath.sensors)).toBe(before + 4);
});

test("[SUB-8] a reading with a new time is a change also with equal numbers; the same again is nothing", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  const { offset } = viewer.devices;
  await passTime(rig.timers, 4 * MINUTE);
  viewer.active();
  await passTime(rig.timers, MINUTE);
  const quiet = viewer.devices.changesSince({ epoch: viewer.devices.epoch, offset });
  expect(quiet.kind === "resume" && Object.keys(quiet.set)).not.toContain(KEY);
  rig.api.answer(apiPath.sensors, [buildSensor({ latestLog: buildLogEntry({ createdDate: ago(rig, 0) }) })]);
  await passTime(rig.timers, MINUTE);
  const moved = viewer.devices.changesSince({ epoch: viewer.devices.epoch, offset });
  expect(moved).toMatchObject({
    set: { [KEY]: { at: "2026-11-21T03:05:04.000Z", reading: { moisture: 32.4 } } },
  });
});

test("[SUB-8] a heard reading is sent, an older one replaces nothing, and the poll that brings it too is no news", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 30_500);
  rig.publish("sensor", SENSOR, heardReading(rig));
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)[KEY]).toMatchObject({
    reading: { moisture: 40 },
    at: "2026-11-21T03:00:30.500Z",
    via: "mqtt",
  });
  expect(rig.state(viewer)[KEY]?.reading).not.toHaveProperty("receivedAt");
  rig.publish("sensor", SENSOR, heardReading(rig, { at: "2026-11-21T02:00:00.000Z", moisture: 1 }));
  const row = buildLogEntry({ createdDate: "2026-11-21 12:00:30", moisture: 40 });
  rig.api.answer(apiPath.sensors, [buildSensor({ latestLog: row })]);
  await passTime(rig.timers, MINUTE);
  expect(rig.state(viewer)[KEY]).toMatchObject({ reading: { moisture: 40 }, via: "mqtt" });
});

test("[SUB-8] a controller's unchanged state moves heardAt once a minute, a changed one at once", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  const say = (onoff: number): void => {
    const now = new Date(rig.clock.now()).toISOString();
    rig.publish("channel", "11", {
      onoff,
      automatic: 1,
      automaticWatering: 5,
      at: now,
      heardAt: now,
      rssi: -60,
    });
  };
  const heard: unknown[] = [];
  viewer.devices.listen(() => heard.push(rig.state(viewer)["channel:11"]?.heardAt));
  for (let n = 0; n < 11; n += 1) {
    await passTime(rig.timers, 10_000);
    say(2);
  }
  expect(new Set(heard).size).toBeLessThanOrEqual(3);
  say(1);
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)["channel:11"]).toMatchObject({
    onoff: 1,
    heardAt: new Date(rig.clock.now() - 200).toISOString(),
  });
  expect(rig.state(viewer)[CONTROLLER]).toMatchObject({ rssi: -60 });
});

test("[SUB-8] a channel of a COT box moves the heardAt of its box, once a minute", async () => {
  const rig = withFarm(createOwnersRig());
  rig.api.answer(apiPath.sensors, [
    buildSensor({ deviceType: "COT", chNums: 2, latestLog: buildLogEntry({ createdDate: ago(rig, 0) }) }),
  ]);
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  const before = rig.state(viewer)[KEY]?.heardAt;
  for (let n = 0; n < 9; n += 1) {
    await passTime(rig.timers, 10_000);
    const now = new Date(rig.clock.now()).toISOString();
    rig.publish("channel", `${SENSOR}:1`, { onoff: 2, at: now, heardAt: now });
  }
  await passTime(rig.timers, 200);
  const after = rig.state(viewer)[KEY]?.heardAt;
  expect(Date.parse(String(after)) - Date.parse(String(before))).toBeGreaterThanOrEqual(60_000);
});

test("[NAME-1] a channel's name is in its live value at once, through every reading of the lists and a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mulkko-names-"));
  const begin = async () => {
    const rig = withFarm(createOwnersRig({ file: join(folder, "relay.sqlite") }));
    rig.api.answer(apiPath.sensors, [buildSensor({ id: "cot", deviceType: "COT", chNums: 2 })]);
    const viewer = await rig.owners.view(rig.proven, "t1");
    await passTime(rig.timers, 4_000);
    const named = () => {
      const state = rig.state(viewer);
      return ["channel:11", "channel:cot:1", "channel:cot:2"].map((key) => state[key]?.name);
    };
    const settings = await rig.owners.settings(rig.proven, "t1");
    return { rig, named, settings };
  };
  const first = await begin();
  expect(first.named()).toEqual([null, null, null]);
  await first.settings.change({ about: "channel", id: "11", name: "Tomatoes" });
  await first.settings.change({ about: "channel", id: "cot:2", name: "Old valve" });
  await passTime(first.rig.timers, 200);
  expect(first.named()).toEqual(["Tomatoes", null, "Old valve"]);
  await passTime(first.rig.timers, 5 * MINUTE);
  expect(first.named()).toEqual(["Tomatoes", null, "Old valve"]);
  await first.rig.owners.close();
  const later = await begin();
  expect(later.named()).toEqual(["Tomatoes", null, "Old valve"]);
  await later.settings.change({ about: "channel", id: "11", name: null });
  await passTime(later.rig.timers, 200);
  expect(later.named()).toEqual([null, null, "Old valve"]);
  await later.rig.owners.close();
  rmSync(folder, { recursive: true, force: true });
});

test("[ONL-1] a controller whose last will is newer than its last message has lost its link at once", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  rig.publish("channel", "11", { onoff: 2, at: null, heardAt: null, link: "lost" });
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)[CONTROLLER]).toMatchObject({ link: "lost", quality: "fresh" });
  expect(rig.state(viewer)["channel:11"]).toMatchObject({ link: "lost" });
  rig.publish("channel", "11", { onoff: 2, at: null, heardAt: null, link: "up" });
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)["channel:11"]).toMatchObject({ link: "up" });
});

test("[ONL-1] silence makes a device offline at its threshold by an answer from then, and its channels with it", async () => {
  const rig = withFarm(createOwnersRig(WITH_SESSION));
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 60 * MINUTE - 1_000);
  expect(rig.state(viewer)[KEY]).toMatchObject({ quality: "late" });
  await passTime(rig.timers, 1_500);
  expect(rig.state(viewer)[KEY]).toMatchObject({ quality: "offline" });
  await passTime(rig.timers, 5_000);
  expect(rig.state(viewer)["channel:11"]).toMatchObject({ quality: "offline" });
  const flips = told(rig, viewer).map(({ event }) => event);
  expect(flips).toContainEqual({
    kind: "flip",
    at: "2026-11-21T04:00:00.000Z",
    key: KEY,
    online: false,
    last: "2026-11-21T03:00:00.000Z",
    value: { moisture: 32.4, soilTemperature: 18.2, battery: 88, rssi: -71, fwversion: "1.2" },
  });
  rig.publish("sensor", SENSOR, heardReading(rig));
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)[KEY]).toMatchObject({ quality: "fresh" });
  expect(told(rig, viewer).at(-1)?.event).toMatchObject({ kind: "flip", key: KEY, online: true });
});

test("[POLL-7] an API that is away makes devices unknown at the threshold, and no flip", async () => {
  const rig = withFarm(createOwnersRig(WITH_SESSION));
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  for (const path of [apiPath.sensors, refresh, apiPath.latest(SENSOR)]) rig.api.answer(path, away());
  await passTime(rig.timers, 90 * MINUTE);
  expect(rig.state(viewer)[KEY]).toMatchObject({ quality: "unknown" });
  expect(rig.state(viewer)[CONTROLLER]).toMatchObject({ quality: "unknown" });
  expect(told(rig, viewer)).toEqual([]);
});

test("[POLL-7] with its broker up and the farm API away, silence is nobody's fault, and everything is asked again after it", async () => {
  const rig = withFarm(
    createOwnersRig({ extensions: ["relay-session", "mqtt-out"], relayKey: WITH_SESSION.relayKey }),
  );
  rig.link.mqtt("up");
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  rig.link.reachable(false);
  await passTime(rig.timers, 90 * MINUTE);
  expect(rig.state(viewer)[KEY]?.quality).not.toBe("offline");
  expect(told(rig, viewer)).toEqual([]);
  const before = rig.api.count(apiPath.sensors);
  rig.link.reachable(true);
  await passTime(rig.timers, 4_000);
  expect(rig.api.count(apiPath.sensors)).toBe(before + 1);
});

test("[RUN-3] what a valve keeps by itself, and what its mode lacks, is told with its state", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  const now = new Date(rig.clock.now()).toISOString();
  const report = { onoff: 2, period: 1, periodWatering: 5, at: now, heardAt: now };
  rig.publish("channel", "11", { ...report, limit: "none", incomplete: "interval" });
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)["channel:11"]).toMatchObject({
    limit: "none",
    modes: { active: "period", incomplete: "interval" },
  });
  const later = new Date(rig.clock.now()).toISOString();
  rig.publish("channel", "11", { ...report, at: later, heardAt: later, limit: "valve", incomplete: "magic" });
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)["channel:11"]).toMatchObject({ limit: "valve" });
  expect(rig.state(viewer)["channel:11"]?.modes).not.toHaveProperty("incomplete");
});

test("[ONL-1] a late report of a channel does not turn its controller's link back", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  const said = (ms: number) => new Date(rig.clock.now() - ms).toISOString();
  rig.publish("channel", "11", { onoff: 2, at: said(0), heardAt: said(0), link: "lost", rssi: -80 });
  rig.publish("channel", "11", { onoff: 2, at: said(5_000), heardAt: said(5_000), link: "up", rssi: -60 });
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)[CONTROLLER]).toMatchObject({ link: "lost", rssi: -80 });
});

test("[POLL-5] without a credential that is accepted, values go unknown, and come back with one", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  rig.api.answer(apiPath.sensors, new UpstreamStatusError("no", 401, "unauthorized", null));
  await passTime(rig.timers, MINUTE);
  expect(rig.state(viewer)[KEY]).toMatchObject({ quality: "unknown" });
  withFarm(rig);
  viewer.renew("t2");
  await passTime(rig.timers, 1_000);
  expect(rig.state(viewer)[KEY]).toMatchObject({ quality: "fresh" });
});

test("[POLL-8] a write through the proxy makes the lists it touches due at once", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  rig.api.answer(apiPath.sensors, [buildSensor({ name: "Renamed" })]);
  rig.owners.written(rig.proven.accountId, `/api/v1/sensor/update/${SENSOR}`);
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)[KEY]).toMatchObject({ info: { name: "Renamed" } });
  rig.api.answer(apiPath.clusters, [{ id: 1, name: "House A" }]);
  rig.publish("changed", { entity: "farm", id: 1 });
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)["farm:1"]).toMatchObject({ info: { name: "House A" } });
});

test("[POLL-1] where the API's MQTT output is heard, polling is ten times rarer, and catches up after a break", async () => {
  const rig = withFarm(createOwnersRig({ extensions: ["mqtt-out"] }));
  rig.link.mqtt("up");
  await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 9 * MINUTE);
  expect(rig.api.count(apiPath.sensors)).toBe(1);
  rig.link.mqtt("down");
  await passTime(rig.timers, 1_000);
  const before = rig.api.count(apiPath.sensors);
  await passTime(rig.timers, 10_000);
  rig.link.mqtt("up");
  await passTime(rig.timers, 4_000);
  expect(rig.api.count(apiPath.sensors)).toBe(before + 1);
});

test("[MQTT-1] what was heard of an account shortly before it came to work is not lost", async () => {
  const rig = withFarm(createOwnersRig());
  rig.clock.advance(30_000);
  rig.publish("sensor", SENSOR, heardReading(rig));
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 200);
  expect(rig.state(viewer)[KEY]).toMatchObject({ reading: { moisture: 40 }, via: "mqtt" });
});

test("[ingest] messages that are not as agreed, and of things that nobody knows, change nothing", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  const { offset } = viewer.devices;
  const lists = rig.api.count(apiPath.sensors);
  rig.publish("sensor", SENSOR, { moisture: 1 });
  rig.publish("changed", { entity: "house", id: 1 });
  for (let n = 0; n < 50; n += 1) rig.publish("sensor", "unknown", heardReading(rig));
  await passTime(rig.timers, 1_000);
  expect(viewer.devices.offset).toBe(offset);
  expect(rig.api.count(apiPath.sensors) - lists).toBeLessThanOrEqual(1);
});

test("[NODE-5] an account is released a minute after its last viewer, but not while a valve is busy or open", async () => {
  const rig = withFarm(createOwnersRig());
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 5 * MINUTE);
  expect(rig.owners.stats()).toMatchObject({ accounts: 1, viewers: 1 });
  viewer.release();
  viewer.release();
  rig.busy = true;
  await passTime(rig.timers, 5 * MINUTE);
  expect(rig.owners.stats()).toMatchObject({ accounts: 1, viewers: 0 });
  rig.busy = false;
  rig.publish("channel", "11", { onoff: 1, at: null, heardAt: new Date(rig.clock.now()).toISOString() });
  rig.api.answer(refresh, { onoff: 1 });
  await passTime(rig.timers, 5 * MINUTE);
  expect(rig.owners.stats()).toMatchObject({ accounts: 1 });
  rig.api.answer(refresh, { onoff: 2 });
  await passTime(rig.timers, 5 * MINUTE);
  expect(rig.owners.stats()).toMatchObject({ accounts: 0 });
  const polls = rig.api.calls.length;
  await passTime(rig.timers, 60 * MINUTE);
  expect(rig.api.calls.length).toBe(polls);
});

test("[CRED-1] with a session of its own the relay watches on with nobody there", async () => {
  const rig = withFarm(createOwnersRig(WITH_SESSION));
  (await rig.owners.view(rig.proven, "t1")).release();
  await passTime(rig.timers, 30 * MINUTE);
  expect(rig.owners.stats()).toMatchObject({ accounts: 1, viewers: 0 });
  const tokens = new Set(
    rig.api.calls.filter((call) => call.method === "GET").map((call) => call.options.token),
  );
  expect(tokens).toEqual(new Set(["relay-token"]));
});

test("[ingest] notifications become events once each; the first list ever seen is the past", async () => {
  const rig = withFarm(createOwnersRig());
  const notification = (id: number, createdDate: string) => ({
    id,
    type: "BATTERY",
    message: "low",
    createdDate,
    unread: true,
  });
  rig.api.answer(apiPath.notifications, [notification(1, "2026-11-20 12:00:00")]);
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 1_000);
  rig.publish("noti", notification(2, ago(rig, 0)));
  rig.api.answer(apiPath.notifications, [
    { type: "RSSI", message: "weak", createdDate: ago(rig, 0) },
    notification(2, ago(rig, 0)),
    notification(1, "2026-11-20 12:00:00"),
  ]);
  await passTime(rig.timers, 2 * MINUTE);
  const events = told(rig, viewer).map(({ event }) => event);
  expect(events).toMatchObject([
    { kind: "notification", id: 2, type: "BATTERY", createdDate: "2026-11-21T03:00:01.000Z", unread: true },
    { kind: "notification", type: "RSSI", unread: false },
  ]);
});
