import type { PlannedWatering, UntimedWatering, WateringPreview } from "@mulkko/shared/rest/waterings";
import { describe, expect, it } from "vitest";
import { NEXT_AT_MOST, nextWaterings } from "./NextCard.tsx";

const place = { controllerId: "c1", number: 1, farmIds: ["1"], quality: "fresh" as const };
const planned = (
  id: string,
  start: string,
  kind: PlannedWatering["kind"] = "reservation",
): PlannedWatering => ({
  id,
  ...place,
  channelId: id,
  kind,
  start,
  end: null,
  basis: "time",
  overlaps: [],
});
const untimed = (reason: UntimedWatering["reason"]): UntimedWatering => ({
  ...place,
  channelId: reason,
  mode: "automatic",
  reason,
  lack: null,
});
const preview = (change: Partial<WateringPreview>): WateringPreview => ({
  timezone: "Asia/Seoul",
  from: "2026-11-22T00:00:00Z",
  to: "2026-11-23T00:00:00Z",
  planned: [],
  untimed: [],
  unread: [],
  truncated: false,
  ...change,
});

describe("next waterings", () => {
  it("[dashboard] lists the earliest watering first, without active ones", () => {
    const { coming, more } = nextWaterings(
      preview({
        planned: [
          planned("late", "2026-11-22T21:00:00Z"),
          planned("now", "2026-11-22T00:00:00Z", "running"),
          planned("soon", "2026-11-22T04:00:00Z", "period"),
        ],
      }),
    );
    expect(coming.map(({ id }) => id)).toEqual(["soon", "late"]);
    expect(more).toBe(0);
  });
  it("[dashboard] lists five waterings, and counts the others", () => {
    const many = Array.from({ length: 8 }, (_, hour) => planned(`${hour}`, `2026-11-22T1${hour}:00:00Z`));
    const { coming, more } = nextWaterings(preview({ planned: many.reverse() }));
    expect(coming.map(({ id }) => id)).toEqual(["0", "1", "2", "3", "4"].slice(0, NEXT_AT_MOST));
    expect(more).toBe(3);
  });
  it("[dashboard] lists waterings by moisture without a time, apart from those that cannot run", () => {
    const { byMoisture, unclear } = nextWaterings(
      preview({ untimed: [untimed("by-moisture"), untimed("incomplete"), untimed("start-unknown")] }),
    );
    expect([byMoisture, unclear]).toEqual([1, 2]);
  });
});
