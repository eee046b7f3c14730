import { describe, expect, test } from "vitest";
import {
  channelInterval,
  DEFAULT_INTERVALS,
  HEARD_FACTOR,
  latestInterval,
  latestMqttInterval,
  listInterval,
  type Pace,
  stretchFactor,
} from "./poll-pacing.ts";

const WATCHED: Pace = { watched: true, heard: false };
const UNWATCHED: Pace = { watched: false, heard: false };
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);
const all = DEFAULT_INTERVALS;

describe("the interval", () => {
  test.each([
    ["list", 60, 300],
    ["places", 60, 1_800],
    ["notifications", 30, 300],
  ] as const)("[POLL-1] of %s is %d s while somebody looks, and %d s else", (unit, watched, unwatched) => {
    expect(seconds(listInterval(unit, WATCHED, all))).toBe(watched);
    expect(seconds(listInterval(unit, UNWATCHED, all))).toBe(unwatched);
  });

  test("[POLL-1] of latest/mqtt is 10 s on a screen, 60 s where it says nothing, and never else", () => {
    expect(seconds(latestMqttInterval(WATCHED, false, all))).toBe(10);
    expect(seconds(latestMqttInterval(WATCHED, true, all))).toBe(60);
    expect(latestMqttInterval(UNWATCHED, false, all)).toBeNull();
    expect(latestMqttInterval(UNWATCHED, true, all)).toBeNull();
  });

  test("[POLL-1] of latest is 60 s on a screen, and 10 s where latest/mqtt says nothing", () => {
    expect(seconds(latestInterval(WATCHED, { listed: true, alone: false }, all))).toBe(60);
    expect(seconds(latestInterval(WATCHED, { listed: true, alone: true }, all))).toBe(10);
  });

  test("[POLL-1] of latest with nobody there is 5 min where the list carries no newest log, and never else", () => {
    expect(latestInterval(UNWATCHED, { listed: true, alone: true }, all)).toBeNull();
    expect(seconds(latestInterval(UNWATCHED, { listed: false, alone: false }, all))).toBe(300);
  });

  test.each([
    ["closed", { busy: false, mode: false }, 10, 3_600],
    ["in a mode", { busy: false, mode: true }, 10, 300],
    ["open or being moved", { busy: true, mode: false }, 5, 15],
    ["open by its mode", { busy: true, mode: true }, 5, 15],
  ])(
    "[POLL-1] of a channel that is %s is %3$d s on a screen, and %4$d s else",
    (_what, how, watched, unwatched) => {
      expect(seconds(channelInterval(WATCHED, how, all))).toBe(watched);
      expect(seconds(channelInterval(UNWATCHED, how, all))).toBe(unwatched);
    },
  );

  test("[POLL-1] of every unit is ten times as long where the API's MQTT output is heard", () => {
    expect(HEARD_FACTOR).toBe(10);
    for (const pace of [WATCHED, UNWATCHED]) {
      const heard = { ...pace, heard: true };
      for (const unit of ["list", "places", "notifications"] as const) {
        expect(listInterval(unit, heard, all)).toBe(10 * listInterval(unit, pace, all));
      }
      for (const busy of [true, false]) {
        const how = { busy, mode: false };
        expect(channelInterval(heard, how, all)).toBe(10 * channelInterval(pace, how, all));
      }
      const how = { listed: false, alone: false };
      expect(latestInterval(heard, how, all)).toBe(10 * (latestInterval(pace, how, all) ?? 0));
    }
    expect(seconds(latestMqttInterval({ ...WATCHED, heard: true }, false, all))).toBe(100);
    expect(latestMqttInterval({ ...UNWATCHED, heard: true }, false, all)).toBeNull();
  });
});

describe("the stretch", () => {
  test("[POLL-1] is none while all units together stay within the rate", () => {
    expect(stretchFactor(0, 0, 10)).toBe(1);
    expect(stretchFactor(6, 4, 10)).toBe(1);
  });

  test("[POLL-1] brings the units that may stretch into what open channels leave of the rate", () => {
    expect(stretchFactor(12, 4, 10)).toBe(2);
    const factor = stretchFactor(90, 1, 10);
    expect(90 / factor + 1).toBeCloseTo(10);
  });

  test("[POLL-1] leaves a tenth of the rate to the others, however many channels are open", () => {
    expect(stretchFactor(5, 50, 10)).toBe(5);
    expect(stretchFactor(0.5, 50, 10)).toBe(1);
  });
});
