import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { createInstance } from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import {
  foundRows,
  measuredColumns,
  type SensorRow,
  sensorRows,
  shownNumber,
  tableSheet,
  tablesOf,
  tableType,
} from "./model.ts";

const sensor = (
  id: string,
  deviceType: string,
  change: Partial<SensorValue> & { name?: string; description?: string } = {},
): [string, SensorValue] => {
  const { name, description, ...rest } = change;
  return [
    id,
    {
      info: {
        id,
        deviceType,
        serial: Number(id),
        name: name ?? `House ${id}`,
        description: description ?? "",
      },
      reading: { moisture: 31.26, soilTemperature: 0, fwversion: "1.4" },
      at: "2026-11-22T03:00:00Z",
      heardAt: "2026-11-22T03:00:05Z",
      quality: "fresh",
      via: "mqtt",
      ...rest,
    },
  ];
};
const farm = new Map([
  sensor("10", "SMS"),
  sensor("2", "SMS", { reading: null, at: null, heardAt: null, quality: null }),
  sensor("3", "SSH"),
  sensor("4", "AT"),
  sensor("5", "SMS", { name: "", description: "behind the barn" }),
]);
const sms = deviceTypeOf("SMS");
const i18n = createInstance();
beforeAll(async () => {
  // The texts are their own keys.
  await i18n.init({ lng: "cimode" });
});
const sheetOf = (...[fields, rows]: [FieldSpec[], SensorRow[]]) =>
  tableSheet(
    fields,
    rows,
    i18n.getFixedT(null, ["sensor-table", "common"]),
    (name) => name,
    createApiTimeZone("Asia/Seoul").toApi,
  );

describe("sensor table", () => {
  it("[spec 2] shows one device type by name, with its columns", () => {
    const rows = sensorRows(farm, sms);
    expect(rows.map(({ name }) => name)).toEqual(["5", "House 2", "House 10"]);
    expect(measuredColumns(sms).map(({ name }) => name)).toEqual(["soilTemperature", "moisture", "battery"]);
    expect(rows[2]).toMatchObject({
      values: { soilTemperature: 0, moisture: 31.26, battery: null },
      firmware: "1.4",
    });
    expect(rows[1]).toMatchObject({ values: { moisture: null }, at: null });
  });

  it("[ONL-5] claims no firmware for a device that has sent none", () => {
    expect(sensorRows(farm, sms).map(({ firmware }) => firmware)).toEqual(["1.4", "--", "1.4"]);
  });
  it("[sensor-table] links a type of a merged category to the tables of all its present types", () => {
    expect(tablesOf(farm, "SSH")).toEqual(["SMS", "SSH"]);
    expect(tablesOf(farm, "SOIL")).toEqual(["SMS", "SSH"]);
    expect(tablesOf(new Map([sensor("1", "SOIL")]), "SOIL")).toEqual(["SMS"]);
    expect(tablesOf(farm, "AT")).toEqual(["AT"]);
    expect(tablesOf(farm, "LAT")).toEqual(["LAT"]);
  });
  it("[spec 2] combines SMS and SOIL in one table, with a link to charts by their own type", () => {
    const mixed = new Map([...farm, sensor("6", "SOIL"), sensor("7", "AT")]);
    expect(tablesOf(mixed, "SOIL")).toEqual(["SMS", "SSH"]);
    expect(sensorRows(mixed, sms).map(({ id, deviceType }) => `${id} ${deviceType}`)).toEqual([
      "5 SMS",
      "2 SMS",
      "6 SOIL",
      "10 SMS",
    ]);
    expect(sensorRows(mixed, deviceTypeOf("SSH")).map(({ id }) => id)).toEqual(["3"]);
  });
  it("[sensor-table] shows the measurements of an unknown type's readings", () => {
    const odd = new Map([
      sensor("1", "XYZ", { reading: null }),
      sensor("2", "XYZ", { reading: { brix: 11.2, rssi: -70 } }),
    ]);
    const type = tableType(odd, "XYZ");
    expect(measuredColumns(type).map(({ name }) => name)).toEqual(["brix"]);
    expect(sensorRows(odd, type).map(({ values }) => values.brix)).toEqual([null, 11.2]);
  });
  it("[sensor-table] finds rows by name, serial or description", () => {
    const rows = sensorRows(farm, sms);
    const found = (text: string) => foundRows(rows, text).map(({ id }) => id);
    expect(found(" HOUSE 1")).toEqual(["10"]);
    expect(found("barn")).toEqual(["5"]);
    expect(found("")).toHaveLength(3);
    expect(found("nothing")).toEqual([]);
  });
  it("[sensor-table] exports displayed numbers, date cells, and empty cells for missing values", () => {
    const sheet = sheetOf(measuredColumns(sms), sensorRows(farm, sms).slice(1));
    expect(sheet.columns.map(({ head, kind }) => `${head} ${kind}`)).toEqual([
      "name text",
      "field.serial text",
      "soilTemperature (°C) number",
      "moisture (%) number",
      "battery (%) number",
      "field.fwversion text",
      "contact time",
      "field.createdDate time",
    ]);
    expect(sheet.rows).toEqual([
      ["House 2", "2", null, null, null, "--", null, null],
      ["House 10", "10", 0, 31.3, null, "1.4", "2026-11-22 12:00:05", "2026-11-22 12:00:00"],
    ]);
  });
  it("[BAT-1] exports a battery in volts with its decimal, under its own unit", () => {
    const battery = FIELDS.battery;
    expect(shownNumber(3.64, battery)).toBe(3.6);
    expect(shownNumber(88.4, battery)).toBe(88);
    const heads = (...batteries: number[]) => {
      const sensors = batteries.map((value, id) => sensor(`${id}`, "SMS", { reading: { battery: value } }));
      return sheetOf([battery], sensorRows(new Map(sensors), sms)).columns[2]?.head;
    };
    expect(heads(3.6, 3.7)).toBe("battery (V)");
    expect(heads(3.6, 88)).toBe("battery (V, %)");
    expect(heads()).toBe("battery (%)");
  });
  it("[spec 9] exports vapour pressure deficit in kPa, as displayed", () => {
    const air = measuredColumns({ ...deviceTypeOf("AT"), columns: ["vpd"] })[0];
    if (!air) throw new Error("AT has no vpd");
    expect(shownNumber(912, air)).toBe(0.9);
    expect(shownNumber(null, air)).toBeNull();
  });
});
