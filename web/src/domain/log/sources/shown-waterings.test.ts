import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { Watering } from "@mulkko/shared/live/watering";
import { buildChannelValue } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import {
  boundsOf,
  channelOf,
  joinWaterings,
  wateringAt,
  wateringsIn,
  waterMarks,
} from "./shown-waterings.ts";

const channel = (controllerId: string, number: number, sensorIds: string[]): ChannelValue =>
  buildChannelValue({ controllerId, number, sensorIds, quality: null });
const watering = (id: string, start: string, end: string | null): Watering => ({
  id,
  channelId: "7",
  cause: "automatic",
  by: null,
  start: `2026-11-21T${start}Z`,
  end: end === null ? null : `2026-11-21T${end}Z`,
  endReason: end === null ? null : "done",
  moistureBefore: null,
  moistureAfter: null,
  litres: null,
});
const NOW = Date.parse("2026-11-21T12:00:00Z");

describe("shown waterings", () => {
  const channels = new Map([
    ["7", channel("c1", 1, ["s1", "s2"])],
    ["8", channel("c1", 2, ["s3"])],
    ["cot:1", channel("cot", 1, [])],
  ]);
  const sensor = (id: string) => ({ kind: "sensor", id }) as const;
  it("[WAT-1] are those of the sensor's channel", () => {
    expect(channelOf([sensor("s1")], { channels })).toBe("7");
    expect(channelOf([sensor("s1"), sensor("s2")], { channels })).toBe("7");
    expect(channelOf([{ kind: "channel", id: "cot", number: 1 }], { channels })).toBe("cot:1");
  });
  it("[WAT-1] are empty for lines of different channels, or of which only some have a channel", () => {
    expect(channelOf([sensor("s1"), sensor("s3")], { channels })).toBeNull();
    expect(channelOf([sensor("s1"), sensor("dry")], { channels })).toBeNull();
    expect(channelOf([], { channels })).toBeNull();
  });
  it("[WAT-1] prefer the live stream over the loaded log", () => {
    const asked = [watering("b", "10:00:00", null), watering("a", "08:00:00", "08:10:00")];
    const joined = joinWaterings(asked, [watering("b", "10:00:00", "10:05:00")]);
    expect(joined.map(({ id, end }) => `${id} ${end}`)).toEqual([
      "a 2026-11-21T08:10:00Z",
      "b 2026-11-21T10:05:00Z",
    ]);
  });
  it("[WAT-1] have bars from begin to end, until now for a running one", () => {
    const list = [watering("a", "08:00:00", "08:10:00"), watering("b", "11:50:00", null)];
    const bars = waterMarks(list, NOW, (cause) => cause.slice(0, 1));
    expect(bars.map(({ from, to, letter }) => [to - from, letter])).toEqual([
      [600, "a"],
      [600, "a"],
    ]);
  });
  it("[WAT-1] are found under the crosshair even if shorter than a bucket", () => {
    const list = [watering("a", "08:07:00", "08:08:00")];
    const eight = Date.parse("2026-11-21T08:00:00Z") / 1000;
    expect(wateringAt(list, eight, 600, NOW)?.id).toBe("a");
    expect(wateringAt(list, eight, 60, NOW)).toBeUndefined();
    expect(wateringAt(list, eight + 600, 600, NOW)).toBeUndefined();
  });
  it("[log] include bounds only while the automatic mode is active", () => {
    const automatic = { lowerBound: 30, upperBound: null, wateringDuration: 6 };
    const modes = { active: "automatic", automatic, reservation: null, period: null } as const;
    const at = (value: ChannelValue) => boundsOf("7", { channels: new Map([["7", value]]) });
    expect(at({ ...channel("c", 1, []), modes })).toEqual({ lower: 30, upper: null });
    expect(at({ ...channel("c", 1, []), modes: { ...modes, active: "none" } })).toBeNull();
    expect(at(channel("c", 1, []))).toBeNull();
  });

  it("[WIN-1] are counted where they run in the window, at its edges too", () => {
    const ended = watering("a", "08:00:00", "08:10:00");
    const running = watering("b", "11:50:00", null);
    const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
    const found = (from: string, to: string) =>
      wateringsIn([ended, running], { from: at(from), to: at(to) }, NOW).map(({ id }) => id);
    expect(found("00:00:00", "23:00:00")).toEqual(["a", "b"]);
    expect(found("08:05:00", "08:06:00")).toEqual(["a"]);
    expect(found("08:09:59", "09:00:00")).toEqual(["a"]);
    expect(found("07:00:00", "08:00:01")).toEqual(["a"]);
    expect(found("07:00:00", "08:00:00")).toEqual([]);
    expect(found("08:10:00", "11:50:00")).toEqual([]);
    expect(found("11:59:00", "23:00:00")).toEqual(["b"]);
    expect(found("12:00:00", "23:00:00")).toEqual([]);
  });
});
