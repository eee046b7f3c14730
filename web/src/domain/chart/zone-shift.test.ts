import { describe, expect, it } from "vitest";
import { createZoneShift } from "./zone-shift.ts";

const unix = (iso: string): number => Date.parse(iso) / 1000;
const wall = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 16);
const hours = (from: string, count: number): number[] =>
  Array.from({ length: count }, (_, hour) => unix(from) + hour * 3600);

describe("[chart] zone shift", () => {
  it("[chart] shows the zone's wall clock", () => {
    const [shown = 0] = createZoneShift("Asia/Seoul")([unix("2026-11-21T05:04:00Z")]);
    expect(wall(shown)).toBe("2026-11-21T14:04");
  });

  it("[chart] keeps the minutes of half-hour zones and zones west of UTC", () => {
    const midnight = unix("2026-01-01T00:00:00Z");
    expect(createZoneShift("Asia/Kolkata")([midnight])).toEqual([midnight + 19_800]);
    expect(createZoneShift("America/St_Johns")([midnight])).toEqual([midnight - 12_600]);
  });

  it("[chart] skips exactly the missing hour in spring", () => {
    const shown = createZoneShift("Europe/Berlin")(hours("2026-03-28T23:00:00Z", 4)).map(wall);
    expect(shown).toEqual(["2026-03-29T00:00", "2026-03-29T01:00", "2026-03-29T03:00", "2026-03-29T04:00"]);
  });

  it("[chart] stays ascending in the repeated hour in autumn, with a unique place per instant", () => {
    const instants = Array.from({ length: 24 }, (_, i) => unix("2026-10-24T23:00:00Z") + i * 600);
    const shown = createZoneShift("Europe/Berlin")(instants);
    expect(shown.every((time, i) => i === 0 || time > (shown[i - 1] ?? 0))).toBe(true);
    expect(new Set(shown).size).toBe(instants.length);
    expect(wall(shown.at(-1) ?? 0)).toBe("2026-10-25T03:50");
  });

  it("[chart] returns to the wall clock after the repeated hour, also for narrow buckets", () => {
    const instants = Array.from({ length: 1_200 }, (_, i) => unix("2026-10-25T00:00:00Z") + i * 10);
    const shown = createZoneShift("Europe/Berlin")(instants);
    expect(shown.every((time, i) => i === 0 || time > (shown[i - 1] ?? 0))).toBe(true);
    expect(wall(shown.at(-1) ?? 0)).toBe("2026-10-25T04:19");
  });
});
