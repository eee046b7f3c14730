import type { ListedWatering } from "@mulkko/shared/rest/waterings";

/** Build a watering of ten minutes on farm 1, identified by its start. */
export function buildWatering(start: string, change: Partial<ListedWatering> = {}): ListedWatering {
  return {
    id: start,
    channelId: "11",
    cause: "person",
    by: null,
    start,
    end: new Date(Date.parse(start) + 600_000).toISOString(),
    endReason: "done",
    moistureBefore: null,
    moistureAfter: null,
    litres: null,
    farmIds: ["1"],
    ...change,
  };
}
