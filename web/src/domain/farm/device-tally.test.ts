import type { Quality } from "@mulkko/shared/rules/quality";
import { buildSensorValue } from "@mulkko/shared/testing/builders";
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

  it("[AGE-1] follow the numbers: one of yesterday is not among the live ones, however young its contact", () => {
    const now = "2026-11-23T02:00:00Z";
    const live = buildSensorValue({ at: now, heardAt: now, quality: "fresh" });
    const yesterday = buildSensorValue({ at: "2026-11-22T01:00:00Z", heardAt: now, quality: "late" });
    const tally = tallyDevices([live, yesterday], "fresh");
    expect(tally).toMatchObject({ total: 2, fresh: 1, late: 1, newest: now, newestValue: now });
    expect(tally.oldestAlive).toBe("2026-11-22T01:00:00Z");
    // Other fields are new, the one that stands for the sensor is not.
    const fieldTimes = { moisture: "2026-11-23T00:00:00Z" };
    const partial = { ...live, reading: { moisture: 40, temperature: 20 }, fieldTimes };
    expect(tallyDevices([live, partial], "fresh")).toMatchObject({ fresh: 1, late: 1 });
    expect(tallyDevices([partial], "fresh").newestValue).toBe(fieldTimes.moisture);
  });

  it("[sensors] count no valve unit as a sensor", () => {
    expect(isMeasuring({ info: { deviceType: "SMS" } })).toBe(true);
    expect(isMeasuring({ info: { deviceType: "COT" } })).toBe(false);
  });
});
