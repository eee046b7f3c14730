import { expect, test } from "vitest";
import { type AlarmHarness, createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";
import { OUTAGE_AFTER_MS } from "./outage-alarms.ts";
import { LOST_MS, RETURN_MS } from "./presence-alarms.ts";

const MINUTE = 60_000;

/** Create a farm of four sensors and the controller that waters one of them. */
async function farmHarness(): Promise<AlarmHarness> {
  const harness = await createAlarmHarness();
  for (const id of ["1", "2", "3", "4"]) harness.sensor(id);
  harness.controller("c1");
  harness.channel("11", { sensorIds: ["1"] });
  harness.farm("f", ["1", "2", "3", "4"]);
  return harness;
}
const silence = (harness: AlarmHarness, keys: readonly string[], quality: "late" | "offline") => {
  for (const key of keys) harness.state.patch(key, { quality });
};
const ALL = ["sensor:1", "sensor:2", "sensor:3", "sensor:4", "controller:c1"];

test("[ALM-1] a silent sensor is P3, a controller P2, and P1 while water runs; each ends with the next report", async () => {
  const harness = await farmHarness();
  silence(harness, ["sensor:1", "controller:c1"], "offline");
  expect(harness.find("offline", "sensor:1")?.priority).toBe(3);
  expect(harness.find("controller-offline", "controller:c1")?.priority).toBe(2);
  harness.channel("11", { onoff: 1 });
  expect(harness.find("controller-offline-watering")).toMatchObject({ priority: 1, count: 1 });
  expect(harness.find("controller-offline")).toBeUndefined();
  harness.channel("11", { onoff: 2 });
  expect(harness.find("controller-offline", "controller:c1")?.priority).toBe(2);
  harness.timers.advance(MINUTE);
  harness.controller("c1", { quality: "fresh" });
  harness.sensor("1", { quality: "late", heardAt: harness.iso() });
  expect(harness.active()).toEqual([]);
});

test("[ALM-2] keeps the alarm of a silent device that a new owner first calls late", async () => {
  const harness = await createAlarmHarness();
  harness.sensor("1", { quality: "offline" });
  const before = harness.find("offline", "sensor:1");
  await harness.restart();
  silence(harness, ["sensor:1"], "late");
  silence(harness, ["sensor:1"], "offline");
  expect(harness.find("offline", "sensor:1")).toEqual(before);
  expect(before).toMatchObject({ count: 1 });
});

test("[ALM-1] a connection lost while water runs is P1 at once, and none while no water runs", async () => {
  const harness = await farmHarness();
  harness.controller("c1", { link: "lost" });
  expect(harness.active()).toEqual([]);
  harness.channel("11", { onoff: 1 });
  expect(harness.find("controller-offline-watering", "controller:c1")?.priority).toBe(1);
  harness.controller("c1", { link: "up" });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] a controller lost while water runs names its open valves, and their ends", async () => {
  const harness = await farmHarness();
  harness.channel("11", {
    onoff: 1,
    name: "Tomatoes",
    runUntil: harness.iso(-10 * MINUTE),
    endsBy: "device",
  });
  harness.channel("12", { onoff: 1, number: 2, sensorIds: ["2"], runUntil: null });
  harness.channel("13", { onoff: 2, number: 3 });
  harness.controller("c1", { link: "lost" });
  const first = { channelId: "11", number: 1, valveName: "Tomatoes", until: harness.iso(-10 * MINUTE) };
  const second = { channelId: "12", number: 2, valveName: "Soil 2", until: null };
  const valves = () => harness.find("controller-offline-watering")?.valves;
  expect(valves()).toEqual([first, second]);
  harness.channel("12", { runUntil: harness.iso(-20 * MINUTE), endsBy: "relay" });
  expect(valves()).toEqual([first, second]);
  harness.channel("12", { runUntil: harness.iso(-30 * MINUTE), endsBy: "device" });
  expect(valves()?.[1]?.until).toBe(harness.iso(-30 * MINUTE));
  harness.channel("12", { name: "Melons" });
  expect(valves()?.[1]?.valveName).toBe("Melons");
  harness.channel("11", { onoff: 2 });
  expect(valves()).toMatchObject([{ channelId: "12" }]);
  expect(harness.published()).toHaveLength(1);
});

const PERIOD = { active: "period", automatic: null, reservation: null, period: null };

test("[ALM-1] a controller with an active mode is P2 after three minutes without its connection", async () => {
  const harness = await farmHarness();
  harness.channel("11", { modes: PERIOD });
  harness.controller("c1", { link: "lost" });
  harness.timers.advance(LOST_MS - 1);
  expect(harness.active()).toEqual([]);
  harness.timers.advance(1);
  expect(harness.active()).toEqual(["controller-offline controller:c1"]);
  expect(harness.find("controller-offline")?.priority).toBe(2);
  await harness.restart();
  harness.controller("c1", { quality: "fresh" });
  expect(harness.active()).toEqual(["controller-offline controller:c1"]);
  harness.controller("c1", { link: "up" });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] a mode activated later counts the lost connection from its start", async () => {
  const harness = await farmHarness();
  harness.controller("c1", { link: "lost" });
  harness.timers.advance(10 * LOST_MS);
  expect(harness.active()).toEqual([]);
  harness.channel("11", { modes: PERIOD });
  expect(harness.active()).toEqual(["controller-offline controller:c1"]);
});

test("[ALM-1] a connection that returns within three minutes is no alarm", async () => {
  const harness = await farmHarness();
  harness.channel("11", { modes: PERIOD });
  harness.controller("c1", { link: "lost" });
  harness.timers.advance(LOST_MS - 1);
  harness.controller("c1", { link: "up" });
  harness.controller("c1", { link: "lost" });
  harness.timers.advance(LOST_MS - 1);
  expect(harness.active()).toEqual([]);
});

test("[POLL-7] an unknown quality raises nothing, and clears nothing", async () => {
  const harness = await farmHarness();
  harness.sensor("1", { quality: "unknown" });
  expect(harness.active()).toEqual([]);
  harness.sensor("2", { quality: "offline" });
  harness.sensor("2", { quality: "unknown" });
  expect(harness.active()).toEqual(["offline sensor:2"]);
});

test("[ALM-4] a farm that falls silent as a whole is one alarm with a count, without alarms of its devices", async () => {
  const harness = await farmHarness();
  harness.clock.advance(60 * MINUTE);
  silence(harness, ALL, "late");
  silence(harness, ["sensor:2"], "offline");
  expect(harness.active()).toEqual(["farm-link farm:f"]);
  silence(harness, ALL, "offline");
  expect(harness.active()).toEqual(["farm-link farm:f"]);
  expect(harness.find("farm-link")).toMatchObject({ count: 5, priority: 2 });
});

test("[ALM-4] includes an earlier alarm of a device, and takes the most urgent priority", async () => {
  const harness = await farmHarness();
  harness.clock.advance(60 * MINUTE);
  harness.channel("11", { onoff: 1 });
  silence(harness, ["controller:c1"], "offline");
  expect(harness.active()).toEqual(["controller-offline-watering controller:c1"]);
  silence(harness, ["sensor:1", "sensor:2", "sensor:3", "sensor:4"], "offline");
  expect(harness.active()).toEqual(["farm-link farm:f"]);
  expect(harness.find("farm-link")).toMatchObject({ count: 5, priority: 1 });
});

test("[ALM-4] a device gone long before keeps its own alarm, and does not hide the outage", async () => {
  const harness = await farmHarness();
  harness.clock.advance(3 * 60 * MINUTE);
  silence(harness, ["sensor:4"], "offline");
  for (const id of ["1", "2", "3"]) harness.sensor(id, { heardAt: harness.iso() });
  harness.controller("c1", { heardAt: harness.iso() });
  harness.clock.advance(60 * MINUTE);
  silence(harness, ["sensor:1", "sensor:2", "sensor:3", "controller:c1"], "offline");
  expect(harness.active()).toEqual(["offline sensor:4", "farm-link farm:f"]);
  expect(harness.find("farm-link")?.count).toBe(4);
});

test("[ALM-4] a farm of one device has no connection of its own", async () => {
  const harness = await createAlarmHarness();
  harness.sensor("1");
  harness.farm("f", ["1"]);
  harness.sensor("1", { quality: "offline" });
  expect(harness.active()).toEqual(["offline sensor:1"]);
});

test("[ALM-4] ends when the farm is back; a device that stays silent gets its own alarm after a while", async () => {
  const harness = await farmHarness();
  harness.clock.advance(60 * MINUTE);
  silence(harness, ALL, "offline");
  for (const id of ["1", "2", "3"]) harness.sensor(id, { heardAt: harness.iso(), quality: "fresh" });
  expect(harness.active()).toEqual(["farm-link farm:f"]);
  expect(harness.find("farm-link")?.count).toBe(2);
  harness.timers.advance(RETURN_MS - 1);
  expect(harness.active()).toEqual(["farm-link farm:f"]);
  harness.timers.advance(1);
  expect(harness.active().sort()).toEqual(["controller-offline controller:c1", "offline sensor:4"]);
});

test("[ALM-4] a farm that returns as a whole leaves no alarm", async () => {
  const harness = await farmHarness();
  harness.clock.advance(60 * MINUTE);
  silence(harness, ALL, "offline");
  for (const key of ALL) harness.state.patch(key, { heardAt: harness.iso(), quality: "fresh" });
  expect(harness.active()).toEqual([]);
  harness.timers.advance(2 * RETURN_MS);
  expect(harness.shown().map(({ type }) => type)).toEqual(["farm-link"]);
});

test("[ALM-4] a lost farm stays one alarm after a restart", async () => {
  const harness = await farmHarness();
  harness.clock.advance(60 * MINUTE);
  silence(harness, ALL, "offline");
  await harness.restart();
  silence(harness, ALL, "offline");
  expect(harness.active()).toEqual(["farm-link farm:f"]);
  expect(harness.published().filter(({ alarm }) => alarm.type === "offline")).toEqual([]);
  for (const key of ALL) harness.state.patch(key, { heardAt: harness.iso(), quality: "fresh" });
  expect(harness.active()).toEqual([]);
});

test("[ALM-4] covers a device's silence during a broker outage, and raises it if it lasts longer", async () => {
  const harness = await farmHarness();
  harness.sensor("1", { quality: "offline" });
  harness.link.become({ mqtt: "down" });
  harness.timers.advance(OUTAGE_AFTER_MS);
  expect(harness.find("broker-down")).toMatchObject({ priority: 3, count: 5 });
  harness.sensor("2", { quality: "offline" });
  expect(harness.active()).toEqual(["offline sensor:1", "broker-down link:mqtt"]);
  harness.link.become({ mqtt: "up" });
  expect(harness.active()).toEqual(["offline sensor:1"]);
  harness.timers.advance(RETURN_MS);
  expect(harness.active()).toEqual(["offline sensor:1", "offline sensor:2"]);
});

test("[ALM-4] releases silent devices also after an outage too short to be an alarm", async () => {
  const harness = await farmHarness();
  harness.link.become({ mqtt: "down" });
  harness.sensor("2", { quality: "offline" });
  harness.timers.advance(OUTAGE_AFTER_MS - 1);
  harness.link.become({ mqtt: "up" });
  expect(harness.active()).toEqual([]);
  harness.timers.advance(RETURN_MS);
  expect(harness.active()).toEqual(["offline sensor:2"]);
});

test("[ALM-4] a permanent broker outage hides no device whose later report the API shows", async () => {
  const harness = await farmHarness();
  harness.link.become({ mqtt: "down" });
  harness.timers.advance(5 * 60 * MINUTE);
  harness.sensor("1", { heardAt: harness.iso() });
  harness.clock.advance(60 * MINUTE);
  harness.sensor("1", { quality: "offline" });
  expect(harness.active()).toEqual(["broker-down link:mqtt", "offline sensor:1"]);
});

test("[ALM-1] a controller that falls silent while water runs is P1 during any outage", async () => {
  const harness = await farmHarness();
  harness.channel("11", { onoff: 1 });
  harness.link.become({ mqtt: "down" });
  harness.controller("c1", { quality: "offline" });
  expect(harness.find("controller-offline-watering", "controller:c1")?.priority).toBe(1);
});

test("[ALM-4] a farm still silent after the broker's return is one alarm, not one per device", async () => {
  const harness = await farmHarness();
  harness.link.become({ mqtt: "down" });
  harness.timers.advance(60 * MINUTE);
  silence(harness, ALL, "offline");
  expect(harness.active()).toEqual(["broker-down link:mqtt"]);
  harness.link.become({ mqtt: "up" });
  harness.timers.advance(RETURN_MS);
  expect(harness.active()).toEqual(["farm-link farm:f"]);
  expect(harness.published().filter(({ alarm }) => alarm.type === "offline")).toEqual([]);
});

test("[ALM-4, FARM-1] a controller that only names its farm is part of the farm's outage", async () => {
  const harness = await createAlarmHarness();
  harness.sensor("1");
  harness.farm("f", ["1"]);
  harness.controller("c1", { info: { id: "c1", name: "Box c1", serial: 200, clusterId: "f" } });
  silence(harness, ["sensor:1", "controller:c1"], "offline");
  expect(harness.active()).toEqual(["farm-link farm:f"]);
});
