import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { channelMoisture, channelState, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { latestReceived, latestStored } from "@mulkko/shared/rest/operations/logs";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { expect, test } from "vitest";
import { createOwnersHarness, type OwnersHarness } from "../../testing/owners-harness.ts";
import type { Viewer } from "../account/viewing.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";

const SENSOR = "10000000-0000-4000-8000-000000000001";
const KEY = `sensor:${SENSOR}`;
const CONTROLLER = "controller:20000000-0000-4000-8000-000000000001";
const MINUTE = 60_000;
const away = () => new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
/** A session that outlasts a viewer's token. */
const WITH_SESSION = { extensions: ["relay-session" as const], relayKey: "0123456789abcdef" };
const refresh = pathTo(channelState, { serial: 200001, channelId: 11 });

/** API time of so many ms ago, on the harness's clock. */
const ago = (harness: OwnersHarness, ms: number): string =>
  new Date(harness.clock.now() - ms + 9 * 60 * MINUTE).toISOString().slice(0, 19).replace("T", " ");

const withFarm = (harness: OwnersHarness, ageMs = 0): OwnersHarness => {
  harness.api.answer(sensorList.path, [
    buildSensor({ latestLog: buildLogEntry({ createdDate: ago(harness, ageMs) }) }),
  ]);
  harness.api.answer(clusterList.path, [{ id: 1, name: "House 1", sensors: [buildSensor()] }]);
  harness.api.answer(controllerList.path, [buildController()]);
  harness.api.answer(refresh, { onoff: 2, automatic: 1, automaticWatering: 5, createdDate: ago(harness, 0) });
  harness.api.answer(pathTo(channelMoisture, { channelId: 11 }), 31.5);
  return harness;
};

/** Return the events except those of alarms, which `alarms/` tests. */
const eventsOf = (harness: OwnersHarness, viewer: Viewer) =>
  harness.events(viewer).filter(({ event }) => event.kind !== "alarm");

const receivedReading = (harness: OwnersHarness, change: object = {}): object => ({
  ...buildLogEntry({ moisture: 40 }),
  at: new Date(harness.clock.now()).toISOString(),
  receivedAt: new Date(harness.clock.now()).toISOString(),
  ...change,
});

test("[SUB-2] the first state is complete, in the shapes of the protocol", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  const state = harness.state(viewer);
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
  expect(harness.reports[0]).toMatchObject({
    channelKey: "channel:11",
    report: { onoff: 2, activeMode: "automatic" },
  });
});

test("[AUTH-3] an account that cannot be read is refused, and read once it can be", async () => {
  const harness = withFarm(createOwnersHarness());
  harness.api.answer(sensorList.path, away());
  await expect(harness.owners.view(harness.proven, "t1")).rejects.toBeInstanceOf(UpstreamUnreachableError);
  harness.api.answer(sensorList.path, [buildSensor()]);
  expect(Object.keys(harness.state(await harness.owners.view(harness.proven, "t1")))).toContain(KEY);
});

test("[AUTH-3] devices removed from the lists are removed from the stream", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(1_000);
  const position = { epoch: viewer.devices.epoch, offset: viewer.devices.offset };
  harness.api.answer(sensorList.path, []);
  harness.api.answer(controllerList.path, []);
  await harness.timers.pass(160_000);
  expect(Object.keys(harness.state(viewer))).toEqual(["farm:1"]);
  expect(viewer.devices.changesSince(position)).toMatchObject({
    kind: "resume",
    del: expect.arrayContaining([KEY, CONTROLLER, "channel:11"]),
  });
  const before = harness.api.count(refresh);
  await harness.timers.pass(60_000);
  expect(harness.api.count(refresh)).toBe(before);
});

test("[POLL-1] a hundred viewers cost the API as much as one", async () => {
  const calls: number[] = [];
  for (const viewers of [1, 100]) {
    const harness = withFarm(createOwnersHarness());
    const views = Array.from({ length: viewers }, (_, n) => harness.owners.view(harness.proven, `t${n}`));
    const viewer = (await Promise.all(views))[0];
    for (let minute = 0; minute < 10; minute += 1) {
      viewer?.active();
      await harness.timers.pass(MINUTE);
    }
    expect(harness.api.count(sensorList.path)).toBe(11);
    calls.push(harness.api.calls.length);
  }
  expect(calls[1]).toBe(calls[0]);
});

test("[POLL-1] polls an unwatched account slowly, and of a tracked one only what is on a screen", async () => {
  const harness = withFarm(createOwnersHarness(WITH_SESSION));
  const viewer = await harness.owners.view(harness.proven, "t1");
  viewer.track(new Set(["farm:1"]));
  await harness.timers.pass(30 * MINUTE - 1);
  const latest = harness.api.count(pathTo(latestReceived, { id: SENSOR }));
  expect(latest).toBeLessThan(3);
  viewer.active();
  viewer.track(new Set([KEY]));
  await harness.timers.pass(MINUTE);
  expect(harness.api.count(pathTo(latestReceived, { id: SENSOR })) - latest).toBeGreaterThanOrEqual(1);
  expect(harness.api.count(pathTo(latestStored, { id: SENSOR }))).toBeGreaterThanOrEqual(5);
});

test("[POLL-1] a viewer who was inactive for five minutes does not count until active again", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(5 * MINUTE);
  const watched = harness.api.count(sensorList.path);
  await harness.timers.pass(MINUTE);
  const asleep = harness.api.count(sensorList.path);
  await harness.timers.pass(20 * MINUTE);
  expect(watched).toBe(6);
  expect(harness.api.count(sensorList.path) - asleep).toBe(4);
  expect(harness.owners.stats()).toMatchObject({ accounts: 1, viewers: 1 });
  await harness.timers.pass(2 * MINUTE);
  const before = harness.api.count(sensorList.path);
  viewer.active();
  await harness.timers.pass(5_000);
  expect(harness.api.count(sensorList.path)).toBe(before + 1);
  await harness.timers.pass(3 * MINUTE);
  expect(harness.api.count(sensorList.path)).toBe(before + 4);
});

test("[SUB-8] a reading with a new time is a change even with equal numbers; the same reading is not", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  const { offset } = viewer.devices;
  await harness.timers.pass(4 * MINUTE);
  viewer.active();
  await harness.timers.pass(MINUTE);
  const quiet = viewer.devices.changesSince({ epoch: viewer.devices.epoch, offset });
  expect(quiet.kind === "resume" && Object.keys(quiet.set)).not.toContain(KEY);
  harness.api.answer(sensorList.path, [
    buildSensor({ latestLog: buildLogEntry({ createdDate: ago(harness, 0) }) }),
  ]);
  await harness.timers.pass(MINUTE);
  const moved = viewer.devices.changesSince({ epoch: viewer.devices.epoch, offset });
  expect(moved).toMatchObject({
    set: { [KEY]: { at: "2026-11-21T03:05:04.000Z", reading: { moisture: 32.4 } } },
  });
});

test("[SUB-8] a received reading is sent, an older one replaces nothing, and the poll of the same one is not new", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(30_500);
  harness.publish("sensor", SENSOR, receivedReading(harness));
  await harness.timers.pass(200);
  expect(harness.state(viewer)[KEY]).toMatchObject({
    reading: { moisture: 40 },
    at: "2026-11-21T03:00:30.500Z",
    via: "mqtt",
  });
  expect(harness.state(viewer)[KEY]?.reading).not.toHaveProperty("receivedAt");
  harness.publish(
    "sensor",
    SENSOR,
    receivedReading(harness, { at: "2026-11-21T02:00:00.000Z", moisture: 1 }),
  );
  const row = buildLogEntry({ createdDate: "2026-11-21 12:00:30", moisture: 40 });
  harness.api.answer(sensorList.path, [buildSensor({ latestLog: row })]);
  await harness.timers.pass(MINUTE);
  expect(harness.state(viewer)[KEY]).toMatchObject({ reading: { moisture: 40 }, via: "mqtt" });
});

test("[AGE-1] a reading of last week sets the contact to then, one an hour late is contact with a late value", async () => {
  const harness = withFarm(createOwnersHarness());
  harness.api.answer(sensorList.path, [buildSensor({ latestLog: null })]);
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  const before = (ms: number) => new Date(harness.clock.now() - ms).toISOString();
  const then = before(7 * 24 * 60 * MINUTE);
  harness.publish("sensor", SENSOR, receivedReading(harness, { at: then }));
  await harness.timers.pass(200);
  expect(harness.state(viewer)[KEY]).toMatchObject({ at: then, heardAt: then, quality: "offline" });
  expect(eventsOf(harness, viewer)).toEqual([]);
  const now = before(0);
  harness.publish("sensor", SENSOR, receivedReading(harness, { at: before(60 * MINUTE) }));
  await harness.timers.pass(200);
  expect(harness.state(viewer)[KEY]).toMatchObject({ heardAt: now, quality: "late" });
  harness.publish("sensor", SENSOR, receivedReading(harness, { at: before(MINUTE) }));
  await harness.timers.pass(200);
  expect(harness.state(viewer)[KEY]).toMatchObject({ quality: "fresh" });
});

test("[SUB-8] a message with one field keeps the others and their times, received or polled", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(30_500);
  harness.publish("sensor", SENSOR, receivedReading(harness));
  await harness.timers.pass(200);
  const full = harness.state(viewer)[KEY];
  await harness.timers.pass(10_000);
  const now = new Date(harness.clock.now()).toISOString();
  harness.publish("sensor", SENSOR, {
    createdDate: ago(harness, 0),
    at: now,
    receivedAt: now,
    moisture: null,
    battery: 77,
  });
  await harness.timers.pass(200);
  expect(harness.state(viewer)[KEY]).toMatchObject({
    reading: { moisture: 40, battery: 77 },
    at: now,
    fieldTimes: { moisture: full?.at },
  });
  harness.publish("sensor", SENSOR, receivedReading(harness, { moisture: 41 }));
  await harness.timers.pass(200);
  const after = harness.state(viewer)[KEY];
  expect(after).toMatchObject({ reading: { moisture: 41 } });
  expect(after?.fieldTimes ?? {}).not.toHaveProperty("moisture");
});

test("[SUB-8] a controller's unchanged state updates heardAt every 5 s at most, a changed one at once", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  const say = (onoff: number): void => {
    const now = new Date(harness.clock.now()).toISOString();
    harness.publish("channel", "11", {
      onoff,
      automatic: 1,
      automaticWatering: 5,
      at: now,
      heardAt: now,
      rssi: -60,
    });
  };
  const received = new Set<unknown>();
  viewer.devices.listen(() => received.add(harness.state(viewer)["channel:11"]?.heardAt));
  for (let n = 0; n < 6; n += 1) {
    await harness.timers.pass(10_000);
    say(2);
  }
  await harness.timers.pass(200);
  expect(received.size).toBe(6);
  expect(harness.state(viewer)[CONTROLLER]?.heardAt).toBe(new Date(harness.clock.now() - 200).toISOString());
  received.clear();
  for (let n = 0; n < 30; n += 1) {
    await harness.timers.pass(1_000);
    say(2);
  }
  expect(received.size).toBeLessThanOrEqual(7);
  say(1);
  await harness.timers.pass(200);
  expect(harness.state(viewer)["channel:11"]).toMatchObject({
    onoff: 1,
    heardAt: new Date(harness.clock.now() - 200).toISOString(),
  });
  expect(harness.state(viewer)[CONTROLLER]).toMatchObject({ rssi: -60 });
});

test("[SUB-8] a channel of a COT unit updates the unit's heardAt when it reports", async () => {
  const harness = withFarm(createOwnersHarness());
  harness.api.answer(sensorList.path, [
    buildSensor({ deviceType: "COT", chNums: 2, latestLog: buildLogEntry({ createdDate: ago(harness, 0) }) }),
  ]);
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  const before = harness.state(viewer)[KEY]?.heardAt;
  for (let n = 0; n < 3; n += 1) {
    await harness.timers.pass(10_000);
    const now = new Date(harness.clock.now()).toISOString();
    harness.publish("channel", `${SENSOR}:1`, { onoff: 2, at: now, heardAt: now });
    await harness.timers.pass(200);
    expect(harness.state(viewer)[KEY]?.heardAt).toBe(now);
  }
  const after = harness.state(viewer)[KEY]?.heardAt;
  expect(Date.parse(String(after)) - Date.parse(String(before))).toBeGreaterThanOrEqual(30_000);
});

test("[NAME-1] a channel's name is in its live value at once, through every poll of the lists and a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mulkko-names-"));
  const begin = async () => {
    const harness = withFarm(createOwnersHarness({ file: join(folder, "relay.sqlite") }));
    harness.api.answer(sensorList.path, [buildSensor({ id: "cot", deviceType: "COT", chNums: 2 })]);
    const viewer = await harness.owners.view(harness.proven, "t1");
    await harness.timers.pass(4_000);
    const named = () => {
      const state = harness.state(viewer);
      return ["channel:11", "channel:cot:1", "channel:cot:2"].map((key) => state[key]?.name);
    };
    const settings = await harness.owners.settings(harness.proven, "t1");
    return { harness, named, settings };
  };
  const first = await begin();
  expect(first.named()).toEqual([null, null, null]);
  await first.settings.change({ change: { about: "channel", id: "11", name: "Tomatoes" } });
  await first.settings.change({ change: { about: "channel", id: "cot:2", name: "Old valve" } });
  await first.harness.timers.pass(200);
  expect(first.named()).toEqual(["Tomatoes", null, "Old valve"]);
  await first.harness.timers.pass(5 * MINUTE);
  expect(first.named()).toEqual(["Tomatoes", null, "Old valve"]);
  await first.harness.owners.close();
  const later = await begin();
  expect(later.named()).toEqual(["Tomatoes", null, "Old valve"]);
  await later.settings.change({ change: { about: "channel", id: "11", name: null } });
  await later.harness.timers.pass(200);
  expect(later.named()).toEqual([null, null, "Old valve"]);
  await later.harness.owners.close();
  rmSync(folder, { recursive: true, force: true });
});

test("[ONL-2] a COT sensor whose last will is newer than its last message is lost, and its channels", async () => {
  const harness = createOwnersHarness();
  harness.api.answer(sensorList.path, [
    buildSensor({
      id: "cot",
      deviceType: "COT",
      chNums: 2,
      latestLog: buildLogEntry({ createdDate: ago(harness, 0) }),
    }),
  ]);
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  const lines = () =>
    ["sensor:cot", "channel:cot:1", "channel:cot:2"].map((key) => harness.state(viewer)[key]?.link);
  harness.publish("channel", "cot:1", { onoff: 1, at: null, heardAt: null, link: "lost" });
  await harness.timers.pass(200);
  expect(lines()).toEqual(["lost", "lost", "lost"]);
  harness.publish("channel", "cot:1", { onoff: 1, at: null, heardAt: null, link: "up" });
  await harness.timers.pass(200);
  expect(lines()).toEqual(["up", "up", "lost"]);
  harness.publish("channel", "cot:2", { onoff: 2, at: null, heardAt: null, link: "up" });
  await harness.timers.pass(200);
  expect(lines()).toEqual(["up", "up", "up"]);
});

test("[ONL-1] a controller whose last will is newer than its last message is offline at once", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  harness.publish("channel", "11", { onoff: 2, at: null, heardAt: null, link: "lost" });
  await harness.timers.pass(200);
  expect(harness.state(viewer)[CONTROLLER]).toMatchObject({ link: "lost", quality: "fresh" });
  expect(harness.state(viewer)["channel:11"]).toMatchObject({ link: "lost" });
  harness.publish("channel", "11", { onoff: 2, at: null, heardAt: null, link: "up" });
  await harness.timers.pass(200);
  expect(harness.state(viewer)["channel:11"]).toMatchObject({ link: "up" });
});

test("[ONL-1] silence makes a device offline at its threshold after an answer from then, with its channels", async () => {
  const harness = withFarm(createOwnersHarness(WITH_SESSION));
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(60 * MINUTE - 1_000);
  expect(harness.state(viewer)[KEY]).toMatchObject({ quality: "late" });
  await harness.timers.pass(1_500);
  expect(harness.state(viewer)[KEY]).toMatchObject({ quality: "offline" });
  await harness.timers.pass(5_000);
  expect(harness.state(viewer)["channel:11"]).toMatchObject({ quality: "offline" });
  const flips = eventsOf(harness, viewer).map(({ event }) => event);
  expect(flips).toContainEqual({
    kind: "flip",
    at: "2026-11-21T04:00:00.000Z",
    key: KEY,
    online: false,
    last: "2026-11-21T03:00:00.000Z",
    value: { moisture: 32.4, soilTemperature: 18.2, battery: 88, rssi: -71, fwversion: "1.2" },
  });
  harness.publish("sensor", SENSOR, receivedReading(harness));
  await harness.timers.pass(200);
  expect(harness.state(viewer)[KEY]).toMatchObject({ quality: "fresh" });
  expect(eventsOf(harness, viewer).at(-1)?.event).toMatchObject({ kind: "flip", key: KEY, online: true });
});

test("[POLL-7] an unavailable API makes devices unknown at the threshold, without a flip", async () => {
  const harness = withFarm(createOwnersHarness(WITH_SESSION));
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  for (const path of [sensorList.path, refresh, pathTo(latestStored, { id: SENSOR })])
    harness.api.answer(path, away());
  await harness.timers.pass(90 * MINUTE);
  expect(harness.state(viewer)[KEY]).toMatchObject({ quality: "unknown" });
  expect(harness.state(viewer)[CONTROLLER]).toMatchObject({ quality: "unknown" });
  expect(eventsOf(harness, viewer)).toEqual([]);
});

test("[POLL-7] with the broker up and the farm API unavailable, no device counts as silent, and all are polled afterwards", async () => {
  const harness = withFarm(
    createOwnersHarness({ extensions: ["relay-session", "mqtt-out"], relayKey: WITH_SESSION.relayKey }),
  );
  harness.link.mqtt("up");
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  harness.link.reachable(false);
  await harness.timers.pass(90 * MINUTE);
  expect(harness.state(viewer)[KEY]?.quality).not.toBe("offline");
  expect(eventsOf(harness, viewer)).toEqual([]);
  const before = harness.api.count(sensorList.path);
  harness.link.reachable(true);
  await harness.timers.pass(4_000);
  expect(harness.api.count(sensorList.path)).toBe(before + 1);
});

test("[RUN-3] a valve's own limit, and missing settings of its mode, are part of its state", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  const now = new Date(harness.clock.now()).toISOString();
  const report = { onoff: 2, period: 1, periodWatering: 5, at: now, heardAt: now };
  harness.publish("channel", "11", { ...report, limit: "none", incomplete: "interval" });
  await harness.timers.pass(200);
  expect(harness.state(viewer)["channel:11"]).toMatchObject({
    limit: "none",
    modes: { active: "period", incomplete: "interval" },
  });
  const later = new Date(harness.clock.now()).toISOString();
  harness.publish("channel", "11", {
    ...report,
    at: later,
    heardAt: later,
    limit: "valve",
    incomplete: "magic",
  });
  await harness.timers.pass(200);
  expect(harness.state(viewer)["channel:11"]).toMatchObject({ limit: "valve" });
  expect(harness.state(viewer)["channel:11"]?.modes).not.toHaveProperty("incomplete");
});

test("[ONL-1] a late report of a channel does not revert its controller's link", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  const said = (ms: number) => new Date(harness.clock.now() - ms).toISOString();
  harness.publish("channel", "11", { onoff: 2, at: said(0), heardAt: said(0), link: "lost", rssi: -80 });
  harness.publish("channel", "11", {
    onoff: 2,
    at: said(5_000),
    heardAt: said(5_000),
    link: "up",
    rssi: -60,
  });
  await harness.timers.pass(200);
  expect(harness.state(viewer)[CONTROLLER]).toMatchObject({ link: "lost", rssi: -80 });
});

test("[AGE-1] a polled entry that arrived long after its measurement is contact with a late value", async () => {
  const harness = withFarm(createOwnersHarness());
  const measuredAt = Math.floor(harness.clock.now() / 1_000) * 1_000 - 40 * MINUTE;
  const at = new Date(measuredAt).toISOString();
  const receivedAt = new Date(harness.clock.now() - 5_000).toISOString();
  const createdDate = createApiTimeZone("Asia/Seoul").toApi(measuredAt);
  const latestLog = { ...buildLogEntry({ createdDate }), receivedAt };
  harness.api.answer(sensorList.path, [buildSensor({ latestLog })]);
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  expect(harness.state(viewer)[KEY]).toMatchObject({ at, heardAt: receivedAt, quality: "late" });
  expect(harness.state(viewer)[KEY]?.reading).not.toHaveProperty("receivedAt");
});

test("[ALM-8] access that is back is noticed within seconds, not with the next poll of the list", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  harness.api.answer(sensorList.path, new UpstreamStatusError("no", 403, "forbidden", null));
  await harness.timers.pass(MINUTE);
  expect(harness.state(viewer)[KEY]).toMatchObject({ quality: "unknown" });
  withFarm(harness);
  await harness.timers.pass(31_000);
  expect(harness.state(viewer)[KEY]).toMatchObject({ quality: "fresh" });
});

test("[POLL-5] values become unknown without an accepted credential, and return with one", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  harness.api.answer(sensorList.path, new UpstreamStatusError("no", 401, "unauthorized", null));
  await harness.timers.pass(MINUTE);
  expect(harness.state(viewer)[KEY]).toMatchObject({ quality: "unknown" });
  withFarm(harness);
  viewer.renew("t2");
  await harness.timers.pass(1_000);
  expect(harness.state(viewer)[KEY]).toMatchObject({ quality: "fresh" });
});

test("[POLL-8] a write through the proxy makes the changed lists due at once", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  harness.api.answer(sensorList.path, [buildSensor({ name: "Renamed" })]);
  harness.owners.written(harness.proven.accountId, `/api/v1/sensor/update/${SENSOR}`);
  await harness.timers.pass(200);
  expect(harness.state(viewer)[KEY]).toMatchObject({ info: { name: "Renamed" } });
  harness.api.answer(clusterList.path, [{ id: 1, name: "House A" }]);
  harness.publish("changed", { entity: "farm", id: 1 });
  await harness.timers.pass(200);
  expect(harness.state(viewer)["farm:1"]).toMatchObject({ info: { name: "House A" } });
});

test("[POLL-1] polls ten times less often while the API's MQTT output is received, and catches up after a break", async () => {
  const harness = withFarm(createOwnersHarness({ extensions: ["mqtt-out"] }));
  harness.link.mqtt("up");
  await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(9 * MINUTE);
  expect(harness.api.count(sensorList.path)).toBe(1);
  harness.link.mqtt("down");
  await harness.timers.pass(1_000);
  const before = harness.api.count(sensorList.path);
  await harness.timers.pass(10_000);
  harness.link.mqtt("up");
  await harness.timers.pass(4_000);
  expect(harness.api.count(sensorList.path)).toBe(before + 1);
});

test("[MQTT-1] messages received shortly before an account is activated are not lost", async () => {
  const harness = withFarm(createOwnersHarness());
  harness.clock.advance(30_000);
  harness.publish("sensor", SENSOR, receivedReading(harness));
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(200);
  expect(harness.state(viewer)[KEY]).toMatchObject({ reading: { moisture: 40 }, via: "mqtt" });
});

test("[ingest] invalid messages, and those about unknown devices, change nothing", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  const { offset } = viewer.devices;
  const lists = harness.api.count(sensorList.path);
  harness.publish("sensor", SENSOR, { moisture: 1 });
  harness.publish("changed", { entity: "house", id: 1 });
  for (let n = 0; n < 50; n += 1) harness.publish("sensor", "unknown", receivedReading(harness));
  await harness.timers.pass(1_000);
  expect(viewer.devices.offset).toBe(offset);
  expect(harness.api.count(sensorList.path) - lists).toBeLessThanOrEqual(1);
});

test("[NODE-5] an account is released a minute after its last viewer, but not while a valve is busy or open", async () => {
  const harness = withFarm(createOwnersHarness());
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(5 * MINUTE);
  expect(harness.owners.stats()).toMatchObject({ accounts: 1, viewers: 1 });
  viewer.release();
  viewer.release();
  harness.busy = true;
  await harness.timers.pass(5 * MINUTE);
  expect(harness.owners.stats()).toMatchObject({ accounts: 1, viewers: 0 });
  harness.busy = false;
  harness.publish("channel", "11", {
    onoff: 1,
    at: null,
    heardAt: new Date(harness.clock.now()).toISOString(),
  });
  harness.api.answer(refresh, { onoff: 1 });
  await harness.timers.pass(5 * MINUTE);
  expect(harness.owners.stats()).toMatchObject({ accounts: 1 });
  harness.api.answer(refresh, { onoff: 2 });
  await harness.timers.pass(5 * MINUTE);
  expect(harness.owners.stats()).toMatchObject({ accounts: 0 });
  const polls = harness.api.calls.length;
  await harness.timers.pass(60 * MINUTE);
  expect(harness.api.calls.length).toBe(polls);
});

test("[CRED-1] with its own session the relay watches without a viewer", async () => {
  const harness = withFarm(createOwnersHarness(WITH_SESSION));
  (await harness.owners.view(harness.proven, "t1")).release();
  await harness.timers.pass(30 * MINUTE);
  expect(harness.owners.stats()).toMatchObject({ accounts: 1, viewers: 0 });
  const tokens = new Set(
    harness.api.calls.filter((call) => call.method === "GET").map((call) => call.options.token),
  );
  expect(tokens).toEqual(new Set(["relay-token"]));
});

test("[ingest] notifications become events once each; the first list ever seen is the past", async () => {
  const harness = withFarm(createOwnersHarness());
  const notification = (id: number, createdDate: string) => ({
    id,
    type: "BATTERY",
    message: "low",
    createdDate,
    unread: true,
  });
  harness.api.answer(notificationList.path, [notification(1, "2026-11-20 12:00:00")]);
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(1_000);
  harness.publish("noti", notification(2, ago(harness, 0)));
  harness.api.answer(notificationList.path, [
    { type: "RSSI", message: "weak", createdDate: ago(harness, 0) },
    notification(2, ago(harness, 0)),
    notification(1, "2026-11-20 12:00:00"),
  ]);
  await harness.timers.pass(2 * MINUTE);
  const events = eventsOf(harness, viewer).map(({ event }) => event);
  expect(events).toMatchObject([
    { kind: "notification", id: 2, type: "BATTERY", createdDate: "2026-11-21T03:00:01.000Z", unread: true },
    { kind: "notification", type: "RSSI", unread: false },
  ]);
});
