import { TickMarkType } from "lightweight-charts";
import { describe, expect, it } from "vitest";
import { chartTime } from "./band-series.ts";
import { createTimeLabels } from "./chart-options.ts";

const at = chartTime(Date.UTC(2026, 10, 21, 14, 5, 9) / 1000);

describe("[chart] time labels", () => {
  it("[chart] labels a tick as briefly as its kind allows", () => {
    const labels = createTimeLabels("ko", 60);
    expect(labels.tick(at, TickMarkType.Time)).toBe("14:05");
    expect(labels.tick(at, TickMarkType.DayOfMonth)).toMatch(/11.*21/);
    expect(labels.tick(at, TickMarkType.Year)).toContain("2026");
  });
  it("[chart] shows seconds at the crosshair only for buckets under a minute", () => {
    expect(createTimeLabels("en", 60).crosshair(at)).not.toContain(":09");
    expect(createTimeLabels("en", 10).crosshair(at)).toContain("14:05:09");
  });
  it("[chart] formats midnight as 00, not 24", () => {
    const midnight = chartTime(Date.UTC(2026, 10, 21) / 1000);
    expect(createTimeLabels("en", 60).tick(midnight, TickMarkType.Time)).toBe("00:00");
  });
});
