import { beatSlot } from "@mulkko/shared/rest/fleet";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { adminDevices, adminSensorDelete, adminSensors } from "@mulkko/shared/rest/operations/admin";
import { channelState, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { latestStored } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { buildAccount, buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { expect, test } from "vitest";
import { createOwnersHarness, type OwnersHarness } from "../../testing/owners-harness.ts";
import { stateOf } from "../store/streams.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import type { FleetViewer } from "./fleet-service.ts";

const MINUTE = 60_000;
const SENSOR = "10000000-0000-4000-8000-000000000001";
const KEY = `device:${SENSOR}`;
const CONTROLLER = "device:20000000-0000-4000-8000-000000000001";
const FAR = "device:30000000-0000-4000-8000-000000000003";
const OWN = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";
const BULK = ["admin-fleet" as const, "relay-session" as const];
/** A session that lasts longer than a viewer's token. */
const WITH_SESSION = { extensions: BULK, relayKey: "0123456789abcdef" };
const away = () => new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });

const ago = (harness: OwnersHarness, ms: number): string =>
  new Date(harness.clock.now() - ms + 9 * 60 * MINUTE).toISOString().slice(0, 19).replace("T", " ");

const row = (change: Readonly<Record<string, unknown>> = {}) => ({
  id: SENSOR,
  kind: "sensor",
  userId: OWN,
  username: "farmer",
  name: "Soil 1",
  deviceType: "SMS",
  serial: 100001,
  latestLog: buildLogEntry(),
  ...change,
});
const answerList = (harness: OwnersHarness, ...content: object[]): void =>
  harness.api.answer(adminDevices.path, { content, totalElements: content.length });

/**
 * Start two accounts: one with a sensor and a controller, one with a sensor that has been silent for three
 * hours.
 */
function startFleet(
  options: Parameters<typeof createOwnersHarness>[0] = { extensions: BULK },
): OwnersHarness {
  const harness = createOwnersHarness(options);
  const log = (ms: number) => buildLogEntry({ createdDate: ago(harness, ms) });
  const controller = {
    createdDate: ago(harness, 90 * MINUTE),
    modifiedDate: ago(harness, MINUTE),
    rssi: -60,
    fwversion: "3.1",
  };
  answerList(
    harness,
    row({
      latestLog: log(MINUTE),
      nickname: "김선우",
      phone: "010-0000-0001",
      farmAddress: "밀양",
      farm: "윗논",
    }),
    row({
      nickname: "김선우",
      phone: "010-0000-0001",
      farmAddress: "밀양",
      id: CONTROLLER.slice(7),
      kind: "controller",
      name: "Valve box",
      deviceType: "CON04V",
      serial: 200001,
      latestLog: controller,
    }),
    row({ id: FAR.slice(7), userId: OTHER, username: "lee", serial: 100003, latestLog: log(180 * MINUTE) }),
  );
  harness.api.answer(sensorList.path, [buildSensor({ latestLog: log(MINUTE) })]);
  harness.api.answer(controllerList.path, [buildController()]);
  harness.api.answer(pathTo(channelState, { serial: 200001, channelId: 11 }), {
    onoff: 2,
    createdDate: ago(harness, 0),
  });
  return harness;
}
const shown = (viewer: FleetViewer) => stateOf(viewer.stream);
/** Let time pass, and renew the administrator's token meanwhile. */
async function passWatched(harness: OwnersHarness, viewer: FleetViewer, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 4 * MINUTE) {
    viewer.renew(`admin-${left}`);
    viewer.active();
    await harness.timers.pass(Math.min(left, 4 * MINUTE));
  }
}
const lists = (harness: OwnersHarness): number => harness.api.count(adminDevices.path);

test("[NODE-5] the fleet shows the devices of all accounts, their quality, and their accounts' sums", async () => {
  const harness = startFleet();
  const viewer = await harness.owners.fleet.view("admin");
  const state = shown(viewer);
  expect(state[KEY]).toEqual({
    ...{ id: SENSOR, kind: "sensor", account: OWN, username: "farmer", farm: "윗논", name: "Soil 1" },
    ...{
      deviceType: "SMS",
      serial: 100001,
      link: null,
      latitude: null,
      longitude: null,
      quality: "fresh",
      since: null,
    },
    ...{ flip: null, battery: 88, rssi: -71, fwversion: "1.2", heardAt: "2026-11-21T02:59:00.000Z" },
    at: null,
    alarm: null,
  });
  // The time of a controller's message counts, not the time of its last valve change.
  expect(state[CONTROLLER]).toMatchObject({
    kind: "controller",
    deviceType: "CON04V",
    quality: "fresh",
    rssi: -60,
    fwversion: "3.1",
    heardAt: "2026-11-21T02:59:00.000Z",
  });
  // A silence has a beginning, also without a viewer before, and where readings were imported.
  expect(state[FAR]).toMatchObject({
    ...{ account: OTHER, quality: "offline", since: "2026-11-21T01:00:00.000Z" },
    flip: { at: "2026-11-21T01:00:00.000Z", online: false, last: "2026-11-21T00:00:00.000Z" },
  });
  const sums = {
    late: 0,
    lost: 0,
    offline: 0,
    unknown: 0,
    never: 0,
    alarms: null,
    worstAlarm: null,
    watched: false,
  };
  expect(state[`account:${OWN}`]).toMatchObject({
    id: OWN,
    username: "farmer",
    nickname: "김선우",
    phone: "010-0000-0001",
    farmAddress: "밀양",
    quality: "fresh",
    devices: 2,
    ...sums,
  });
  expect(state[`account:${OTHER}`]).toMatchObject({
    nickname: null,
    phone: null,
    farmAddress: null,
    username: "lee",
    quality: "offline",
    devices: 1,
    offline: 1,
  });
  const knownSince = new Date(harness.clock.now()).toISOString();
  expect(state["fleet:list"]).toMatchObject({ loaded: 3, total: 3, knownSince });
  expect(Object.keys(state)).toHaveLength(6);
});

test("[POLL-1] is listed once a minute for any number of viewers, with their tokens, and never without a viewer", async () => {
  const harness = startFleet();
  await harness.timers.pass(5 * MINUTE);
  expect(lists(harness)).toBe(0);
  const viewers = await Promise.all(["a1", "a2", "a3"].map((token) => harness.owners.fleet.view(token)));
  expect(lists(harness)).toBe(1);
  await harness.timers.pass(3 * MINUTE);
  expect(lists(harness)).toBe(4);
  const tokens = harness.api.calls
    .filter(({ path }) => path === adminDevices.path)
    .map(({ options }) => options.token);
  expect(tokens.every((token) => token !== undefined && ["a1", "a2", "a3"].includes(token))).toBe(true);
  for (const viewer of viewers) viewer.release();
  await harness.timers.pass(30 * MINUTE);
  expect(lists(harness)).toBe(4);
});

test("[POLL-2] shows the present state to a viewer who returns within the minute, without another list", async () => {
  const harness = startFleet();
  const first = await harness.owners.fleet.view("admin");
  await harness.timers.pass(20_000);
  first.release();
  await harness.timers.pass(10_000);
  const again = await harness.owners.fleet.view("admin");
  expect(lists(harness)).toBe(1);
  expect(shown(again)[KEY]).toMatchObject({ quality: "fresh" });
  await harness.timers.pass(30_000);
  expect(lists(harness)).toBe(2);
});

test("[POLL-1] reads a large fleet page by page, and removes a device that no page contains any more", async () => {
  const harness = createOwnersHarness({ extensions: BULK });
  const pages = [1, 2, 3].map((n) =>
    Array.from({ length: n === 3 ? 1 : 200 }, (_, at) => row({ id: `s${n}-${at}`, serial: n * 1_000 + at })),
  );
  const get = harness.api.get;
  let left = 401;
  Object.assign(harness.api, {
    get: (path: string, schema: never, options: { query?: Record<string, string> }) => {
      const content = pages[Number(options?.query?.page) - 1] ?? [];
      if (path === adminDevices.path) harness.api.answer(path, { content, totalElements: left });
      return get(path, schema, options);
    },
  });
  const viewer = await harness.owners.fleet.view("admin");
  expect(Object.keys(shown(viewer)).filter((key) => key.startsWith("device:"))).toHaveLength(401);
  pages[2] = [];
  left = 400;
  await harness.timers.pass(MINUTE);
  expect(shown(viewer)).not.toHaveProperty(["device:s3-0"]);
  expect(shown(viewer)).toHaveProperty(["device:s2-199"]);
});

test("[SUB-3] resumes from a position with the changes and the removals", async () => {
  const harness = startFleet();
  const viewer = await harness.owners.fleet.view("admin");
  const position = { epoch: viewer.stream.epoch, offset: viewer.stream.offset };
  answerList(harness, row({ name: "Soil one", latestLog: buildLogEntry({ createdDate: ago(harness, 0) }) }));
  await harness.timers.pass(MINUTE + 1_000);
  const caught = viewer.stream.changesSince(position);
  expect(caught).toMatchObject({ kind: "resume", set: { [KEY]: { name: "Soil one" } } });
  expect(caught.kind === "resume" && [...caught.del].sort()).toEqual(
    [`account:${OTHER}`, CONTROLLER, FAR].sort(),
  );
});

test("[SUB-1] sends messages with the name of their stream", async () => {
  const harness = startFleet();
  const viewer = await harness.owners.fleet.view("admin");
  const received: unknown[] = [];
  viewer.stream.listen((frame) => received.push(JSON.parse(frame.bytes.toString())));
  answerList(harness, row({ name: "Soil one" }));
  await harness.timers.pass(MINUTE + 1_000);
  expect(received[0]).toMatchObject({ t: "change", stream: "fleet" });
});

test("[NODE-5] an account's owner reports its devices within a second, and the list replaces a stopped owner", async () => {
  const harness = startFleet({ extensions: BULK });
  const admin = await harness.owners.fleet.view("admin");
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  expect(shown(admin)[`account:${OWN}`]).toMatchObject({ watched: true, alarms: 0, worstAlarm: null });
  const at = new Date(harness.clock.now()).toISOString();
  harness.publish("sensor", SENSOR, { ...buildLogEntry({ battery: 12, rssi: -99 }), at, receivedAt: at });
  await harness.timers.pass(1_000);
  // Only the account's own list has the position on the map.
  expect(shown(admin)[KEY]).toMatchObject({ battery: 12, rssi: -99, heardAt: at, latitude: 36.19 });
  viewer.release();
  await harness.timers.pass(61_000);
  expect(shown(admin)[`account:${OWN}`]).toMatchObject({ watched: false, alarms: null });
  expect(shown(admin)[KEY]).toMatchObject({ battery: 12, heardAt: at, quality: "fresh" });
});

test("[NODE-5] uses the list while an account is being read", async () => {
  const harness = startFleet({ extensions: BULK });
  const admin = await harness.owners.fleet.view("admin");
  const received: unknown[] = [];
  admin.stream.listen((frame) => received.push(JSON.parse(frame.bytes.toString())));
  await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(10_000);
  expect(shown(admin)[CONTROLLER]).toMatchObject({ quality: "fresh" });
  expect(JSON.stringify(received)).not.toMatch(/"quality"|"since"/);
});

test("[MQTT-1] receives broker messages of an account without viewers", async () => {
  const harness = startFleet();
  const admin = await harness.owners.fleet.view("admin");
  const at = new Date(harness.clock.now()).toISOString();
  harness.publish("sensor", SENSOR, { ...buildLogEntry({ battery: 12 }), at, receivedAt: at });
  harness.publish("channel", "11", { serial: 200001, onoff: 1, rssi: -55, at, heardAt: at });
  harness.publish("sensor", SENSOR, { nonsense: true });
  await harness.timers.pass(1_000);
  expect(shown(admin)[KEY]).toMatchObject({ battery: 12, heardAt: at });
  expect(shown(admin)[CONTROLLER]).toMatchObject({ rssi: -55, heardAt: at });
  expect(harness.owners.stats().accounts).toBe(0);
});

test("[ONL-2] shows a controller's lost connection on the fleet, from any source", async () => {
  const harness = startFleet();
  const controller = (link?: "up" | "lost") =>
    row({
      id: CONTROLLER.slice(7),
      kind: "controller",
      deviceType: "CON04V",
      serial: 200001,
      ...(link && { link }),
    });
  answerList(harness, controller("lost"));
  const admin = await harness.owners.fleet.view("admin");
  expect(shown(admin)[CONTROLLER]).toMatchObject({ link: "lost" });
  expect(shown(admin)[`account:${OWN}`]).toMatchObject({ lost: 1 });
  const at = new Date(harness.clock.now()).toISOString();
  const say = async (link: "up" | "lost") => {
    harness.publish("channel", "11", { serial: 200001, onoff: 2, at, heardAt: at, link });
    await harness.timers.pass(1_000);
  };
  await say("up");
  expect(shown(admin)[CONTROLLER]).toMatchObject({ link: "up" });
  expect(shown(admin)[`account:${OWN}`]).toMatchObject({ lost: 0 });
  // From now on the account's owner reports its devices.
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(4_000);
  await say("lost");
  await harness.timers.pass(1_000);
  expect(shown(admin)[CONTROLLER]).toMatchObject({ link: "lost" });
  answerList(harness, controller());
  viewer.release();
  await harness.timers.pass(61_000);
  expect(shown(admin)[`account:${OWN}`]).toMatchObject({ watched: false, lost: 1 });
});

test("[ONL-4] flips a device at the moment it goes silent or returns, and shows since when", async () => {
  const harness = startFleet(WITH_SESSION);
  const admin = await harness.owners.fleet.view("admin");
  await harness.owners.view(harness.proven, "t1");
  await passWatched(harness, admin, 70 * MINUTE);
  const gone = shown(admin)[KEY];
  expect(gone).toMatchObject({
    quality: "offline",
    flip: { online: false, last: "2026-11-21T02:59:00.000Z" },
  });
  expect(gone?.since).toBe("2026-11-21T03:59:00.000Z");
  // A silent device is an alarm of its account: the sensor and the valve controller.
  expect(shown(admin)[`account:${OWN}`]).toMatchObject({ quality: "offline", alarms: 2 });
  const at = new Date(harness.clock.now()).toISOString();
  harness.publish("sensor", SENSOR, { ...buildLogEntry(), at, receivedAt: at });
  await harness.timers.pass(1_000);
  expect(shown(admin)[KEY]).toMatchObject({ quality: "fresh", since: at, flip: { online: true, at } });
});

test("[ONL-4] shows the flips of the night to a viewer in the morning, from the accounts' own logs", async () => {
  const harness = startFleet(WITH_SESSION);
  await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(70 * MINUTE);
  const admin = await harness.owners.fleet.view("admin");
  await harness.timers.pass(1_000);
  expect(shown(admin)[KEY]).toMatchObject({
    quality: "offline",
    flip: { online: false, at: "2026-11-21T03:59:00.000Z" },
    since: "2026-11-21T03:59:00.000Z",
  });
});

const RECORDED = { extensions: [...BULK, "fleet-presence" as const] };
const WENT = { at: "2026-11-20T17:10:00.000Z", online: false, last: "2026-11-20T16:10:00.000Z" };

test("[fleet] shows a flip recorded by the farm API to the first viewer and to the second alike", async () => {
  const harness = startFleet(RECORDED);
  const silent = buildLogEntry({ createdDate: "2026-11-21 01:10:00" });
  const beats = { slot: beatSlot(harness.clock.now()), text: "01".repeat(48) };
  answerList(harness, row({ latestLog: silent, flip: WENT, beats }));
  for (const token of ["at eight", "at nine"]) {
    const viewer = await harness.owners.fleet.view(token);
    expect(shown(viewer)[KEY]).toMatchObject({ quality: "offline", since: WENT.at, flip: WENT });
    expect(shown(viewer)["fleet:list"]).toMatchObject({ loaded: 1, total: 1, knownSince: null });
    expect((await harness.owners.fleet.beats(token, [SENSOR])).beats[SENSOR]).toMatch(/^(01){46}/);
    viewer.release();
    await harness.timers.pass(20 * MINUTE);
  }
});

test("[FLIP-1] shows one flip that relay and farm API record, by the earlier record", async () => {
  const harness = startFleet(RECORDED);
  const log = buildLogEntry({ createdDate: ago(harness, 58 * MINUTE) });
  answerList(harness, row({ latestLog: log, flip: null }));
  const viewer = await harness.owners.fleet.view("admin");
  await passWatched(harness, viewer, 2 * MINUTE + 30_000);
  expect(shown(viewer)[KEY]).toMatchObject({ flip: { online: false, at: "2026-11-21T03:02:00.000Z" } });
  const recorded = (at: string) => ({ at, online: false, last: "2026-11-21T02:02:00.400Z" });
  // An API of an earlier version records the time at which it noticed the silence.
  answerList(harness, row({ latestLog: log, flip: recorded("2026-11-21T03:02:40.000Z") }));
  await passWatched(harness, viewer, 3 * MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ since: "2026-11-21T03:02:00.000Z" });
  const earlier = recorded("2026-11-21T03:01:50.000Z");
  answerList(harness, row({ latestLog: log, flip: earlier }));
  await passWatched(harness, viewer, 3 * MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ flip: earlier, since: earlier.at });
});

test("[FLIP-1] a farm API that does not know a flip yet erases none, for the first and the second viewer", async () => {
  const harness = startFleet(RECORDED);
  // The API was restarted after the last messages, and judges no silence for an hour.
  const ids = Array.from({ length: 20 }, (_, n) => `10000000-0000-4000-8000-${String(n).padStart(12, "0")}`);
  const log = buildLogEntry({ createdDate: ago(harness, 62 * MINUTE) });
  answerList(harness, ...ids.map((id, n) => row({ id, serial: 100100 + n, latestLog: log, flip: null })));
  const gone = { at: "2026-11-21T02:58:00.000Z", online: false, last: "2026-11-21T01:58:00.000Z" };
  for (const token of ["at eight", "again at eight"]) {
    const viewer = await harness.owners.fleet.view(token);
    const flips = () => ids.map((id) => shown(viewer)[`device:${id}`]?.flip);
    expect(flips()).toEqual(ids.map(() => gone));
    await passWatched(harness, viewer, 4 * MINUTE);
    expect(flips()).toEqual(ids.map(() => gone));
    expect(shown(viewer)[`device:${ids[0]}`]).toMatchObject({ quality: "offline", since: gone.at });
    viewer.release();
    await harness.timers.pass(3 * MINUTE);
  }
});

test("[FLIP-1] a contact that the list names later disproves a silence", async () => {
  const harness = startFleet(RECORDED);
  answerList(
    harness,
    row({ latestLog: buildLogEntry({ createdDate: ago(harness, 62 * MINUTE) }), flip: null }),
  );
  const viewer = await harness.owners.fleet.view("admin");
  expect(shown(viewer)[KEY]).toMatchObject({ quality: "offline" });
  answerList(
    harness,
    row({ latestLog: buildLogEntry({ createdDate: ago(harness, 10 * MINUTE) }), flip: null }),
  );
  await passWatched(harness, viewer, 2 * MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ quality: "fresh" });
  expect(shown(viewer)[KEY]?.flip).toMatchObject({ online: true });
});

test("[fleet] an old reading neither brings a device back nor makes it go offline", async () => {
  const harness = startFleet();
  answerList(
    harness,
    row({ latestLog: buildLogEntry({ createdDate: ago(harness, 19 * 24 * 60 * MINUTE) }) }),
  );
  const viewer = await harness.owners.fleet.view("admin");
  const lastWeek = new Date(harness.clock.now() - 7 * 24 * 60 * MINUTE).toISOString();
  const receivedAt = new Date(harness.clock.now()).toISOString();
  harness.publish("sensor", SENSOR, { ...buildLogEntry(), at: lastWeek, receivedAt });
  await passWatched(harness, viewer, 70 * MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({
    quality: "offline",
    heardAt: lastWeek,
    flip: { online: false, last: lastWeek },
    since: new Date(Date.parse(lastWeek) + 60 * MINUTE).toISOString(),
  });
});

test("[fleet] watches through the night with an administrator's own session when the API records nothing", async () => {
  const harness = startFleet(WITH_SESSION);
  harness.api.answer(accountInfo.path, buildAccount({ id: OTHER, userType: "ADMIN" }));
  // The administrator has no devices of their own.
  harness.api.answer(sensorList.path, []);
  await harness.owners
    .view({ ...harness.proven, accountId: OTHER }, "evening")
    .then((viewer) => viewer.release());
  const started = harness.clock.now();
  const alive = () =>
    answerList(harness, row({ latestLog: buildLogEntry({ createdDate: ago(harness, 0) }) }));
  for (let minute = 0; minute < 300; minute += 5) {
    alive();
    await harness.timers.pass(5 * MINUTE);
  }
  const last = new Date(harness.clock.now() - 5 * MINUTE).toISOString();
  await harness.timers.pass(350 * MINUTE);
  for (const token of ["at eight", "at nine"]) {
    const viewer = await harness.owners.fleet.view(token);
    const { flip } = shown(viewer)[KEY] ?? {};
    expect(flip).toMatchObject({ online: false, last });
    expect(Date.parse(String(shown(viewer)["fleet:list"]?.knownSince)) - started).toBeLessThan(MINUTE);
    viewer.release();
    await harness.timers.pass(60 * MINUTE);
  }
});

test("[fleet] shows from when on it has known the fleet, after a time without viewers", async () => {
  const harness = startFleet();
  const evening = await harness.owners.fleet.view("evening");
  evening.release();
  await harness.timers.pass(12 * 60 * MINUTE);
  const morning = await harness.owners.fleet.view("morning");
  const known = { loaded: 3, total: 3, knownSince: new Date(harness.clock.now()).toISOString() };
  expect(shown(morning)["fleet:list"]).toMatchObject(known);
  await passWatched(harness, morning, 30 * MINUTE);
  expect(shown(morning)["fleet:list"]).toMatchObject(known);
});

test("[POLL-1] lists a plain API's sensors without owners, and requests the newest log of each", async () => {
  const harness = createOwnersHarness();
  const { latestLog: _, userId: __, ...bare } = buildSensor({ id: 7 });
  harness.api.answer(adminSensors.path, [bare, { nonsense: true }]);
  harness.api.answer(pathTo(latestStored, { id: 7 }), buildLogEntry({ createdDate: ago(harness, MINUTE) }));
  const viewer = await harness.owners.fleet.view("admin");
  expect(shown(viewer)["device:7"]).toMatchObject({
    account: null,
    username: null,
    quality: "unknown",
    latitude: 36.19,
  });
  await harness.timers.pass(5 * MINUTE);
  expect(harness.api.count(pathTo(latestStored, { id: 7 }))).toBe(1);
  expect(shown(viewer)["device:7"]).toMatchObject({ heardAt: "2026-11-21T02:59:00.000Z", battery: 88 });
  expect(Object.keys(shown(viewer))).toEqual(["fleet:list", "device:7"]);
  viewer.release();
  await harness.timers.pass(30 * MINUTE);
  expect(harness.api.count(pathTo(latestStored, { id: 7 }))).toBe(1);
});

test("[POLL-7] shows devices as late or unknown, never offline, while the farm API is away", async () => {
  const harness = startFleet();
  const viewer = await harness.owners.fleet.view("admin");
  harness.api.answer(adminDevices.path, away());
  await passWatched(harness, viewer, 10 * 60 * MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ quality: "unknown", flip: null });
  answerList(harness, row({ latestLog: buildLogEntry({ createdDate: ago(harness, 0) }) }));
  await harness.timers.pass(MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ quality: "fresh", flip: null });
});

test("[POLL-1] reads the list every five minutes for an administrator who was inactive for as long", async () => {
  const harness = startFleet();
  const viewer = await harness.owners.fleet.view("admin");
  await harness.timers.pass(6 * MINUTE);
  const rested = lists(harness);
  viewer.renew("admin-2");
  await harness.timers.pass(20 * MINUTE);
  expect(lists(harness)).toBe(rested + 4);
  viewer.active();
  await harness.timers.pass(4 * MINUTE);
  expect(lists(harness)).toBeGreaterThan(rested + 6);
});

test("[POLL-5] does not use a rejected token again, and knows nothing without a token", async () => {
  const harness = startFleet();
  const viewer = await harness.owners.fleet.view("admin");
  harness.api.answer(adminDevices.path, new UpstreamStatusError("no", 403, "forbidden", null));
  await harness.timers.pass(MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ quality: "unknown" });
});

test("[POLL-1] rejects a viewer who may not see the fleet, and tries again for the next one", async () => {
  const harness = createOwnersHarness({ extensions: BULK });
  harness.api.answer(adminDevices.path, away());
  await expect(harness.owners.fleet.view("admin")).rejects.toBeInstanceOf(UpstreamUnreachableError);
  answerList(harness, row());
  expect(shown(await harness.owners.fleet.view("admin"))).toHaveProperty([KEY]);
});

test("[POLL-8] makes the fleet and the changed account's lists due at once after an administrator's write", async () => {
  const harness = startFleet({ extensions: BULK });
  const admin = await harness.owners.fleet.view("admin");
  const viewer = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(10_000);
  const asked = harness.api.count(sensorList.path);
  answerList(harness, row({ name: "Renamed" }));
  harness.api.answer(sensorList.path, [buildSensor({ name: "Renamed" })]);
  harness.owners.written("the-administrator", "/api/v1/admin/sensor/update");
  await harness.timers.pass(1_000);
  expect(lists(harness)).toBe(2);
  expect(harness.api.count(sensorList.path)).toBe(asked + 1);
  expect(harness.state(viewer)[`sensor:${SENSOR}`]).toMatchObject({ info: { name: "Renamed" } });
  expect(shown(admin)[KEY]).toMatchObject({ name: "Renamed" });
});

test.each(["sensor", "controller", "farm", "account"])(
  "[POLL-8] lists the fleet at once after a write of a %s past the relay, and a burst of them once in 15 s",
  async (entity) => {
    const harness = startFleet({ extensions: BULK });
    const admin = await harness.owners.fleet.view("admin");
    await harness.timers.pass(20_000);
    answerList(harness, row({ name: "Renamed" }));
    for (let n = 0; n < 50; n += 1) {
      harness.publish("changed", { entity, id: n });
      await harness.timers.pass(100);
    }
    expect(lists(harness)).toBe(2);
    expect(shown(admin)[KEY]).toMatchObject({ name: "Renamed" });
    await harness.timers.pass(15_000);
    expect(lists(harness)).toBe(3);
  },
);

test.each(["channel", "notification", "password"])(
  "[POLL-8] does not list the fleet for a report of a %s, which the list does not name",
  async (entity) => {
    const harness = startFleet({ extensions: BULK });
    await harness.owners.fleet.view("admin");
    await harness.timers.pass(20_000);
    harness.publish("changed", { entity, id: 1 });
    await harness.timers.pass(20_000);
    expect(lists(harness)).toBe(1);
  },
);

test("[POLL-8] makes an account's lists due after a write to it, with or without viewers of the fleet", async () => {
  const harness = startFleet({ extensions: BULK });
  await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(10_000);
  const asked = harness.api.count(sensorList.path);
  harness.owners.written("the-administrator", `/api/v1/admin/user/update/${OWN}`);
  await harness.timers.pass(1_000);
  expect(harness.api.count(sensorList.path)).toBe(asked + 1);
  expect(lists(harness)).toBe(0);
});

test("[fleet] a heartbeat bar has a slot for each half-hour: reported, silent, or not observed", async () => {
  const harness = startFleet(WITH_SESSION);
  const viewer = await harness.owners.view(harness.proven, "t1");
  for (let n = 0; n < 4; n += 1) {
    // Silent in the second half-hour.
    if (n !== 1) {
      const at = new Date(harness.clock.now()).toISOString();
      harness.publish("sensor", SENSOR, { ...buildLogEntry(), at, receivedAt: at });
    }
    await harness.timers.pass(30 * MINUTE);
  }
  const answer = await harness.owners.fleet.beats("admin", [SENSOR, FAR.slice(7), "nobody"]);
  expect(answer).toMatchObject({ from: "2026-11-19T05:30:00.000Z", slotMs: 1_800_000 });
  // The account sends a complete report for the first viewer.
  await harness.owners.fleet.view("admin");
  await harness.timers.pass(1_000);
  const { beats } = await harness.owners.fleet.beats("admin", [SENSOR, FAR.slice(7), "nobody"]);
  expect(beats[SENSOR]).toBe(`${"-".repeat(90)}110110`.slice(-96).padStart(96, "-"));
  // The other account is known only from the list: one report then, and an observation now.
  expect(beats[FAR.slice(7)]).toMatch(/^-+1-+0$/);
  expect(beats).not.toHaveProperty("nobody");
  viewer.release();
});

/** Start with three sensors of a plain API: two reported lately, and the third never did. */
function startPlainFleet(): OwnersHarness {
  const harness = createOwnersHarness();
  const sensors = [7, 8, 9].map((id) => {
    const { latestLog: _, userId: __, ...bare } = buildSensor({ id });
    return bare;
  });
  harness.api.answer(adminSensors.path, sensors);
  for (const id of [7, 8]) {
    harness.api.answer(pathTo(latestStored, { id }), buildLogEntry({ createdDate: ago(harness, MINUTE) }));
  }
  harness.api.answer(pathTo(latestStored, { id: 9 }), null);
  return harness;
}

test("[fleet] a device without an answer from a plain API is unknown, and then never seen", async () => {
  const harness = startPlainFleet();
  const viewer = await harness.owners.fleet.view("admin");
  for (const id of [7, 8, 9]) {
    expect(shown(viewer)[`device:${id}`]).toMatchObject({ quality: "unknown", heardAt: null });
  }
  expect(shown(viewer)["fleet:list"]).toMatchObject({ loaded: 3, total: 3, asked: { answered: 0, of: 3 } });
  await harness.timers.pass(MINUTE);
  expect(shown(viewer)["fleet:list"]).toMatchObject({ asked: { answered: 3, of: 3 } });
  expect(shown(viewer)["device:7"]).toMatchObject({ quality: "fresh" });
  expect(shown(viewer)["device:9"]).toMatchObject({ quality: null, heardAt: null });
  // Within the first minute, so that the administrator need not wait a whole interval; afterwards at the
  // usual pace.
  expect(harness.api.count(pathTo(latestStored, { id: 7 }))).toBe(1);
});

test("[fleet] keeps a plain API's answers without viewers, with their age", async () => {
  const harness = startPlainFleet();
  const first = await harness.owners.fleet.view("admin");
  await harness.timers.pass(5 * MINUTE);
  first.release();
  await harness.timers.pass(5 * MINUTE);
  const soon = await harness.owners.fleet.view("admin");
  expect(shown(soon)["device:7"]).toMatchObject({ heardAt: "2026-11-21T02:59:00.000Z" });
  expect(shown(soon)["device:9"]).toMatchObject({ quality: null });
  expect(shown(soon)["fleet:list"]).toMatchObject({ asked: { answered: 3, of: 3 } });
  soon.release();
  await harness.timers.pass(3 * 60 * MINUTE);
  const late = await harness.owners.fleet.view("admin");
  // Too old to show a quality: only the time of the last report is known until the next answer.
  expect(shown(late)["device:7"]).toMatchObject({ quality: "unknown", heardAt: "2026-11-21T02:59:00.000Z" });
  expect(shown(late)["fleet:list"]).toMatchObject({ asked: { answered: 0, of: 3 } });
  await harness.timers.pass(MINUTE);
  expect(shown(late)["device:7"]).toMatchObject({ quality: "offline", battery: 88 });
  expect(shown(late)["fleet:list"]).toMatchObject({ asked: { answered: 3, of: 3 } });
});

test("[POLL-9] requests a suddenly empty fleet again before its devices are removed", async () => {
  for (const options of [{ extensions: BULK }, {}]) {
    const harness = createOwnersHarness(options);
    const isBulk = "extensions" in options;
    const path = isBulk ? adminDevices.path : adminSensors.path;
    const answer = (...rows: object[]) =>
      harness.api.answer(path, isBulk ? { content: rows, totalElements: rows.length } : rows);
    answer(row());
    const viewer = await harness.owners.fleet.view("admin");
    answer();
    await harness.timers.pass(MINUTE);
    expect(shown(viewer)[KEY]).toBeDefined();
    answer(row());
    await harness.timers.pass(MINUTE);
    expect(shown(viewer)[KEY]).toBeDefined();
    answer();
    const before = harness.api.count(path);
    await harness.timers.pass(3 * MINUTE);
    expect(harness.api.count(path) - before).toBeGreaterThan(5);
    expect(shown(viewer)[KEY]).toBeUndefined();
  }
});

test("[POLL-9] accepts an empty fleet after an administrator has emptied it", async () => {
  const harness = startFleet();
  const viewer = await harness.owners.fleet.view("admin");
  answerList(harness);
  harness.owners.written(OTHER, pathTo(adminSensorDelete, { id: SENSOR }), null);
  await harness.timers.pass(2_000);
  expect(shown(viewer)[KEY]).toBeUndefined();
});
