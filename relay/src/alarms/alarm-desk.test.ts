import { expect, test } from "vitest";
import { settle } from "../testing/settle.ts";
import { createAlarmRig } from "./testing/alarm-rig.ts";

const MINUTE = 60_000;
const by = { id: "u", nickname: "Kim" };

test("[ALM-6] an alarm is shown, told and kept at once", async () => {
  const rig = await createAlarmRig();
  rig.controller("c1");
  rig.controller("c1", { quality: "offline" });
  expect(rig.find("controller-offline")).toMatchObject({
    key: "controller:c1",
    priority: 2,
    active: true,
    count: 1,
  });
  expect(rig.told()).toMatchObject([{ kind: "alarm", at: rig.iso(), alarm: { type: "controller-offline" } }]);
  await settle();
  expect(rig.store.kept.size).toBe(1);
});

test("[ALM-6] another owner shows the alarms before it has asked anybody, and goes on with them", async () => {
  const rig = await createAlarmRig();
  rig.controller("c1");
  rig.controller("c1", { quality: "offline" });
  const before = rig.find("controller-offline");
  await rig.desk.acknowledge(before?.id ?? "", by, "on my way");
  await rig.restart();
  expect(rig.find("controller-offline")).toEqual({
    ...before,
    ack: { by, at: rig.iso(), comment: "on my way" },
  });
  rig.controller("c1", { quality: "offline" });
  expect(rig.find("controller-offline")).toMatchObject({ count: 1, ack: { by } });
  rig.controller("c1", { quality: "fresh" });
  expect(rig.shown()).toEqual([]);
  expect(await rig.desk.past()).toMatchObject([{ id: before?.id, active: false }]);
});

test("[ALM-6] a store that fails keeps them as soon as it is back", async () => {
  const rig = await createAlarmRig();
  rig.store.failing = true;
  rig.controller("c1");
  rig.controller("c1", { quality: "offline" });
  await settle();
  expect(rig.find("controller-offline")).toMatchObject({ active: true });
  expect(rig.store.kept.size).toBe(0);
  rig.store.failing = false;
  rig.timers.advance(5_000);
  await settle();
  expect(rig.store.kept.size).toBe(1);
});

test("[ALM-6] a stored alarm that cannot be read is forgotten and said so, and harms nobody", async () => {
  const rig = await createAlarmRig();
  await rig.store.write([{ id: "x", at: rig.clock.now(), alarm: { type: "party" } }]);
  await rig.restart();
  await settle();
  expect(rig.shown()).toEqual([]);
  expect(rig.store.kept.size).toBe(0);
  expect(rig.log.lines.some(({ level }) => level === "error")).toBe(true);
});

test("[ALM-2] what is cleared and acknowledged is the past's, for seven days", async () => {
  const rig = await createAlarmRig();
  rig.sensor("1");
  rig.sensor("1", { quality: "offline" });
  rig.sensor("1", { quality: "fresh" });
  expect(await rig.desk.present()).toMatchObject([{ active: false, ack: null }]);
  const answer = await rig.desk.acknowledge(rig.find("offline")?.id ?? "", by, null);
  expect(answer).toMatchObject({ ok: true, alarm: { ack: { by, comment: null } } });
  expect(await rig.desk.present()).toEqual([]);
  expect(await rig.desk.past()).toHaveLength(1);
  rig.clock.advance(7 * 24 * 60 * MINUTE);
  await rig.restart();
  expect(await rig.desk.past()).toEqual([]);
});

test("[ALM-3] a snooze ends at its moment, also when the relay was away at it", async () => {
  const rig = await createAlarmRig();
  rig.controller("c1");
  rig.controller("c1", { quality: "offline" });
  const id = rig.find("controller-offline")?.id ?? "";
  const until = rig.clock.now() + 90 * MINUTE;
  expect(await rig.desk.snooze(id, by, until, "being repaired")).toMatchObject({ ok: true });
  rig.timers.advance(90 * MINUTE - 1);
  expect(rig.find("controller-offline")?.snooze).toEqual({
    until: new Date(until).toISOString(),
    reason: "being repaired",
  });
  rig.timers.advance(1);
  expect(rig.find("controller-offline")?.snooze).toBeNull();

  await rig.desk.snooze(id, by, rig.clock.now() + 10 * MINUTE, "again");
  await settle();
  await rig.desk.close();
  rig.clock.advance(11 * MINUTE);
  await rig.restart();
  expect(rig.find("controller-offline")).toMatchObject({ active: true, snooze: null });
});

test("[ALM-2] alarms of a device that the account no longer has are over", async () => {
  const rig = await createAlarmRig();
  rig.sensor("1");
  rig.sensor("1", { quality: "offline" });
  rig.writer.del("sensor:1");
  expect(rig.active()).toEqual([]);
  rig.sensor("2");
  rig.sensor("2", { quality: "offline" });
  await settle();
  rig.writer.del("sensor:2");
  await rig.restart();
  expect(rig.active()).toEqual([]);
});

test("[NODE-5] an owner that takes over what another left looks at all of it, and shows no alarm that is not kept", async () => {
  const rig = await createAlarmRig();
  rig.controller("c1");
  rig.channel("11", { onoff: 1 });
  rig.watering({ cause: "external" });
  rig.sensor("1", { quality: "offline" });
  const left = rig.shown();
  expect(left.map(({ type }) => type).sort()).toEqual(["external-open", "offline"]);
  await rig.takeOver("alarm:gone", { ...left[0], id: "gone" });
  expect(rig.shown()).toEqual(left);
  rig.timers.advance(120 * MINUTE);
  expect(rig.find("external-open")?.priority).toBe(1);
});
