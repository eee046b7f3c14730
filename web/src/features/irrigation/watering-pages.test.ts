import type { ListedWatering } from "@mulkko/shared/rest/waterings";
import { describe, expect, it } from "vitest";
import { mergePages } from "./farm/WateringList.tsx";

const watering = (id: string, hour: number, end: string | null = "2026-11-22T09:00:00Z"): ListedWatering => ({
  id,
  channelId: "1",
  farmIds: ["1"],
  cause: "person",
  by: null,
  start: `2026-11-22T0${hour}:00:00Z`,
  end,
  endReason: end === null ? null : "done",
  moistureBefore: null,
  moistureAfter: null,
  litres: null,
});

describe("pages of waterings", () => {
  it("[WAT-2] form one list, active ones first, then newest first", () => {
    const merged = mergePages(
      [watering("c", 5), watering("b", 3, null)],
      [watering("a", 1), watering("d", 4)],
    );
    expect(merged.map(({ id }) => id)).toEqual(["b", "c", "d", "a"]);
  });

  it("[WAT-2] list a watering that moved to the next page once, in its latest state", () => {
    const [only, ...others] = mergePages([watering("a", 1)], [watering("a", 1, null)]);
    expect(only?.end).not.toBeNull();
    expect(others).toEqual([]);
  });
});
