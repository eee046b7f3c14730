import type { Alarm } from "@mulkko/shared/live/alarm";
import type { ChannelValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { buildLiveFarm, channelEntry } from "../testing/build-live-farm.ts";
import { isQuiet } from "./reload.ts";

const by = { id: 1, nickname: "해오름" };
const command = (state: "requested" | "confirmed"): ChannelValue["command"] => ({
  ...{ id: "c", command: "onoff", target: 1, state, since: "2026-11-22T05:00:00Z", by },
});
const quiet = (change: Partial<ChannelValue>, alarms: Alarm[] = []) =>
  isQuiet(buildLiveFarm([], [channelEntry("v1", "c1", change)], alarms));

describe("quiet moment of a wall", () => {
  it("[HS-4] is false while a valve is moving", () => {
    expect(quiet({ command: command("requested") })).toBe(false);
    expect(quiet({ command: command("confirmed") })).toBe(true);
    expect(quiet({})).toBe(true);
  });

  it("[HS-4] is false while an alarm of the highest priority is active, also if acknowledged", () => {
    const ack = { by, at: "2026-11-22T05:01:00Z", comment: null };
    expect(quiet({}, [buildAlarm({ priority: 1, ack })])).toBe(false);
    expect(quiet({}, [buildAlarm({ priority: 1, ack, active: false })])).toBe(true);
    expect(quiet({}, [buildAlarm({ priority: 2 })])).toBe(true);
  });
});
