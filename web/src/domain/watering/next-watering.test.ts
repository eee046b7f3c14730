import type { PlannedWatering, UntimedWatering } from "@mulkko/shared/rest/waterings";
import { describe, expect, it } from "vitest";
import { earliestOf, nextOfChannels } from "./next-watering.ts";

const place = (channelId: string) => ({
  channelId,
  controllerId: "c1",
  number: 1,
  farmIds: ["1"],
  quality: "fresh" as const,
});
const planned = (channelId: string, start: string, kind: PlannedWatering["kind"]): PlannedWatering => ({
  id: `${channelId} ${start}`,
  ...place(channelId),
  kind,
  start,
  end: null,
  basis: "time",
  overlaps: [],
});
const untimed = (channelId: string, lack: UntimedWatering["lack"]): UntimedWatering => ({
  ...place(channelId),
  mode: "reservation",
  reason: lack === null ? "by-moisture" : "incomplete",
  lack,
});

describe("next watering of a channel", () => {
  const next = nextOfChannels({
    planned: [
      planned("open", "2026-11-22T00:00:00Z", "running"),
      planned("hourly", "2026-11-22T00:10:00Z", "period"),
      planned("hourly", "2026-11-22T01:10:00Z", "period"),
      planned("evening", "2026-11-22T09:00:00Z", "reservation"),
    ],
    untimed: [untimed("dry", null), untimed("idle", "duration")],
  });
  const all = [...next.keys()];

  it("[WAT-3] considers the next run of a period as well as of a reservation, but not a running one", () => {
    expect(next.get("hourly")).toEqual({ kind: "at", start: Date.parse("2026-11-22T00:10:00Z") });
    expect(next.get("evening")).toEqual({ kind: "at", start: Date.parse("2026-11-22T09:00:00Z") });
    expect(next.has("open")).toBe(false);
  });
  it("[WAT-3] promises no time for an incomplete mode or one controlled by moisture", () => {
    expect(next.get("idle")).toEqual({ kind: "lacks", lack: "duration" });
    expect(next.has("dry")).toBe(false);
  });
  it("[WAT-3] returns the earliest future run of the requested channels", () => {
    const at = (time: string) => Date.parse(`2026-11-22T${time}:00Z`);
    expect(earliestOf(next, all, at("00:00"))).toBe(at("00:10"));
    expect(earliestOf(next, all, at("00:30"))).toBe(at("09:00"));
    expect(earliestOf(next, ["idle", "dry"], at("00:00"))).toBeNull();
  });
});
