import type { Quality } from "@mulkko/shared/rules/quality";
import { describe, expect, it } from "vitest";
import { isMeasuring, tallyDevices } from "./device-tally.ts";
import { deviceState } from "./use-links.ts";

const AT = "2026-11-23T01:00:00Z";
const devices = (...qualities: (Quality | null)[]) =>
  tallyDevices(
    qualities.map((quality) => ({ quality, heardAt: quality === null ? null : AT })),
    "fresh",
  );

describe("counts of devices", () => {
  it("[ONL-4] do not report all as well while one is silent, late or has never reported", () => {
    expect(deviceState(devices("fresh", "fresh"))).toBe("up");
    for (const quality of ["late", "offline", "unknown", null] as const)
      expect(deviceState(devices("fresh", quality)), `${quality}`).toBe("degraded");
    expect(deviceState(devices("offline", "offline"))).toBe("down");
    expect(deviceState(devices(null, null))).toBe("unknown");
  });

  it("[sensors] count no valve unit as a sensor", () => {
    expect(isMeasuring({ info: { deviceType: "SMS" } })).toBe(true);
    expect(isMeasuring({ info: { deviceType: "COT" } })).toBe(false);
  });
});
