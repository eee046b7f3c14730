import { settle } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";
import { anyAlarms } from "../../testing/any-documents.ts";
import { putDated } from "../store/collections.ts";
import { ALARMS } from "./alarm-persistence.ts";

const MINUTE = 60_000;
const by = { id: "u", nickname: "Kim" };

test("[ALM-6] shows, publishes and stores an alarm at once", async () => {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.controller("c1", { quality: "offline" });
  expect(harness.find("controller-offline")).toMatchObject({
    key: "controller:c1",
    priority: 2,
    active: true,
    count: 1,
  });
  expect(harness.published()).toMatchObject([
    { kind: "alarm", at: harness.iso(), alarm: { type: "controller-offline" } },
  ]);
  await settle();
  expect(harness.store.keys(ALARMS).length).toBe(1);
});

test("[ALM-6] another owner shows the stored alarms before any request, and continues them", async () => {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.controller("c1", { quality: "offline" });
  const before = harness.find("controller-offline");
  await harness.service.acknowledge({ id: before?.id ?? "", by, comment: "on my way" });
  await harness.restart();
  expect(harness.find("controller-offline")).toEqual({
    ...before,
    ack: { by, at: harness.iso(), comment: "on my way" },
  });
  harness.controller("c1", { quality: "offline" });
  expect(harness.find("controller-offline")).toMatchObject({ count: 1, ack: { by } });
  harness.controller("c1", { quality: "fresh" });
  expect(harness.shown()).toEqual([]);
  expect(await harness.service.list({ which: "past" })).toMatchObject([{ id: before?.id, active: false }]);
});

test("[ALM-6] stores alarms as soon as a failed store is back", async () => {
  const harness = await createAlarmHarness();
  harness.store.failing = true;
  harness.controller("c1");
  harness.controller("c1", { quality: "offline" });
  await settle();
  expect(harness.find("controller-offline")).toMatchObject({ active: true });
  expect(harness.store.keys(ALARMS).length).toBe(0);
  harness.store.failing = false;
  harness.timers.advance(5_000);
  await settle();
  expect(harness.store.keys(ALARMS).length).toBe(1);
});

test("[ALM-6] deletes and logs a stored alarm that cannot be read, without harm to others", async () => {
  const harness = await createAlarmHarness();
  await harness.store.documents.write([putDated(anyAlarms, "x", harness.clock.now(), { type: "party" })]);
  await harness.restart();
  await settle();
  expect(harness.shown()).toEqual([]);
  expect(harness.store.keys(ALARMS).length).toBe(0);
  expect(harness.log.lines.some(({ level }) => level === "error")).toBe(true);
});

test("[ALM-2] a cleared and acknowledged alarm moves to the past alarms for seven days", async () => {
  const harness = await createAlarmHarness();
  harness.sensor("1");
  harness.sensor("1", { quality: "offline" });
  harness.sensor("1", { quality: "fresh" });
  expect(await harness.service.list({ which: "present" })).toMatchObject([{ active: false, ack: null }]);
  const answer = await harness.service.acknowledge({
    id: harness.find("offline")?.id ?? "",
    by,
    comment: null,
  });
  expect(answer).toMatchObject({ ok: true, alarm: { ack: { by, comment: null } } });
  expect(await harness.service.list({ which: "present" })).toEqual([]);
  expect(await harness.service.list({ which: "past" })).toHaveLength(1);
  harness.clock.advance(7 * 24 * 60 * MINUTE);
  await harness.restart();
  expect(await harness.service.list({ which: "past" })).toEqual([]);
});

test("[ALM-3] a snooze ends on time, also when the relay was away", async () => {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.controller("c1", { quality: "offline" });
  const id = harness.find("controller-offline")?.id ?? "";
  const until = harness.clock.now() + 90 * MINUTE;
  expect(await harness.service.snooze({ id, by, until, reason: "being repaired" })).toMatchObject({
    ok: true,
  });
  harness.timers.advance(90 * MINUTE - 1);
  expect(harness.find("controller-offline")?.snooze).toEqual({
    until: new Date(until).toISOString(),
    reason: "being repaired",
  });
  harness.timers.advance(1);
  expect(harness.find("controller-offline")?.snooze).toBeNull();

  await harness.service.snooze({ id, by, until: harness.clock.now() + 10 * MINUTE, reason: "again" });
  await settle();
  await harness.service.close();
  harness.clock.advance(11 * MINUTE);
  await harness.restart();
  expect(harness.find("controller-offline")).toMatchObject({ active: true, snooze: null });
});

test("[ALM-2] ends the alarms of a device that the account no longer has", async () => {
  const harness = await createAlarmHarness();
  harness.sensor("1");
  harness.sensor("1", { quality: "offline" });
  harness.state.del("sensor:1");
  expect(harness.active()).toEqual([]);
  harness.sensor("2");
  harness.sensor("2", { quality: "offline" });
  await settle();
  harness.state.del("sensor:2");
  await harness.restart();
  expect(harness.active()).toEqual([]);
});

test("[ALM-2] keeps the device's name from the time of the alarm, also after its deletion", async () => {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.channel("11", { onoff: 1, name: "Tomatoes", number: 3 });
  harness.watering({ cause: "external" });
  harness.sensor("1", { quality: "offline" });
  harness.farm("f", ["1", "2"]);
  expect(harness.find("external-open")).toMatchObject({ name: "Tomatoes", number: 3 });
  expect(harness.find("offline")).toMatchObject({ name: "Soil 1" });
  harness.channel("11", { name: "Melons" });
  harness.state.del("channel:11");
  harness.state.del("sensor:1");
  expect(harness.find("external-open")).toMatchObject({ active: false, name: "Tomatoes", number: 3 });
  for (const { id } of harness.shown()) await harness.service.acknowledge({ id, by, comment: null });
  expect((await harness.service.list({ which: "past" })).map(({ name }) => name).sort()).toEqual([
    "Soil 1",
    "Tomatoes",
  ]);
});

test("[ALM-2] takes the present name when an alarm is raised again", async () => {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.controller("c1", { quality: "offline" });
  harness.controller("c1", { quality: "fresh", info: { id: "c1", name: "South box", serial: 200 } });
  expect(harness.find("controller-offline")).toMatchObject({ name: "Box c1" });
  harness.controller("c1", { quality: "offline" });
  expect(harness.find("controller-offline")).toMatchObject({ name: "South box" });
});

test("[NODE-5] an owner that takes over checks all that was left, and shows no alarm that is not stored", async () => {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.channel("11", { onoff: 1 });
  harness.watering({ cause: "external" });
  harness.sensor("1", { quality: "offline" });
  const left = harness.shown();
  expect(left.map(({ type }) => type).sort()).toEqual(["external-open", "offline"]);
  await harness.takeOver("alarm:gone", { ...left[0], id: "gone" });
  expect(harness.shown()).toEqual(left);
  harness.timers.advance(120 * MINUTE);
  expect(harness.find("external-open")?.priority).toBe(1);
});
