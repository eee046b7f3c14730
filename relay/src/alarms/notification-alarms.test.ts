import { expect, test } from "vitest";
import { type AlarmHarness, createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";

const MINUTE = 60_000;
const notify = (harness: AlarmHarness, type: string, message: string) =>
  harness.state.event({
    kind: "notification",
    at: harness.iso(),
    id: 1,
    type,
    message,
    createdDate: harness.iso(),
    unread: true,
  });

async function harnessWithDevices(): Promise<AlarmHarness> {
  const harness = await createAlarmHarness();
  harness.sensor("1", { info: { id: "1", name: "1동", serial: 24110101, deviceType: "SMS" } });
  harness.sensor("2", { info: { id: "2", name: "1동 안쪽", serial: 24110102, deviceType: "SMS" } });
  harness.controller("c1");
  return harness;
}

test("[ALM-1] a low battery is P3 of the device named in the text, until its readings are good again", async () => {
  const harness = await harnessWithDevices();
  notify(harness, "BATTERY", "1동 안쪽: 배터리가 12% 남았습니다.");
  expect(harness.find("battery")).toMatchObject({ key: "sensor:2", priority: 3, active: true });
  notify(harness, "BATTERY", "1동 안쪽: 배터리가 8% 남았습니다.");
  expect(harness.find("battery")).toMatchObject({
    count: 2,
    detail: { message: "1동 안쪽: 배터리가 8% 남았습니다." },
  });
  harness.sensor("2", { reading: { battery: 24 } });
  expect(harness.active()).toEqual(["battery sensor:2"]);
  harness.sensor("2", { reading: { battery: 25 } });
  expect(harness.active()).toEqual([]);
});

test("[BAT-1] keeps the farm API's text for a battery in volts, never as per cent", async () => {
  const harness = await harnessWithDevices();
  harness.sensor("2", { reading: { battery: 3.6 } });
  expect(harness.active()).toEqual([]);
  notify(harness, "BATTERY", "1동 안쪽: 배터리 전압이 낮습니다.");
  expect(harness.find("battery")?.detail).toMatchObject({ message: "1동 안쪽: 배터리 전압이 낮습니다." });
  expect(harness.find("battery")?.detail).not.toHaveProperty("battery");
});

test("[ALM-1] a notification's alarm carries the device's own numbers, for every language", async () => {
  const harness = await harnessWithDevices();
  harness.sensor("2", { reading: { battery: 12, rssi: -121 } });
  notify(harness, "BATTERY", "1동 안쪽: 배터리가 부족합니다.");
  notify(harness, "RSSI", "1동 안쪽: 신호가 약합니다.");
  expect(harness.find("battery")?.detail).toMatchObject({ battery: 12 });
  expect(harness.find("rssi")?.detail).toMatchObject({ rssi: -121 });
  harness.sensor("1", { reading: { battery: 80 } });
  notify(harness, "BATTERY", "1동: 배터리가 부족합니다.");
  expect(harness.find("battery", "sensor:1")?.detail).not.toHaveProperty("battery");
});

test("[ALM-1] a weak signal is over when a controller reports a good one", async () => {
  const harness = await harnessWithDevices();
  notify(harness, "RSSI", "weak signal of Box c1");
  expect(harness.active()).toEqual(["rssi controller:c1"]);
  harness.controller("c1", { rssi: -104 });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] finds a device by its serial too; without a name it is published once and waits for an acknowledgement", async () => {
  const harness = await harnessWithDevices();
  notify(harness, "BATTERY", "low battery (24110101)");
  expect(harness.active()).toEqual(["battery sensor:1"]);
  notify(harness, "BATTERY", "low battery");
  expect(harness.find("battery", "account")).toMatchObject({ active: false, ack: null });
  notify(harness, "FROST", "it will freeze, 1동");
  expect(harness.find("notice", "account")).toMatchObject({ active: false, detail: { type: "FROST" } });
});

test("[ALM-2] adds nothing to an active alarm about the same silence, and gives way to the relay's", async () => {
  const harness = await harnessWithDevices();
  harness.sensor("1", { quality: "offline" });
  notify(harness, "DEVICE", "1동: 03시 이후 수신이 없습니다.");
  expect(harness.active()).toEqual(["offline sensor:1"]);
  notify(harness, "DEVICE", "1동 안쪽: 03시 이후 수신이 없습니다.");
  expect(harness.active()).toEqual(["offline sensor:1", "device sensor:2"]);
  harness.sensor("2", { quality: "offline" });
  expect(harness.active()).toEqual(["offline sensor:1", "offline sensor:2"]);
});

test("[ALM-1] clears the alarm of a device that the API missed once it reports", async () => {
  const harness = await harnessWithDevices();
  notify(harness, "DEVICE", "1동: 03시 이후 수신이 없습니다.");
  harness.clock.advance(MINUTE);
  harness.sensor("1", { heardAt: harness.iso() });
  expect(harness.active()).toEqual([]);
});

test("[ALM-4] adds nothing for silent devices during an outage", async () => {
  const harness = await harnessWithDevices();
  harness.link.become({ mqtt: "down" });
  notify(harness, "DEVICE", "1동: 03시 이후 수신이 없습니다.");
  expect(harness.active()).toEqual([]);
});
