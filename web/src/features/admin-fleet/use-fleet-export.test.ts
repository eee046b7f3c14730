import { expect, it } from "vitest";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { fleetSheet } from "./use-fleet-export.ts";

const texts = {
  head: (column: string) => column,
  kind: (kind: string) => kind,
  type: (type: string) => `${type} sensor`,
  state: (state: string) => state,
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
  const sheet = fleetSheet(entries("b", "gone", "a"), devices, texts);
  const at = (column: string) => sheet.columns.findIndex(({ head }) => head === column);
  expect(sheet.rows.map((row) => row[at("name")])).toEqual(["b", "a"]);
  const [b, a] = sheet.rows;
  for (const column of ["type", "battery", "received", "since", "latitude"])
    expect(b?.[at(column)]).toBeNull();
  expect(b?.[at("state")]).toBe("never");
  expect(a?.[at("received")]).toBe("2026-11-22 00:00:00");
  expect(sheet.columns[at("received")]?.kind).toBe("time");
  expect(sheet.columns[at("battery")]?.kind).toBe("number");
});
