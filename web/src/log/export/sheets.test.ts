import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Watering } from "@mulkko/shared/live/watering";
import { describe, expect, it } from "vitest";
import { deviceSheet, wateringSheet } from "./sheets.ts";
import { wallTime } from "./wall-time.ts";

const AT = Date.parse("2026-11-21T15:00:05Z");
const words = { time: "When", field: (name: string) => name.toUpperCase(), wallTime: wallTime("Asia/Seoul") };

describe("sheets", () => {
  it("[spec 9] a device's sheet has its raw rows: the time of the account's clock, fields in shown units", () => {
    const rows = [
      { at: AT, row: { createdDate: "2026-11-22 00:00:05", moisture: 31.25, vpd: 1_234.5, rssi: -70 } },
      { at: AT + 60_000, row: { createdDate: "2026-11-22 00:01:05", moisture: "30.5", vpd: null } },
    ];
    const sheet = deviceSheet("Bed 1", [FIELDS.moisture, FIELDS.vpd], rows, words);
    expect(sheet.columns).toEqual([
      { head: "When", kind: "time" },
      { head: "MOISTURE (%)", kind: "number" },
      { head: "VPD (kPa)", kind: "number" },
    ]);
    expect(sheet.rows).toEqual([
      ["2026-11-22 00:00:05", 31.25, 1.2345],
      ["2026-11-22 00:01:05", 30.5, null],
    ]);
  });
  it("[spec 9] names of older devices are the catalogue's", () => {
    const rows = [{ at: AT, row: { mois: 12, temp: 20 } }];
    expect(deviceSheet("x", [FIELDS.moisture, FIELDS.temperature], rows, words).rows[0]?.slice(1)).toEqual([
      12, 20,
    ]);
  });
  it("[WAT-1] the sheet of waterings tells each one's story, and from when on there are any", () => {
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
    const heads = {
      channel: "c",
      cause: "w",
      by: "b",
      start: "s",
      end: "e",
      reason: "r",
      before: "mb",
      after: "ma",
      litres: "l",
    };
    const sheet = wateringSheet(
      [
        {
          channel: "1CH",
          watering: { ...watering, id: "w2", start: "2026-11-21T16:00:00Z", end: null, endReason: null },
        },
        { channel: "1CH", watering },
      ],
      AT,
      {
        sheet: "Waterings",
        heads,
        wallTime: words.wallTime,
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
    ]);
    expect(sheet.rows[1]?.slice(3, 6)).toEqual(["2026-11-22 01:00:00", null, "runs"]);
    expect(sheet.rows.at(-1)).toEqual(["since 2026-11-22 00:00:05"]);
  });
});
