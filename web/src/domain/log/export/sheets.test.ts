import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Watering } from "@mulkko/shared/live/watering";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { describe, expect, it } from "vitest";
import { deviceSheet, wateringSheet } from "./sheets.ts";

const AT = Date.parse("2026-11-21T15:00:05Z");
const texts = {
  head: (column: string) => (column === "time" ? "When" : column === "farm" ? "Farm" : column),
  field: (name: string) => name.toUpperCase(),
  wallTime: createApiTimeZone("Asia/Seoul").toApi,
};

describe("sheets", () => {
  it("[spec 9] contain the raw rows of a device: time on the account's clock, fields in display units", () => {
    const rows = [
      { at: AT, row: { createdDate: "2026-11-22 00:00:05", moisture: 31.25, vpd: 1_234.5, rssi: -70 } },
      { at: AT + 60_000, row: { createdDate: "2026-11-22 00:01:05", moisture: "30.5", vpd: null } },
    ];
    const sheet = deviceSheet("Bed 1", "Nonsan", [FIELDS.moisture, FIELDS.vpd], rows, texts);
    expect(sheet.columns).toEqual([
      { head: "When", kind: "time" },
      { head: "MOISTURE (%)", kind: "number" },
      { head: "VPD (kPa)", kind: "number" },
      { head: "Farm", kind: "text" },
    ]);
    expect(sheet.rows).toEqual([
      ["2026-11-22 00:00:05", 31.25, 1.2345, "Nonsan"],
      ["2026-11-22 00:01:05", 30.5, null, "Nonsan"],
    ]);
  });
  it("[spec 9] use the catalogue's names for fields of older devices", () => {
    const rows = [{ at: AT, row: { mois: 12, temp: 20 } }];
    expect(
      deviceSheet("x", null, [FIELDS.moisture, FIELDS.temperature], rows, texts).rows[0]?.slice(1),
    ).toEqual([12, 20, null]);
  });
  it("[WAT-1] describe each watering, and the start of the records", () => {
    const watering: Watering = {
      id: "w1",
      channelId: "7",
      cause: "person",
      by: { id: 1, nickname: "Kim" },
      start: "2026-11-21T15:00:00Z",
      end: "2026-11-21T15:10:00Z",
      endReason: "done",
      moistureBefore: 20.5,
      moistureAfter: 31,
      litres: 12,
    };
    const sheet = wateringSheet(
      [
        {
          channel: "1CH",
          farm: null,
          watering: { ...watering, id: "w2", start: "2026-11-21T16:00:00Z", end: null, endReason: null },
        },
        { channel: "1CH", farm: "Nonsan", watering },
      ],
      AT,
      {
        ...texts,
        waterings: "Waterings",
        cause: (cause) => `by ${cause}`,
        ending: ({ endReason }) => endReason ?? "runs",
        keptSince: (time) => `since ${time}`,
      },
    );
    expect(sheet.rows[0]).toEqual([
      "1CH",
      "by person",
      "Kim",
      "2026-11-22 00:00:00",
      "2026-11-22 00:10:00",
      "done",
      20.5,
      31,
      12,
      "Nonsan",
    ]);
    expect(sheet.rows[1]?.slice(3, 6)).toEqual(["2026-11-22 01:00:00", null, "runs"]);
    expect(sheet.rows.at(-1)).toEqual(["since 2026-11-22 00:00:05"]);
  });
});
