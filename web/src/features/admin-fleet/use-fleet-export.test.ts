import { createInstance } from "i18next";
import { beforeAll, expect, it } from "vitest";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { fleetSheet } from "./use-fleet-export.ts";

const i18n = createInstance();
beforeAll(async () => {
  // The texts are their own keys.
  await i18n.init({ lng: "cimode" });
});
const texts = {
  deviceType: (type: string) => `${type} sensor`,
  wallTime: (instant: number) => new Date(instant).toISOString().slice(0, 19).replace("T", " "),
};
const entries = (...keys: string[]): BoardEntry[] =>
  keys.map((key) => ({ kind: "device", key: `device:${key}` }));

it("[fleet] exports the shown devices in the board's order, with empty cells for unknown values", () => {
  const devices = fleetOfDevices({
    a: {},
    b: { deviceType: null, battery: null, quality: null, heardAt: null, since: null, latitude: null },
    hidden: {},
  });
  const sheet = fleetSheet(entries("b", "gone", "a"), devices, {
    t: i18n.getFixedT(null, ["fleet", "common"]),
    ...texts,
  });
  const at = (column: string) => sheet.columns.findIndex(({ head }) => head === column);
  expect(sheet.rows.map((row) => row[at("column.name")])).toEqual(["b", "a"]);
  const [b, a] = sheet.rows;
  for (const column of [
    "facet.type",
    "field.battery (%)",
    "column.received",
    "column.since",
    "column.latitude",
  ])
    expect(b?.[at(column)]).toBeNull();
  expect(b?.[at("column.state")]).toBe("state.never");
  expect(a?.[at("column.received")]).toBe("2026-11-22 00:00:00");
  expect(sheet.columns[at("column.received")]?.kind).toBe("time");
  expect(sheet.columns[at("field.battery (%)")]?.kind).toBe("number");
});
