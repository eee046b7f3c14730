import { expect, test } from "vitest";
import { OUTAGE_AFTER_MS } from "./outage-alarms.ts";
import { LOST_MS, RETURN_MS } from "./presence-alarms.ts";
import { type AlarmRig, createAlarmRig } from "./testing/alarm-rig.ts";

const MINUTE = 60_000;

/** A farm of four sensors and the controller that waters one of them. */
async function farmRig(): Promise<AlarmRig> {
  const rig = await createAlarmRig();
  for (const id of ["1", "2", "3", "4"]) rig.sensor(id);
  rig.controller("c1");
  rig.channel("11", { sensorIds: ["1"] });
  rig.farm("f", ["1", "2", "3", "4"]);
  return rig;
}
const silence = (rig: AlarmRig, keys: readonly string[], quality: "late" | "offline") => {
  for (const key of keys) rig.writer.patch(key, { quality });
};
const ALL = ["sensor:1", "sensor:2", "sensor:3", "sensor:4", "controller:c1"];

test("[ALM-1] a silent sensor is P3, a controller P2, and P1 while water runs; each is over when it is heard", async () => {
  const rig = await farmRig();
  silence(rig, ["sensor:1", "controller:c1"], "offline");
  expect(rig.find("offline", "sensor:1")?.priority).toBe(3);
  expect(rig.find("controller-offline", "controller:c1")?.priority).toBe(2);
  rig.channel("11", { onoff: 1 });
  expect(rig.find("controller-offline-watering")).toMatchObject({ priority: 1, count: 1 });
  expect(rig.find("controller-offline")).toBeUndefined();
  rig.channel("11", { onoff: 2 });
  expect(rig.find("controller-offline", "controller:c1")?.priority).toBe(2);
  rig.timers.advance(MINUTE);
  rig.controller("c1", { quality: "fresh" });
  rig.sensor("1", { quality: "late", heardAt: rig.iso() });
  expect(rig.active()).toEqual([]);
});

test("[ALM-2] the silence of a device that a new owner first calls late is the same alarm as before", async () => {
  const rig = await createAlarmRig();
  rig.sensor("1", { quality: "offline" });
  const before = rig.find("offline", "sensor:1");
  await rig.restart();
  silence(rig, ["sensor:1"], "late");
  silence(rig, ["sensor:1"], "offline");
  expect(rig.find("offline", "sensor:1")).toEqual(before);
  expect(before).toMatchObject({ count: 1 });
});

test("[ALM-1] a link that breaks while water runs is P1 at once, and none while nothing does", async () => {
  const rig = await farmRig();
  rig.controller("c1", { link: "lost" });
  expect(rig.active()).toEqual([]);
  rig.channel("11", { onoff: 1 });
  expect(rig.find("controller-offline-watering", "controller:c1")?.priority).toBe(1);
  rig.controller("c1", { link: "up" });
  expect(rig.active()).toEqual([]);
});

const PERIOD = { active: "period", automatic: null, reservation: null, period: null };

test("[ALM-1] a controller with a mode in charge is P2 after three minutes without its connection", async () => {
  const rig = await farmRig();
  rig.channel("11", { modes: PERIOD });
  rig.controller("c1", { link: "lost" });
  rig.timers.advance(LOST_MS - 1);
  expect(rig.active()).toEqual([]);
  rig.timers.advance(1);
  expect(rig.active()).toEqual(["controller-offline controller:c1"]);
  expect(rig.find("controller-offline")?.priority).toBe(2);
  await rig.restart();
  rig.controller("c1", { quality: "fresh" });
  expect(rig.active()).toEqual(["controller-offline controller:c1"]);
  rig.controller("c1", { link: "up" });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] a mode that is switched on later finds the connection lost since then", async () => {
  const rig = await farmRig();
  rig.controller("c1", { link: "lost" });
  rig.timers.advance(10 * LOST_MS);
  expect(rig.active()).toEqual([]);
  rig.channel("11", { modes: PERIOD });
  expect(rig.active()).toEqual(["controller-offline controller:c1"]);
});

test("[ALM-1] a connection that comes back within three minutes is no alarm", async () => {
  const rig = await farmRig();
  rig.channel("11", { modes: PERIOD });
  rig.controller("c1", { link: "lost" });
  rig.timers.advance(LOST_MS - 1);
  rig.controller("c1", { link: "up" });
  rig.controller("c1", { link: "lost" });
  rig.timers.advance(LOST_MS - 1);
  expect(rig.active()).toEqual([]);
});

test("[POLL-7] what nobody can tell about raises nothing, and clears nothing", async () => {
  const rig = await farmRig();
  rig.sensor("1", { quality: "unknown" });
  expect(rig.active()).toEqual([]);
  rig.sensor("2", { quality: "offline" });
  rig.sensor("2", { quality: "unknown" });
  expect(rig.active()).toEqual(["offline sensor:2"]);
});

test("[ALM-4] a whole farm that falls silent together is one alarm with a count, and those in it are none", async () => {
  const rig = await farmRig();
  rig.clock.advance(60 * MINUTE);
  silence(rig, ALL, "late");
  silence(rig, ["sensor:2"], "offline");
  expect(rig.active()).toEqual(["farm-link farm:f"]);
  silence(rig, ALL, "offline");
  expect(rig.active()).toEqual(["farm-link farm:f"]);
  expect(rig.find("farm-link")).toMatchObject({ count: 5, priority: 2 });
});

test("[ALM-4] one that told before the others is folded in; the priority is the most urgent of those inside", async () => {
  const rig = await farmRig();
  rig.clock.advance(60 * MINUTE);
  rig.channel("11", { onoff: 1 });
  silence(rig, ["controller:c1"], "offline");
  expect(rig.active()).toEqual(["controller-offline-watering controller:c1"]);
  silence(rig, ["sensor:1", "sensor:2", "sensor:3", "sensor:4"], "offline");
  expect(rig.active()).toEqual(["farm-link farm:f"]);
  expect(rig.find("farm-link")).toMatchObject({ count: 5, priority: 1 });
});

test("[ALM-4] a device that was gone long before keeps its own alarm, and does not hide the outage", async () => {
  const rig = await farmRig();
  rig.clock.advance(3 * 60 * MINUTE);
  silence(rig, ["sensor:4"], "offline");
  for (const id of ["1", "2", "3"]) rig.sensor(id, { heardAt: rig.iso() });
  rig.controller("c1", { heardAt: rig.iso() });
  rig.clock.advance(60 * MINUTE);
  silence(rig, ["sensor:1", "sensor:2", "sensor:3", "controller:c1"], "offline");
  expect(rig.active()).toEqual(["offline sensor:4", "farm-link farm:f"]);
  expect(rig.find("farm-link")?.count).toBe(4);
});

test("[ALM-4] a farm of one device has no link of its own", async () => {
  const rig = await createAlarmRig();
  rig.sensor("1");
  rig.farm("f", ["1"]);
  rig.sensor("1", { quality: "offline" });
  expect(rig.active()).toEqual(["offline sensor:1"]);
});

test("[ALM-4] when the farm is back it is over; who stays silent is an alarm of its own after a while", async () => {
  const rig = await farmRig();
  rig.clock.advance(60 * MINUTE);
  silence(rig, ALL, "offline");
  for (const id of ["1", "2", "3"]) rig.sensor(id, { heardAt: rig.iso(), quality: "fresh" });
  expect(rig.active()).toEqual(["farm-link farm:f"]);
  expect(rig.find("farm-link")?.count).toBe(2);
  rig.timers.advance(RETURN_MS - 1);
  expect(rig.active()).toEqual(["farm-link farm:f"]);
  rig.timers.advance(1);
  expect(rig.active().sort()).toEqual(["controller-offline controller:c1", "offline sensor:4"]);
});

test("[ALM-4] a farm that comes back whole leaves nothing behind", async () => {
  const rig = await farmRig();
  rig.clock.advance(60 * MINUTE);
  silence(rig, ALL, "offline");
  for (const key of ALL) rig.writer.patch(key, { heardAt: rig.iso(), quality: "fresh" });
  expect(rig.active()).toEqual([]);
  rig.timers.advance(2 * RETURN_MS);
  expect(rig.shown().map(({ type }) => type)).toEqual(["farm-link"]);
});

test("[ALM-4] a lost farm is still one alarm after a restart", async () => {
  const rig = await farmRig();
  rig.clock.advance(60 * MINUTE);
  silence(rig, ALL, "offline");
  await rig.restart();
  silence(rig, ALL, "offline");
  expect(rig.active()).toEqual(["farm-link farm:f"]);
  expect(rig.told().filter(({ alarm }) => alarm.type === "offline")).toEqual([]);
  for (const key of ALL) rig.writer.patch(key, { heardAt: rig.iso(), quality: "fresh" });
  expect(rig.active()).toEqual([]);
});

test("[ALM-4] with its broker away a device's silence is part of that, and comes out if it outlasts it", async () => {
  const rig = await farmRig();
  rig.sensor("1", { quality: "offline" });
  rig.link.become({ mqtt: "down" });
  rig.timers.advance(OUTAGE_AFTER_MS);
  expect(rig.find("broker-down")).toMatchObject({ priority: 3, count: 5 });
  rig.sensor("2", { quality: "offline" });
  expect(rig.active()).toEqual(["offline sensor:1", "broker-down link:mqtt"]);
  rig.link.become({ mqtt: "up" });
  expect(rig.active()).toEqual(["offline sensor:1"]);
  rig.timers.advance(RETURN_MS);
  expect(rig.active()).toEqual(["offline sensor:1", "offline sensor:2"]);
});

test("[ALM-4] an outage too short to be an alarm lets go of what fell silent in it as well", async () => {
  const rig = await farmRig();
  rig.link.become({ mqtt: "down" });
  rig.sensor("2", { quality: "offline" });
  rig.timers.advance(OUTAGE_AFTER_MS - 1);
  rig.link.become({ mqtt: "up" });
  expect(rig.active()).toEqual([]);
  rig.timers.advance(RETURN_MS);
  expect(rig.active()).toEqual(["offline sensor:2"]);
});

test("[ALM-4] a broker that is away for good hides nothing that the API was heard to say since", async () => {
  const rig = await farmRig();
  rig.link.become({ mqtt: "down" });
  rig.timers.advance(5 * 60 * MINUTE);
  rig.sensor("1", { heardAt: rig.iso() });
  rig.clock.advance(60 * MINUTE);
  rig.sensor("1", { quality: "offline" });
  expect(rig.active()).toEqual(["broker-down link:mqtt", "offline sensor:1"]);
});

test("[ALM-1] a controller that falls silent while water runs is P1, whatever else is away", async () => {
  const rig = await farmRig();
  rig.channel("11", { onoff: 1 });
  rig.link.become({ mqtt: "down" });
  rig.controller("c1", { quality: "offline" });
  expect(rig.find("controller-offline-watering", "controller:c1")?.priority).toBe(1);
});

test("[ALM-4] a farm that is still silent when the broker is back is one alarm, not one a device", async () => {
  const rig = await farmRig();
  rig.link.become({ mqtt: "down" });
  rig.timers.advance(60 * MINUTE);
  silence(rig, ALL, "offline");
  expect(rig.active()).toEqual(["broker-down link:mqtt"]);
  rig.link.become({ mqtt: "up" });
  rig.timers.advance(RETURN_MS);
  expect(rig.active()).toEqual(["farm-link farm:f"]);
  expect(rig.told().filter(({ alarm }) => alarm.type === "offline")).toEqual([]);
});
