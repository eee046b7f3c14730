import { expect, test } from "vitest";
import { type AlarmRig, createAlarmRig } from "./testing/alarm-rig.ts";

const MINUTE = 60_000;
const notify = (rig: AlarmRig, type: string, message: string) =>
  rig.writer.event({
    kind: "notification",
    at: rig.iso(),
    id: 1,
    type,
    message,
    createdDate: rig.iso(),
    unread: true,
  });

async function rigWithDevices(): Promise<AlarmRig> {
  const rig = await createAlarmRig();
  rig.sensor("1", { info: { id: "1", name: "1동", serial: 24110101, deviceType: "SMS" } });
  rig.sensor("2", { info: { id: "2", name: "1동 안쪽", serial: 24110102, deviceType: "SMS" } });
  rig.controller("c1");
  return rig;
}

test("[ALM-1] a low battery is P3 of the device that the words name, until its readings are well again", async () => {
  const rig = await rigWithDevices();
  notify(rig, "BATTERY", "1동 안쪽: 배터리가 12% 남았습니다.");
  expect(rig.find("battery")).toMatchObject({ key: "sensor:2", priority: 3, active: true });
  notify(rig, "BATTERY", "1동 안쪽: 배터리가 8% 남았습니다.");
  expect(rig.find("battery")).toMatchObject({
    count: 2,
    detail: { message: "1동 안쪽: 배터리가 8% 남았습니다." },
  });
  rig.sensor("2", { reading: { battery: 24 } });
  expect(rig.active()).toEqual(["battery sensor:2"]);
  rig.sensor("2", { reading: { battery: 25 } });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] a notification's alarm carries the device's own numbers, for any language", async () => {
  const rig = await rigWithDevices();
  rig.sensor("2", { reading: { battery: 12, rssi: -121 } });
  notify(rig, "BATTERY", "1동 안쪽: 배터리가 부족합니다.");
  notify(rig, "RSSI", "1동 안쪽: 신호가 약합니다.");
  expect(rig.find("battery")?.detail).toMatchObject({ battery: 12 });
  expect(rig.find("rssi")?.detail).toMatchObject({ rssi: -121 });
  rig.sensor("1", { reading: { battery: 80 } });
  notify(rig, "BATTERY", "1동: 배터리가 부족합니다.");
  expect(rig.find("battery", "sensor:1")?.detail).not.toHaveProperty("battery");
});

test("[ALM-1] a weak signal is over where a controller is heard well", async () => {
  const rig = await rigWithDevices();
  notify(rig, "RSSI", "weak signal of Box c1");
  expect(rig.active()).toEqual(["rssi controller:c1"]);
  rig.controller("c1", { rssi: -104 });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] a device is found by its serial too; where none is named, it is told once and waits to be seen", async () => {
  const rig = await rigWithDevices();
  notify(rig, "BATTERY", "low battery (24110101)");
  expect(rig.active()).toEqual(["battery sensor:1"]);
  notify(rig, "BATTERY", "low battery");
  expect(rig.find("battery", "account")).toMatchObject({ active: false, ack: null });
  notify(rig, "FROST", "it will freeze, 1동");
  expect(rig.find("notice", "account")).toMatchObject({ active: false, detail: { type: "FROST" } });
});

test("[ALM-2] the API's word for a silence that is an alarm already adds none, and gives way to the relay's", async () => {
  const rig = await rigWithDevices();
  rig.sensor("1", { quality: "offline" });
  notify(rig, "DEVICE", "1동: 03시 이후 수신이 없습니다.");
  expect(rig.active()).toEqual(["offline sensor:1"]);
  notify(rig, "DEVICE", "1동 안쪽: 03시 이후 수신이 없습니다.");
  expect(rig.active()).toEqual(["offline sensor:1", "device sensor:2"]);
  rig.sensor("2", { quality: "offline" });
  expect(rig.active()).toEqual(["offline sensor:1", "offline sensor:2"]);
});

test("[ALM-1] a device that the API missed is well once it is heard", async () => {
  const rig = await rigWithDevices();
  notify(rig, "DEVICE", "1동: 03시 이후 수신이 없습니다.");
  rig.clock.advance(MINUTE);
  rig.sensor("1", { heardAt: rig.iso() });
  expect(rig.active()).toEqual([]);
});

test("[ALM-4] during an outage the API's word for silent devices adds nothing", async () => {
  const rig = await rigWithDevices();
  rig.link.become({ mqtt: "down" });
  notify(rig, "DEVICE", "1동: 03시 이후 수신이 없습니다.");
  expect(rig.active()).toEqual([]);
});
