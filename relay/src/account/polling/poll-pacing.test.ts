import { describe, expect, test } from "vitest";
import {
  channelInterval,
  DEFAULT_INTERVALS,
  latestInterval,
  latestMqttInterval,
  listInterval,
  type Pace,
  RECEIVED_FACTOR,
  stretchFactor,
} from "./poll-pacing.ts";

const all = DEFAULT_INTERVALS;
const WATCHED: Pace = { watched: true, mqttReceived: false, intervals: all };
const UNWATCHED: Pace = { watched: false, mqttReceived: false, intervals: all };
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

describe("the interval", () => {
  test.each([
    ["list", 60, 300],
    ["places", 60, 1_800],
    ["notifications", 30, 300],
  ] as const)("[POLL-1] of %s is %d s while a user looks, and %d s otherwise", (unit, watched, unwatched) => {
    expect(seconds(listInterval(unit, WATCHED))).toBe(watched);
    expect(seconds(listInterval(unit, UNWATCHED))).toBe(unwatched);
  });

  test("[POLL-1] of latest/mqtt is 10 s while watched, 60 s where it returns nothing, and never otherwise", () => {
    expect(seconds(latestMqttInterval(WATCHED, false))).toBe(10);
    expect(seconds(latestMqttInterval(WATCHED, true))).toBe(60);
    expect(latestMqttInterval(UNWATCHED, false)).toBeNull();
    expect(latestMqttInterval(UNWATCHED, true)).toBeNull();
  });

  test("[POLL-1] of latest is 60 s while watched, and 10 s where latest/mqtt returns nothing", () => {
    expect(seconds(latestInterval(WATCHED, { listed: true, alone: false }))).toBe(60);
    expect(seconds(latestInterval(WATCHED, { listed: true, alone: true }))).toBe(10);
  });

  test("[POLL-1] of an unwatched latest is 5 min where the list carries no newest log, and never otherwise", () => {
    expect(latestInterval(UNWATCHED, { listed: true, alone: true })).toBeNull();
    expect(seconds(latestInterval(UNWATCHED, { listed: false, alone: false }))).toBe(300);
  });

  test.each([
    ["closed", { busy: false, mode: false }, 10, 3_600],
    ["in a mode", { busy: false, mode: true }, 10, 300],
    ["open or being moved", { busy: true, mode: false }, 5, 15],
    ["open by its mode", { busy: true, mode: true }, 5, 15],
  ])(
    "[POLL-1] of a channel that is %s is %3$d s on a screen, and %4$d s else",
    (_what, how, watched, unwatched) => {
      expect(seconds(channelInterval(WATCHED, how))).toBe(watched);
      expect(seconds(channelInterval(UNWATCHED, how))).toBe(unwatched);
    },
  );

  test("[POLL-1] of every unit is ten times as long while the API's MQTT output is received", () => {
    expect(RECEIVED_FACTOR).toBe(10);
    for (const pace of [WATCHED, UNWATCHED]) {
      const received = { ...pace, mqttReceived: true };
      for (const unit of ["list", "places", "notifications"] as const) {
        expect(listInterval(unit, received)).toBe(10 * listInterval(unit, pace));
      }
      for (const busy of [true, false]) {
        const how = { busy, mode: false };
        expect(channelInterval(received, how)).toBe(10 * channelInterval(pace, how));
      }
      const how = { listed: false, alone: false };
      expect(latestInterval(received, how)).toBe(10 * (latestInterval(pace, how) ?? 0));
    }
    expect(seconds(latestMqttInterval({ ...WATCHED, mqttReceived: true }, false))).toBe(100);
    expect(latestMqttInterval({ ...UNWATCHED, mqttReceived: true }, false)).toBeNull();
  });
});

describe("the stretch", () => {
  test("[POLL-1] is 1 while all units together stay within the rate", () => {
    expect(stretchFactor(0, 0, 10)).toBe(1);
    expect(stretchFactor(6, 4, 10)).toBe(1);
  });

  test("[POLL-1] fits the stretchable units into the rate that open channels leave", () => {
    expect(stretchFactor(12, 4, 10)).toBe(2);
    const factor = stretchFactor(90, 1, 10);
    expect(90 / factor + 1).toBeCloseTo(10);
  });

  test("[POLL-1] reserves a tenth of the rate for the others, however many channels are open", () => {
    expect(stretchFactor(5, 50, 10)).toBe(5);
    expect(stretchFactor(0.5, 50, 10)).toBe(1);
  });
});
