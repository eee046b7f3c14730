import { createInstance } from "i18next";
import { beforeAll, expect, it } from "vitest";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { buildFleetAccount } from "../../testing/build-fleet-account.ts";
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

it("[FIND-2] exports the shown devices in the board's order, with empty cells for unknown values", () => {
  const devices = fleetOfDevices({
    a: { farm: "윗논", since: "2026-11-03T01:00:00Z" },
    b: {
      farm: null,
      deviceType: null,
      battery: null,
      quality: null,
      heardAt: null,
      since: null,
      latitude: null,
    },
    hidden: {},
  });
  const person = { nickname: "김영수", phone: "010-1013-2026", farmAddress: "밀양 딸기농장" };
  const accounts = new Map([["account:a1", buildFleetAccount(person)]]);
  const sheet = fleetSheet(
    entries("b", "gone", "a"),
    { devices, accounts },
    {
      t: i18n.getFixedT(null, ["fleet", "common"]),
      ...texts,
    },
  );
  const at = (column: string) => sheet.columns.findIndex(({ head }) => head === column);
  expect(sheet.rows.map((row) => row[at("column.name")])).toEqual(["b", "a"]);
  const [b, a] = sheet.rows;
  for (const column of [
    "facet.type",
    "field.battery (%)",
    "column.received",
    "column.since",
    "column.latitude",
    "column.farm",
  ])
    expect(b?.[at(column)]).toBeNull();
  expect(b?.[at("column.state")]).toBe("state.never");
  const called = ["column.person", "column.phone", "column.farmAddress", "column.farm"];
  expect(called.map((column) => a?.[at(column)])).toEqual([...Object.values(person), "윗논"]);
  expect(a?.[at("column.since")]).toBe("2026-11-03 01:00:00");
  expect(a?.[at("column.received")]).toBe("2026-11-22 00:00:00");
  expect(sheet.columns[at("column.received")]?.kind).toBe("time");
  expect(sheet.columns[at("field.battery (%)")]?.kind).toBe("number");
});
