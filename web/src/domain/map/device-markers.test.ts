import type { Alarm } from "@mulkko/shared/live/alarm";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import { createMarkerSource } from "./device-markers.ts";

const sensor = (deviceType: string, change: Partial<SensorValue> = {}): SensorValue => ({
  info: { id: "1", deviceType, serial: 1, name: "House", latitude: 36.2, longitude: 127.1 },
  reading: null,
  at: null,
  heardAt: null,
  quality: "fresh",
  via: "mqtt",
  ...change,
});
const stressed = (stress: number | string | null, quality: SensorValue["quality"] = "fresh") =>
  sensor("LAT", { reading: { stress }, quality });
const alarm = (key: string, priority: 1 | 2 | 3, change: Partial<Alarm> = {}): Alarm => ({
  id: `${key} ${priority}`,
  key,
  type: "battery",
  priority,
  count: 1,
  active: true,
  raisedAt: "2026-11-22T00:00:00Z",
  clearedAt: null,
  ack: null,
  snooze: null,
  ...change,
});
const devices = (sensors: Record<string, SensorValue>, alarms: readonly Alarm[] = []) => ({
  sensors: new Map(Object.entries(sensors)),
  alarms: new Map(alarms.map((each) => [each.id, each])),
});
const one = (value: SensorValue, alarms: readonly Alarm[] = []) =>
  createMarkerSource()(devices({ "1": value }, alarms), null, "fresh")[0];

describe("markers", () => {
  it.each([
    [68.4, "safe", "68"],
    [68.5, "noEffect", "69"],
    [73.4, "noEffect", "73"],
    [73.5, "mild", "74"],
    [80, "mild", "80"],
    [81, "severe", "81"],
    [89, "severe", "89"],
    [90, "verySevere", "90"],
    [98, "verySevere", "98"],
    [99, "danger", "99"],
    [12, "safe", "12"],
  ])("[spec 4] shows a LAT sensor of %s in the colour of %s with its number", (stress, level, text) => {
    expect(one(stressed(stress))).toMatchObject({ stress: level, text });
  });

  it("[spec 4] shows a LAT sensor without a number in grey; other types are grey without a number", () => {
    expect(one(stressed(null))).toMatchObject({ stress: "none", text: null });
    expect(one(stressed("high"))).toMatchObject({ stress: "none", text: null });
    expect(one(sensor("AT", { reading: { stress: 90 } }))).toMatchObject({ stress: null, text: null });
  });

  it("[spec 2] has no marker for a device without a place", () => {
    expect(
      one(sensor("AT", { info: { id: "1", deviceType: "AT", serial: 1, latitude: 36.2 } })),
    ).toBeUndefined();
  });

  it("[maps] shows the worst active alarm that is not snoozed", () => {
    const value = sensor("AT");
    expect(one(value, [alarm("sensor:1", 3), alarm("sensor:1", 1), alarm("sensor:2", 1)])?.alarm).toBe(1);
    expect(one(value, [alarm("sensor:1", 1, { active: false })])?.alarm).toBeNull();
    const snooze = { until: "2026-11-23T00:00:00Z", reason: "known" };
    expect(one(value, [alarm("sensor:1", 2, { snooze }), alarm("sensor:1", 3)])?.alarm).toBe(3);
    expect(one(sensor("COT"), [alarm("channel:1:2", 1)])?.alarm).toBe(1);
  });

  it("[ONL-2] is fresh only while sensor and links are", () => {
    expect(one(sensor("AT"))?.fresh).toBe(true);
    expect(one(sensor("AT", { quality: "late" }))?.fresh).toBe(false);
    expect(one(sensor("AT", { quality: null }))?.fresh).toBe(false);
    expect(createMarkerSource()(devices({ "1": sensor("AT") }), null, "unknown")[0]?.fresh).toBe(false);
  });

  it("[maps] keeps the same list object after a reading without a visible change", () => {
    const source = createMarkerSource();
    const before = source(devices({ "1": stressed(70), "2": sensor("AT") }), null, "fresh");
    const same = source(
      devices({ "1": stressed(70.2), "2": sensor("AT", { reading: { co2: 600 } }) }),
      null,
      "fresh",
    );
    expect(same).toBe(before);
    const other = source(devices({ "1": stressed(71), "2": sensor("AT") }), null, "fresh");
    expect(other).not.toBe(before);
    expect(other[0]?.text).toBe("71");
    expect(other[1]).toBe(before[1]);
  });

  it("[maps] shows the selected types, and drops deleted sensors", () => {
    const source = createMarkerSource();
    const all = devices({ "1": stressed(70), "2": sensor("AT") });
    expect(source(all, ["AT"], "fresh").map(({ id }) => id)).toEqual(["2"]);
    expect(source(all, null, "fresh")).toHaveLength(2);
    expect(source(devices({ "2": sensor("AT") }), null, "fresh").map(({ id }) => id)).toEqual(["2"]);
  });
});
