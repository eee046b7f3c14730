import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { describe, expect, it } from "vitest";
import { createRestClient } from "../../../api/client.ts";
import { readWorkbookSheets, type WorkbookQuery } from "./sheets.ts";

const FROM = Date.parse("2026-11-21T00:00:00Z");
const WATERING = {
  id: "w1",
  channelId: "7",
  cause: "person",
  by: { id: 1, nickname: "Kim" },
  start: "2026-11-21T03:00:00Z",
  end: "2026-11-21T03:10:00Z",
  endReason: "done",
  moistureBefore: null,
  moistureAfter: null,
  litres: null,
  controllerId: "c1",
  number: 1,
  farmIds: [],
};
const DAY = {
  timezone: "Asia/Seoul",
  today: "2026-11-21",
  from: "2026-11-21T00:00:00Z",
  to: "2026-11-22T00:00:00Z",
  keptFrom: "2026-11-01T00:00:00Z",
  knownFrom: "2026-11-01T00:00:00Z",
  sums: [],
  next: null,
};

/** Return the sheets of one soil sensor and one channel with these waterings. */
async function sheetNamesOf(waterings: readonly (typeof WATERING)[]): Promise<string[]> {
  const client = createRestClient({ accessToken: () => "token", refresh: async () => null }, async (url) =>
    Response.json(
      `${url}`.includes("waterings")
        ? { ...DAY, waterings }
        : [{ createdDate: "2026-11-21 12:00:00", moisture: 31 }],
    ),
  );
  const wallTime = (instant: number) => new Date(instant).toISOString();
  const query: WorkbookQuery = {
    sources: [
      { name: "Soil 1", farm: null, source: { kind: "sensor", id: "s1" }, fields: [FIELDS.moisture] },
    ],
    channels: [{ id: "7", name: "1CH", farm: null }],
    from: FROM,
    to: FROM + 86_400_000,
    apiClock: { zone: createApiTimeZone("Asia/Seoul"), now: () => FROM + 86_400_000 },
    texts: {
      head: (column) => column,
      field: (name) => name,
      wallTime,
      waterings: "Waterings",
      cause: (cause) => cause,
      ending: () => "done",
      keptSince: (time) => time,
    },
    onProgress: () => undefined,
  };
  const sheets = await readWorkbookSheets(client, query, new AbortController().signal);
  return sheets.map(({ name }) => name);
}

describe("sheets of a workbook", () => {
  it("[WAT-1] include a sheet of waterings if the range has any", async () => {
    expect(await sheetNamesOf([WATERING])).toEqual(["Soil 1", "Waterings"]);
  });
  it("[spec 9] include one for each device, and no further one without waterings", async () => {
    expect(await sheetNamesOf([])).toEqual(["Soil 1"]);
  });
});
