// Long because one rig carries the whole life of the fleet: list, owners, silence, writes, takeover.
import { beatSlot } from "@mulkko/shared/rest/fleet";
import { apiPath } from "@mulkko/shared/rest/routes";
import { buildAccount, buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { expect, test } from "vitest";
import type { FleetViewer } from "../ports/fleet.ts";
import type { StateValue } from "../ports/streams.ts";
import { createOwnersRig, type OwnersRig } from "../testing/owners-rig.ts";
import { passTime } from "../testing/settle.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";

const MINUTE = 60_000;
const SENSOR = "10000000-0000-4000-8000-000000000001";
const KEY = `device:${SENSOR}`;
const BOX = "device:20000000-0000-4000-8000-000000000001";
const FAR = "device:30000000-0000-4000-8000-000000000003";
const OWN = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";
const BULK = ["admin-fleet" as const, "relay-session" as const];
/** Keeps its access for longer than a viewer's token lasts. */
const WITH_SESSION = { extensions: BULK, relayKey: "0123456789abcdef" };
const away = () => new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });

const ago = (rig: OwnersRig, ms: number): string =>
  new Date(rig.clock.now() - ms + 9 * 60 * MINUTE).toISOString().slice(0, 19).replace("T", " ");

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
const answerList = (rig: OwnersRig, ...content: object[]): void =>
  rig.api.answer(apiPath.adminDevices, { content, totalElements: content.length });

/** Two accounts: a sensor and a controller of one, a sensor of the other that is silent for three hours. */
function startFleet(options: Parameters<typeof createOwnersRig>[0] = { extensions: BULK }): OwnersRig {
  const rig = createOwnersRig(options);
  const log = (ms: number) => buildLogEntry({ createdDate: ago(rig, ms) });
  const box = {
    createdDate: ago(rig, 90 * MINUTE),
    modifiedDate: ago(rig, MINUTE),
    rssi: -60,
    fwversion: "3.1",
  };
  answerList(
    rig,
    row({ latestLog: log(MINUTE) }),
    row({
      id: BOX.slice(7),
      kind: "controller",
      name: "Valve box",
      deviceType: "CON04V",
      serial: 200001,
      latestLog: box,
    }),
    row({ id: FAR.slice(7), userId: OTHER, username: "lee", serial: 100003, latestLog: log(180 * MINUTE) }),
  );
  rig.api.answer(apiPath.sensors, [buildSensor({ latestLog: log(MINUTE) })]);
  rig.api.answer(apiPath.controllers, [buildController()]);
  rig.api.answer(apiPath.refreshState(200001, 11), { onoff: 2, createdDate: ago(rig, 0) });
  return rig;
}
const shown = (viewer: FleetViewer): Readonly<Record<string, StateValue>> => {
  const caught = viewer.stream.changesSince(undefined);
  return caught.kind === "snapshot" ? caught.state : {};
};
/** Lets time pass, and the administrator's token be renewed meanwhile. */
async function passWatched(rig: OwnersRig, viewer: FleetViewer, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 4 * MINUTE) {
    viewer.renew(`admin-${left}`);
    viewer.active();
    await passTime(rig.timers, Math.min(left, 4 * MINUTE));
  }
}
const lists = (rig: OwnersRig): number => rig.api.count(apiPath.adminDevices);

test("[NODE-5] the fleet shows the devices of all accounts, how they are, and their accounts' sums", async () => {
  const rig = startFleet();
  const viewer = await rig.owners.fleet.view("admin");
  const state = shown(viewer);
  expect(state[KEY]).toEqual({
    ...{ id: SENSOR, kind: "sensor", account: OWN, username: "farmer", name: "Soil 1" },
    ...{ deviceType: "SMS", serial: 100001, latitude: null, longitude: null, quality: "fresh", since: null },
    ...{ flip: null, battery: 88, rssi: -71, fwversion: "1.2", heardAt: "2026-11-21T02:59:00.000Z" },
  });
  // A controller was heard when its message arrived, not when its valve moved last.
  expect(state[BOX]).toMatchObject({
    kind: "controller",
    deviceType: "CON04V",
    quality: "fresh",
    rssi: -60,
    fwversion: "3.1",
    heardAt: "2026-11-21T02:59:00.000Z",
  });
  // It did not go silent just now: nobody had looked before.
  expect(state[FAR]).toMatchObject({ account: OTHER, quality: "offline", since: null, flip: null });
  const sums = { late: 0, offline: 0, unknown: 0, never: 0, alarms: null, worstAlarm: null, watched: false };
  expect(state[`account:${OWN}`]).toEqual({
    id: OWN,
    username: "farmer",
    quality: "fresh",
    devices: 2,
    ...sums,
  });
  expect(state[`account:${OTHER}`]).toMatchObject({
    username: "lee",
    quality: "offline",
    devices: 1,
    offline: 1,
  });
  const knownSince = new Date(rig.clock.now()).toISOString();
  expect(state["fleet:list"]).toEqual({ loaded: 3, total: 3, knownSince });
  expect(Object.keys(state)).toHaveLength(6);
});

test("[POLL-1] is listed once a minute however many look, with their tokens, and not at all while nobody does", async () => {
  const rig = startFleet();
  await passTime(rig.timers, 5 * MINUTE);
  expect(lists(rig)).toBe(0);
  const viewers = await Promise.all(["a1", "a2", "a3"].map((token) => rig.owners.fleet.view(token)));
  expect(lists(rig)).toBe(1);
  await passTime(rig.timers, 3 * MINUTE);
  expect(lists(rig)).toBe(4);
  const tokens = rig.api.calls
    .filter(({ path }) => path === apiPath.adminDevices)
    .map(({ options }) => options.token);
  expect(tokens.every((token) => token !== undefined && ["a1", "a2", "a3"].includes(token))).toBe(true);
  for (const viewer of viewers) viewer.release();
  await passTime(rig.timers, 30 * MINUTE);
  expect(lists(rig)).toBe(4);
});

test("[POLL-2] who comes back within the minute sees what is there, and the list is not asked for again", async () => {
  const rig = startFleet();
  const first = await rig.owners.fleet.view("admin");
  await passTime(rig.timers, 20_000);
  first.release();
  await passTime(rig.timers, 10_000);
  const again = await rig.owners.fleet.view("admin");
  expect(lists(rig)).toBe(1);
  expect(shown(again)[KEY]).toMatchObject({ quality: "fresh" });
  await passTime(rig.timers, 30_000);
  expect(lists(rig)).toBe(2);
});

test("[POLL-1] a large fleet is read page by page, and a device that is on none of them any more is gone", async () => {
  const rig = createOwnersRig({ extensions: BULK });
  const pages = [1, 2, 3].map((n) =>
    Array.from({ length: n === 3 ? 1 : 200 }, (_, at) => row({ id: `s${n}-${at}`, serial: n * 1_000 + at })),
  );
  const get = rig.api.get;
  let left = 401;
  Object.assign(rig.api, {
    get: (path: string, schema: never, options: { query?: Record<string, string> }) => {
      const content = pages[Number(options?.query?.page) - 1] ?? [];
      if (path === apiPath.adminDevices) rig.api.answer(path, { content, totalElements: left });
      return get(path, schema, options);
    },
  });
  const viewer = await rig.owners.fleet.view("admin");
  expect(Object.keys(shown(viewer)).filter((key) => key.startsWith("device:"))).toHaveLength(401);
  pages[2] = [];
  left = 400;
  await passTime(rig.timers, MINUTE);
  expect(shown(viewer)).not.toHaveProperty(["device:s3-0"]);
  expect(shown(viewer)).toHaveProperty(["device:s2-199"]);
});

test("[SUB-3] a position resumes with what has changed, and what is gone", async () => {
  const rig = startFleet();
  const viewer = await rig.owners.fleet.view("admin");
  const position = { epoch: viewer.stream.epoch, offset: viewer.stream.offset };
  answerList(rig, row({ name: "Soil one", latestLog: buildLogEntry({ createdDate: ago(rig, 0) }) }));
  await passTime(rig.timers, MINUTE + 1_000);
  const caught = viewer.stream.changesSince(position);
  expect(caught).toMatchObject({ kind: "resume", set: { [KEY]: { name: "Soil one" } } });
  expect(caught.kind === "resume" && [...caught.del].sort()).toEqual([`account:${OTHER}`, BOX, FAR].sort());
});

test("[SUB-1] what goes out is called by the name of its stream", async () => {
  const rig = startFleet();
  const viewer = await rig.owners.fleet.view("admin");
  const heard: unknown[] = [];
  viewer.stream.listen((frame) => heard.push(JSON.parse(frame.bytes.toString())));
  answerList(rig, row({ name: "Soil one" }));
  await passTime(rig.timers, MINUTE + 1_000);
  expect(heard[0]).toMatchObject({ t: "change", stream: "fleet" });
});

test("[NODE-5] an account's owner speaks for its devices within a second, and the list when it has gone", async () => {
  const rig = startFleet({ extensions: BULK });
  const admin = await rig.owners.fleet.view("admin");
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 4_000);
  expect(shown(admin)[`account:${OWN}`]).toMatchObject({ watched: true, alarms: 0, worstAlarm: null });
  const at = new Date(rig.clock.now()).toISOString();
  rig.publish("sensor", SENSOR, { ...buildLogEntry({ battery: 12, rssi: -99 }), at, receivedAt: at });
  await passTime(rig.timers, 1_000);
  // The place on the map is in the account's own list alone.
  expect(shown(admin)[KEY]).toMatchObject({ battery: 12, rssi: -99, heardAt: at, latitude: 36.19 });
  viewer.release();
  await passTime(rig.timers, 61_000);
  expect(shown(admin)[`account:${OWN}`]).toMatchObject({ watched: false, alarms: null });
  expect(shown(admin)[KEY]).toMatchObject({ battery: 12, heardAt: at, quality: "fresh" });
});

test("[NODE-5] while an account is being read the list knows more of its devices than their owner", async () => {
  const rig = startFleet({ extensions: BULK });
  const admin = await rig.owners.fleet.view("admin");
  const heard: unknown[] = [];
  admin.stream.listen((frame) => heard.push(JSON.parse(frame.bytes.toString())));
  await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 10_000);
  expect(shown(admin)[BOX]).toMatchObject({ quality: "fresh" });
  expect(JSON.stringify(heard)).not.toMatch(/"quality"|"since"/);
});

test("[MQTT-1] of an account that nobody watches the broker is heard all the same", async () => {
  const rig = startFleet();
  const admin = await rig.owners.fleet.view("admin");
  const at = new Date(rig.clock.now()).toISOString();
  rig.publish("sensor", SENSOR, { ...buildLogEntry({ battery: 12 }), at, receivedAt: at });
  rig.publish("channel", "11", { serial: 200001, onoff: 1, rssi: -55, at, heardAt: at });
  rig.publish("sensor", SENSOR, { nonsense: true });
  await passTime(rig.timers, 1_000);
  expect(shown(admin)[KEY]).toMatchObject({ battery: 12, heardAt: at });
  expect(shown(admin)[BOX]).toMatchObject({ rssi: -55, heardAt: at });
  expect(rig.owners.stats().accounts).toBe(0);
});

test("[ONL-4] a device that goes silent and comes back is flipped at its own moment, and says since when", async () => {
  const rig = startFleet(WITH_SESSION);
  const admin = await rig.owners.fleet.view("admin");
  await rig.owners.view(rig.proven, "t1");
  await passWatched(rig, admin, 70 * MINUTE);
  const gone = shown(admin)[KEY];
  expect(gone).toMatchObject({
    quality: "offline",
    flip: { online: false, last: "2026-11-21T02:59:00.000Z" },
  });
  expect(gone?.since).toBe("2026-11-21T03:59:00.000Z");
  // A silent device is an alarm of its account: the sensor, and the valve box.
  expect(shown(admin)[`account:${OWN}`]).toMatchObject({ quality: "offline", alarms: 2 });
  const at = new Date(rig.clock.now()).toISOString();
  rig.publish("sensor", SENSOR, { ...buildLogEntry(), at, receivedAt: at });
  await passTime(rig.timers, 1_000);
  expect(shown(admin)[KEY]).toMatchObject({ quality: "fresh", since: at, flip: { online: true, at } });
});

test("[ONL-4] who looks in the morning sees what flipped in the night, by the accounts' own logs", async () => {
  const rig = startFleet(WITH_SESSION);
  await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 70 * MINUTE);
  const admin = await rig.owners.fleet.view("admin");
  await passTime(rig.timers, 1_000);
  expect(shown(admin)[KEY]).toMatchObject({
    quality: "offline",
    flip: { online: false, at: "2026-11-21T03:59:00.000Z" },
    since: "2026-11-21T03:59:00.000Z",
  });
});

const RECORDED = { extensions: [...BULK, "fleet-presence" as const] };
const WENT = { at: "2026-11-20T17:10:00.000Z", online: false, last: "2026-11-20T16:10:00.000Z" };

test("[fleet] a flip that the farm API recorded is the same for the first viewer and for the second", async () => {
  const rig = startFleet(RECORDED);
  const silent = buildLogEntry({ createdDate: "2026-11-21 01:10:00" });
  const beats = { slot: beatSlot(rig.clock.now()), text: "01".repeat(48) };
  answerList(rig, row({ latestLog: silent, flip: WENT, beats }));
  for (const token of ["at eight", "at nine"]) {
    const viewer = await rig.owners.fleet.view(token);
    expect(shown(viewer)[KEY]).toMatchObject({ quality: "offline", since: WENT.at, flip: WENT });
    expect(shown(viewer)["fleet:list"]).toEqual({ loaded: 1, total: 1, knownSince: null });
    expect((await rig.owners.fleet.beats(token, [SENSOR])).beats[SENSOR]).toMatch(/^(01){46}/);
    viewer.release();
    await passTime(rig.timers, 20 * MINUTE);
  }
});

test("[fleet] what the relay saw itself gives way to what the farm API recorded of it", async () => {
  const rig = startFleet(RECORDED);
  const log = buildLogEntry({ createdDate: ago(rig, 58 * MINUTE) });
  answerList(rig, row({ latestLog: log, flip: null }));
  const viewer = await rig.owners.fleet.view("admin");
  await passWatched(rig, viewer, 2 * MINUTE + 30_000);
  expect(shown(viewer)[KEY]).toMatchObject({ flip: { online: false, at: "2026-11-21T03:02:00.000Z" } });
  const recorded = { ...WENT, at: "2026-11-21T03:02:40.000Z" };
  answerList(rig, row({ latestLog: log, flip: recorded }));
  await passWatched(rig, viewer, 3 * MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ flip: recorded, since: recorded.at });
});

test("[fleet] a reading of last week neither brings a device back nor makes it go offline", async () => {
  const rig = startFleet();
  answerList(rig, row({ latestLog: buildLogEntry({ createdDate: ago(rig, 19 * 24 * 60 * MINUTE) }) }));
  const viewer = await rig.owners.fleet.view("admin");
  const lastWeek = new Date(rig.clock.now() - 7 * 24 * 60 * MINUTE).toISOString();
  const receivedAt = new Date(rig.clock.now()).toISOString();
  rig.publish("sensor", SENSOR, { ...buildLogEntry(), at: lastWeek, receivedAt });
  await passWatched(rig, viewer, 70 * MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({
    quality: "offline",
    heardAt: lastWeek,
    flip: null,
    since: null,
  });
});

test("[fleet] in front of an API without records an administrator's own session watches through the night", async () => {
  const rig = startFleet(WITH_SESSION);
  rig.api.answer(apiPath.accountInfo, buildAccount({ id: OTHER, userType: "ADMIN" }));
  // The administrator has no devices of their own.
  rig.api.answer(apiPath.sensors, []);
  await rig.owners.view({ ...rig.proven, accountId: OTHER }, "evening").then((viewer) => viewer.release());
  const started = rig.clock.now();
  const alive = () => answerList(rig, row({ latestLog: buildLogEntry({ createdDate: ago(rig, 0) }) }));
  for (let minute = 0; minute < 300; minute += 5) {
    alive();
    await passTime(rig.timers, 5 * MINUTE);
  }
  const last = new Date(rig.clock.now() - 5 * MINUTE).toISOString();
  await passTime(rig.timers, 350 * MINUTE);
  for (const token of ["at eight", "at nine"]) {
    const viewer = await rig.owners.fleet.view(token);
    const { flip } = shown(viewer)[KEY] ?? {};
    expect(flip).toMatchObject({ online: false, last });
    expect(Date.parse(String(shown(viewer)["fleet:list"]?.knownSince)) - started).toBeLessThan(MINUTE);
    viewer.release();
    await passTime(rig.timers, 60 * MINUTE);
  }
});

test("[fleet] where no one watched it says from when on it has known", async () => {
  const rig = startFleet();
  const evening = await rig.owners.fleet.view("evening");
  evening.release();
  await passTime(rig.timers, 12 * 60 * MINUTE);
  const morning = await rig.owners.fleet.view("morning");
  const known = { loaded: 3, total: 3, knownSince: new Date(rig.clock.now()).toISOString() };
  expect(shown(morning)["fleet:list"]).toEqual(known);
  await passWatched(rig, morning, 30 * MINUTE);
  expect(shown(morning)["fleet:list"]).toEqual(known);
});

test("[POLL-1] a plain API's sensors are the fleet, their owners unknown, each asked for its newest log", async () => {
  const rig = createOwnersRig();
  const { latestLog: _, userId: __, ...bare } = buildSensor({ id: 7 });
  rig.api.answer(apiPath.adminSensors, [bare, { nonsense: true }]);
  rig.api.answer(apiPath.latest(7), buildLogEntry({ createdDate: ago(rig, MINUTE) }));
  const viewer = await rig.owners.fleet.view("admin");
  expect(shown(viewer)["device:7"]).toMatchObject({
    account: null,
    username: null,
    quality: null,
    latitude: 36.19,
  });
  await passTime(rig.timers, 5 * MINUTE);
  expect(rig.api.count(apiPath.latest(7))).toBe(1);
  expect(shown(viewer)["device:7"]).toMatchObject({ heardAt: "2026-11-21T02:59:00.000Z", battery: 88 });
  expect(Object.keys(shown(viewer))).toEqual(["fleet:list", "device:7"]);
  viewer.release();
  await passTime(rig.timers, 30 * MINUTE);
  expect(rig.api.count(apiPath.latest(7))).toBe(1);
});

test("[POLL-7] while the farm API is away devices are late or unknown, never offline", async () => {
  const rig = startFleet();
  const viewer = await rig.owners.fleet.view("admin");
  rig.api.answer(apiPath.adminDevices, away());
  await passWatched(rig, viewer, 10 * 60 * MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ quality: "unknown", flip: null });
  answerList(rig, row({ latestLog: buildLogEntry({ createdDate: ago(rig, 0) }) }));
  await passTime(rig.timers, MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ quality: "fresh", flip: null });
});

test("[POLL-1] the list is read every five minutes for an administrator who was not active for as long", async () => {
  const rig = startFleet();
  const viewer = await rig.owners.fleet.view("admin");
  await passTime(rig.timers, 6 * MINUTE);
  const rested = lists(rig);
  viewer.renew("admin-2");
  await passTime(rig.timers, 20 * MINUTE);
  expect(lists(rig)).toBe(rested + 4);
  viewer.active();
  await passTime(rig.timers, 4 * MINUTE);
  expect(lists(rig)).toBeGreaterThan(rested + 6);
});

test("[POLL-5] a refused token is not used again, and without one nothing can be told", async () => {
  const rig = startFleet();
  const viewer = await rig.owners.fleet.view("admin");
  rig.api.answer(apiPath.adminDevices, new UpstreamStatusError("no", 403, "forbidden", null));
  await passTime(rig.timers, MINUTE);
  expect(shown(viewer)[KEY]).toMatchObject({ quality: "unknown" });
});

test("[POLL-1] who cannot be shown the fleet hears so, and the next one asks anew", async () => {
  const rig = createOwnersRig({ extensions: BULK });
  rig.api.answer(apiPath.adminDevices, away());
  await expect(rig.owners.fleet.view("admin")).rejects.toBeInstanceOf(UpstreamUnreachableError);
  answerList(rig, row());
  expect(shown(await rig.owners.fleet.view("admin"))).toHaveProperty([KEY]);
});

test("[POLL-8] an administrator's write makes the fleet due at once, and the lists of the account it changed", async () => {
  const rig = startFleet({ extensions: BULK });
  const admin = await rig.owners.fleet.view("admin");
  const viewer = await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 10_000);
  const asked = rig.api.count(apiPath.sensors);
  answerList(rig, row({ name: "Renamed" }));
  rig.api.answer(apiPath.sensors, [buildSensor({ name: "Renamed" })]);
  rig.owners.written("the-administrator", "/api/v1/admin/sensor/update");
  await passTime(rig.timers, 1_000);
  expect(lists(rig)).toBe(2);
  expect(rig.api.count(apiPath.sensors)).toBe(asked + 1);
  expect(rig.state(viewer)[`sensor:${SENSOR}`]).toMatchObject({ info: { name: "Renamed" } });
  expect(shown(admin)[KEY]).toMatchObject({ name: "Renamed" });
});

test("[POLL-8] a write to a user's account makes that account's lists due, whether or not anybody looks at the fleet", async () => {
  const rig = startFleet({ extensions: BULK });
  await rig.owners.view(rig.proven, "t1");
  await passTime(rig.timers, 10_000);
  const asked = rig.api.count(apiPath.sensors);
  rig.owners.written("the-administrator", `/api/v1/admin/user/update/${OWN}`);
  await passTime(rig.timers, 1_000);
  expect(rig.api.count(apiPath.sensors)).toBe(asked + 1);
  expect(lists(rig)).toBe(0);
});

test("[fleet] a heartbeat bar has a slot for each half-hour: heard, silent, or nobody looked", async () => {
  const rig = startFleet(WITH_SESSION);
  const viewer = await rig.owners.view(rig.proven, "t1");
  for (let n = 0; n < 4; n += 1) {
    // Silent in the second half-hour.
    if (n !== 1) {
      const at = new Date(rig.clock.now()).toISOString();
      rig.publish("sensor", SENSOR, { ...buildLogEntry(), at, receivedAt: at });
    }
    await passTime(rig.timers, 30 * MINUTE);
  }
  const answer = await rig.owners.fleet.beats("admin", [SENSOR, FAR.slice(7), "nobody"]);
  expect(answer).toMatchObject({ from: "2026-11-19T05:30:00.000Z", slotMs: 1_800_000 });
  // The account is told whole once somebody looks.
  await rig.owners.fleet.view("admin");
  await passTime(rig.timers, 1_000);
  const { beats } = await rig.owners.fleet.beats("admin", [SENSOR, FAR.slice(7), "nobody"]);
  expect(beats[SENSOR]).toBe(`${"-".repeat(90)}110110`.slice(-96).padStart(96, "-"));
  // Only the list is known of the other's: heard then, and looked at now.
  expect(beats[FAR.slice(7)]).toMatch(/^-+1-+0$/);
  expect(beats).not.toHaveProperty("nobody");
  viewer.release();
});
