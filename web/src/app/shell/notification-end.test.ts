import type { SensorValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import { isNotificationOver, splitNotification } from "./notification-end.ts";

const CREATED = Date.parse("2026-11-28T11:11:00Z");
const BEFORE = "2026-11-28T11:10:00Z";
const SINCE = "2026-11-28T11:20:00Z";

const sensor = (heardAt: string | null, reading: SensorValue["reading"] = {}): SensorValue => ({
  info: { id: "s1", deviceType: "EC", serial: "24110108", name: "양액 탱크" },
  reading,
  at: heardAt,
  heardAt,
  quality: "fresh",
  via: null,
});
const isOver = (type: string, device: SensorValue, message = "양액 탱크: 상태를 확인해 주세요") =>
  isNotificationOver({ type, message }, CREATED, {
    sensors: new Map([["s1", device]]),
    controllers: new Map(),
  });

describe("the end of a notification", () => {
  it.each([
    ["DEVICE", {}, true],
    ["BATTERY", { battery: 25 }, true],
    ["BATTERY", { battery: 24.9 }, false],
    ["BATTERY", {}, false],
    ["RSSI", { rssi: -105 }, true],
    ["RSSI", { rssi: -106 }, false],
    ["RSSI", {}, false],
    ["NOTICE", { battery: 90, rssi: -50 }, false],
  ])("[ALM-2] of type %s with %o since is known: %s", (type, reading, over) => {
    expect(isOver(type, sensor(SINCE, reading))).toBe(over);
    // Of nothing older than the notification.
    expect(isOver(type, sensor(BEFORE, reading))).toBe(false);
    expect(isOver(type, sensor(null, reading))).toBe(false);
  });

  it("[ALM-2] is not known without a device that its text names", () => {
    expect(isOver("DEVICE", sensor(SINCE), "다른 장치: 수신이 없습니다")).toBe(false);
    expect(isOver("DEVICE", sensor(SINCE), "24110108: 수신이 없습니다")).toBe(true);
  });
});

describe("the text of a notification", () => {
  const farm = { sensors: new Map([["s1", sensor(SINCE)]]), controllers: new Map() };

  it.each([
    ["양액 탱크: 11:11 이후 수신이 없습니다.", "양액 탱크", "11:11 이후 수신이 없습니다."],
    ["양액 탱크：自11:11起未收到数据", "양액 탱크", "自11:11起未收到数据"],
    ["24110108 is silent", "양액 탱크", "24110108 is silent"],
    ["양액 탱크:", "양액 탱크", "양액 탱크:"],
    ["the farm is silent", null, "the farm is silent"],
  ])("[notifications] %s has the device %s for its title, and the rest below it", (message, device, text) => {
    expect(splitNotification(message, farm)).toEqual({ device, text });
  });
});
