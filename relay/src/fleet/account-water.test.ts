import type { Alarm } from "@mulkko/shared/live/alarm";
import { FLEET_ALARMS } from "@mulkko/shared/live/fleet";
import { seededRandom } from "@mulkko/shared/testing/random";
import { expect, test } from "vitest";
import { createFakeWriter } from "../../testing/valves/fake-writer.ts";
import type { StateValue } from "../store/streams.ts";
import { alarmedDevice, isUrgent, urgentReport, waterReport } from "./account-water.ts";
import { FleetIndex, type FleetIndexDeps } from "./fleet-index.ts";
import type { AccountReport } from "./reports.ts";

const NOW = Date.parse("2026-11-21T03:00:00.000Z");
const HOUR = 3_600_000;
const at = (ms: number): string => new Date(ms).toISOString();

const channel = (change: StateValue = {}): StateValue => ({
  ...{ controllerId: "c1", serial: 200001, number: 1, sensorIds: [], modes: null, moisture: null },
  ...{ runUntil: null, endsBy: null, command: null, at: null, heardAt: null },
  ...{ onoff: 2, quality: "fresh", link: "up" },
  ...change,
});
const alarm = (id: string, change: Partial<Alarm> = {}): Alarm => ({
  ...{ id, key: "channel:11", type: "open-too-long", priority: 1, count: 1, active: true },
  ...{ raisedAt: at(NOW - HOUR), clearedAt: null, ack: null, snooze: null },
  ...change,
});
const stateOf = (entries: Record<string, StateValue>) => new Map(Object.entries(entries));
const withAlarms = (alarms: readonly Alarm[], more: Record<string, StateValue> = {}) =>
  stateOf({ ...Object.fromEntries(alarms.map((one) => [`alarm:${one.id}`, { ...one }])), ...more });

test("[WATCH-3] counts open valves whatever their age, those beyond their end, and the unknown others", () => {
  const state = stateOf({
    "channel:1": channel(),
    "channel:2": channel({ onoff: 1 }),
    "channel:3": channel({ onoff: 1, quality: "offline", link: "lost" }),
    "channel:4": channel({ onoff: 0 }),
    "channel:5": channel({ quality: "offline" }),
    "channel:6": channel({ quality: "unknown" }),
    "channel:7": channel({ link: "lost" }),
    "channel:8": channel({ quality: null }),
    "channel:s1:1": channel({ controllerId: "s1", onoff: 1 }),
    "alarm:a": { ...alarm("a", { key: "channel:3" }) },
    "alarm:b": { ...alarm("b", { key: "channel:s1:1", type: "late-opening" }) },
    "alarm:c": { ...alarm("c", { key: "channel:2", active: false, clearedAt: at(NOW) }) },
    "alarm:d": { ...alarm("d", { key: "channel:1" }) },
  });
  expect(waterReport(state)).toEqual({ open: 3, beyondEnd: 2, unknown: 5 });
});

test("[WATCH-3] an alarm names its farm and its valve, and the device that it is about", () => {
  const farm = { info: { id: 7, name: "Chuncheon", description: null, sensorIds: ["s1"] } };
  const controller = { info: { id: "c1", name: "Box", serial: 200001, clusterId: 7 } };
  const places = {
    "farm:7": farm,
    "controller:c1": controller,
    "channel:11": channel({ onoff: 1, runUntil: at(NOW - HOUR) }),
    "channel:s1:2": channel({ controllerId: "s1", number: 2 }),
  };
  const subjects = ["channel:11", "channel:s1:2", "controller:c1", "sensor:s1", "farm:7", "account"];
  const report = urgentReport(
    withAlarms(
      subjects.map((key, n) => alarm(`a${n}`, { key })),
      places,
    ),
    NOW,
  );
  const of = (key: string) => report.alarms.find((one) => one.key === key);
  expect(of("channel:11")).toMatchObject({
    farm: { id: 7, name: "Chuncheon" },
    valve: { controllerId: "c1", channelId: "11", number: 1, onoff: 1, runUntil: at(NOW - HOUR) },
  });
  expect(of("channel:s1:2")?.valve).toMatchObject({ controllerId: "s1", channelId: "s1:2", number: 2 });
  expect(subjects.map((key) => of(key)?.farm?.id ?? null)).toEqual([7, 7, 7, 7, 7, null]);
  const devices = subjects.map((key) => alarmedDevice({ key, valve: of(key)?.valve ?? null }));
  expect(devices).toEqual(["device:c1", "device:s1", "device:c1", "device:s1", null, null]);
});

test("[WATCH-3] P3, alarms of the installation, and those that are long cleared are left out", () => {
  const ack = { by: { id: "u", nickname: "Kim" }, at: at(NOW), comment: null };
  const state = withAlarms([
    alarm("p3", { priority: 3 }),
    alarm("link", { key: "link:upstream", type: "upstream-down" }),
    alarm("old", { active: false, clearedAt: at(NOW - 25 * HOUR) }),
    alarm("over", { active: false, clearedAt: at(NOW), ack }),
    alarm("new", { active: false, clearedAt: at(NOW - HOUR) }),
    alarm("known", { ack }),
    alarm("asleep", { priority: 2, snooze: { until: at(NOW + HOUR), reason: "pump" } }),
    alarm("now", { priority: 2 }),
  ]);
  const report = urgentReport(state, NOW);
  expect(report.alarms.map(({ id }) => id).toSorted()).toEqual(["asleep", "known", "new", "now"]);
  expect(report).toMatchObject({ p1: 0, p2: 1, leftOff: 0 });
});

test("[WATCH-3] the most urgent of an account are shown, the others counted", () => {
  const alarms = Array.from({ length: 50 }, (_, n) => alarm(`a${n}`, { priority: n === 49 ? 1 : 2 }));
  const report = urgentReport(withAlarms(alarms), NOW);
  expect([report.alarms.length, report.leftOff, report.p1, report.p2]).toEqual([20, 30, 1, 49]);
  expect(report.alarms[0]?.id).toBe("a49");
});

function startIndex(watching: Partial<FleetIndexDeps["watching"]> = {}) {
  const writer = createFakeWriter();
  const clock = { now: NOW };
  const index = new FleetIndex({
    writer,
    now: () => clock.now,
    watching: {
      reasonOf: () => null,
      valveDevicesOf: () => null,
      noteUnreported: () => undefined,
      ...watching,
    },
    namesControllers: () => true,
    onSums: () => undefined,
    onOwned: () => undefined,
    onUnowned: () => undefined,
    onGone: () => undefined,
  });
  return { writer, clock, index };
}
const device = (id: string): AccountReport["devices"][number] => ({
  ...{ id, kind: "controller", name: null, deviceType: "CON04V", serial: 1, latitude: null, longitude: null },
  ...{ quality: "fresh", flip: null, battery: null, rssi: null, fwversion: null, heardAt: at(NOW) },
});
const reportOf = (account: string, alarms: readonly Alarm[], change: Partial<AccountReport> = {}) => ({
  ...{ account, begins: true, devices: [device(`of-${account}`)], gone: [] },
  urgent: urgentReport(
    withAlarms(alarms, { "channel:11": channel({ controllerId: `of-${account}`, onoff: 1 }) }),
    NOW,
  ),
  water: { open: 1, beyondEnd: 1, unknown: 0 },
  ...change,
});
const alarmsIn = (writer: ReturnType<typeof createFakeWriter>) =>
  [...writer.keys()].filter((key) => key.startsWith("alarm:"));

test("[WATCH-3] alarms and water of an account reach the stream, its device, its account and the sums", () => {
  const { writer, index } = startIndex();
  index.applyReport("n1", reportOf("a", [alarm("x")]));
  expect(writer.get("alarm:a:x")).toMatchObject({ account: "a", username: null, priority: 1 });
  expect(writer.get("device:of-a")).toMatchObject({ alarm: 1 });
  expect(writer.get("account:a")).toMatchObject({
    ...{ controllers: 1, openValves: 1, openBeyondEnd: 1, unknownValves: 0, unwatched: null },
  });
  expect(index.sums).toEqual({
    ...{ urgent: { p1: 1, p2: 0 }, leftOff: 0, openValves: 1, openBeyondEnd: 1, unknownValves: 0 },
    unwatched: 0,
  });
  const calm = { begins: false, devices: [], water: { open: 0, beyondEnd: 0, unknown: 0 } };
  index.applyReport("n1", reportOf("a", [], calm));
  expect(alarmsIn(writer)).toEqual([]);
  expect(writer.get("device:of-a")).toMatchObject({ alarm: null });
  expect(index.sums).toMatchObject({ urgent: { p1: 0, p2: 0 }, openValves: 0 });
});

test("[WATCH-3] an account that is not read, or not reported, has no counts, never 0", () => {
  const { writer, index } = startIndex({ reasonOf: (id) => (id === "c" ? "stopped-by-owner" : null) });
  const unknown = { openValves: null, openBeyondEnd: null, unknownValves: null };
  index.applyReport("n1", reportOf("a", [], { water: null }));
  expect(writer.get("account:a")).toMatchObject({ ...unknown, unwatched: null });
  expect(index.sums.unwatched).toBeNull();
  // An earlier version reports no water.
  const { water: _water, urgent: _urgent, ...earlier } = reportOf("b", []);
  index.applyReport("n1", earlier);
  expect(writer.get("account:b")).toMatchObject({ ...unknown, watched: true, unwatched: null });
  index.applyReport("n1", reportOf("c", [], { water: null }));
  expect(writer.get("account:c")).toMatchObject({ ...unknown, unwatched: { reason: "stopped-by-owner" } });
  index.applyReport("n1", reportOf("a", [], { begins: false }));
  expect(index.sums).toMatchObject({ openValves: 1, unwatched: null });
  index.applyReport("n1", reportOf("b", [], { begins: false }));
  expect(index.sums).toMatchObject({ openValves: 2, unwatched: 1 });
});

test("[WATCH-3] alarms stay while no owner reports their account, for a day at most", () => {
  const { writer, clock, index } = startIndex();
  const { quality: _quality, link: _link, ...named } = device("of-a");
  const row = { ...named, key: "device:of-a", account: "a", username: "kim", lastSeen: undefined };
  index.list([row]);
  index.applyReport("n1", reportOf("a", [alarm("x")]));
  expect(writer.get("alarm:a:x")).toMatchObject({ username: "kim" });
  index.releaseNode("n1");
  expect(writer.get("account:a")).toMatchObject({ openValves: null });
  expect([alarmsIn(writer), index.sums.urgent]).toEqual([["alarm:a:x"], { p1: 1, p2: 0 }]);
  clock.now += 23 * HOUR;
  index.prune();
  expect(alarmsIn(writer)).toEqual(["alarm:a:x"]);
  clock.now += 2 * HOUR;
  index.prune();
  expect(alarmsIn(writer)).toEqual([]);
});

test("[WATCH-3] another owner of the fleet continues with the alarms, until their account is reported", () => {
  const before = startIndex();
  before.index.applyReport("n1", reportOf("a", [alarm("x"), alarm("y")]));
  const stream = new Map([...before.writer.keys()].map((key) => [key, before.writer.get(key) ?? {}]));
  const { writer, index } = startIndex();
  for (const [key, value] of stream) writer.set(key, value);
  index.resume(new Map(), stream);
  expect(index.sums.urgent).toEqual({ p1: 2, p2: 0 });
  index.applyReport("n2", reportOf("a", [alarm("y")]));
  expect([alarmsIn(writer), index.sums.urgent]).toEqual([["alarm:a:y"], { p1: 1, p2: 0 }]);
});

test("[WATCH-3] at most a thousand alarms are in the stream, in any order of reports", () => {
  const seed = Number(process.env.FUZZ_SEED ?? 43);
  const random = seededRandom(seed);
  const { writer, index } = startIndex();
  const now = new Map<string, Alarm[]>();
  for (let step = 0; step < 300; step += 1) {
    const account = `a${Math.floor(random() * 90)}`;
    const alarms = Array.from({ length: Math.floor(random() * 24) }, (_, n) =>
      alarm(`${account}-${n}`, {
        priority: random() < 0.2 ? 1 : 2,
        active: random() < 0.9,
        clearedAt: at(NOW - HOUR),
        raisedAt: at(NOW - Math.floor(random() * HOUR)),
      }),
    );
    now.set(account, alarms);
    index.applyReport("n1", reportOf(account, alarms, { begins: false, devices: [] }));
    const shown = alarmsIn(writer);
    const all = [...now.values()].flat();
    const { urgent, leftOff } = index.sums;
    const count = (priority: 1 | 2) => all.filter((one) => isUrgent(one) && one.priority === priority).length;
    const failed = `FUZZ_SEED=${seed}, step ${step}`;
    expect(shown.length, failed).toBeLessThanOrEqual(FLEET_ALARMS.inAll);
    expect(shown.length + leftOff, failed).toBe(all.length);
    expect(urgent, failed).toEqual({ p1: count(1), p2: count(2) });
    const kept = [...now].every(([, own]) => own.length <= FLEET_ALARMS.perAccount);
    if (kept && leftOff === 0) expect(new Set(shown).size, failed).toBe(all.length);
  }
});
