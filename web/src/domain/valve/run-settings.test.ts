import type { AccountSettings } from "@mulkko/shared/rest/settings";
import { describe, expect, it } from "vitest";
import { capMinutesOf, runMinutesOf } from "./settings.ts";

const set: AccountSettings = {
  adoptExternal: false,
  controllers: { unit: { maxRunSeconds: 900 } },
  channels: { "11": { defaultRunSeconds: 1_800, flowSensorId: "meter" }, "12": { defaultRunSeconds: 300 } },
};

describe("run settings", () => {
  it("[RUN-1] run an opening for ten minutes without a setting, and two hours at most", () => {
    expect(runMinutesOf(null, "11", "unit")).toBe(10);
    expect(runMinutesOf(set, "13", "other")).toBe(10);
    expect(capMinutesOf(null, "unit")).toBe(120);
  });

  it("[RUN-1] limit a channel's own run time to the cap of its controller", () => {
    expect(runMinutesOf(set, "11", "unit")).toBe(15);
    expect(runMinutesOf(set, 12, "unit")).toBe(5);
    expect(runMinutesOf(set, "11", "other")).toBe(30);
  });
});
