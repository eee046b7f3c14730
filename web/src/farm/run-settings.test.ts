import type { AccountSettings } from "@mulkko/shared/rest/settings";
import { describe, expect, it } from "vitest";
import { capMinutesOf, flowSensorOf, runMinutesOf } from "./run-settings.ts";

const set: AccountSettings = {
  adoptExternal: false,
  controllers: { box: { maxRunSeconds: 900 } },
  channels: { "11": { defaultRunSeconds: 1_800, flowSensorId: "meter" }, "12": { defaultRunSeconds: 300 } },
};

describe("run settings", () => {
  it("[RUN-1] without a setting an opening runs ten minutes, and two hours at most", () => {
    expect(runMinutesOf(null, "11", "box")).toBe(10);
    expect(runMinutesOf(set, "13", "other")).toBe(10);
    expect(capMinutesOf(null, "box")).toBe(120);
  });

  it("[RUN-1] a channel's own time is held to the cap of its controller", () => {
    expect(runMinutesOf(set, "11", "box")).toBe(15);
    expect(runMinutesOf(set, 12, "box")).toBe(5);
    expect(runMinutesOf(set, "11", "other")).toBe(30);
    expect(runMinutesOf(set, "11")).toBe(30);
  });

  it("[WAT-1] a channel's flow meter is the one that was linked", () => {
    expect(flowSensorOf(set, 11)).toBe("meter");
    expect(flowSensorOf(set, "12")).toBeNull();
    expect(flowSensorOf(null, "11")).toBeNull();
  });
});
