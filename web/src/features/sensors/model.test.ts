import type { SensorValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import {
  categoryOf,
  countCategories,
  filterSensors,
  listSensors,
  sectionsByFarm,
  sectionsByType,
} from "./model.ts";

const sensor = (
  id: string,
  deviceType: string,
  change: Partial<SensorValue> & { name?: string } = {},
): [string, SensorValue] => {
  const { name, ...rest } = change;
  return [
    id,
    {
      info: { id, deviceType, serial: Number(id), name: name ?? `Sensor ${id}`, description: "" },
      reading: null,
      at: null,
      heardAt: null,
      quality: "fresh",
      via: "mqtt",
      ...rest,
    },
  ];
};
const sensors = listSensors(
  new Map([
    sensor("10", "AT"),
    sensor("2", "SMS", { quality: "offline" }),
    sensor("3", "SSH"),
    sensor("4", "COT"),
    sensor("5", "FMS02", { name: "" }),
  ]),
  "fresh",
);
const none = { types: null, text: "", troubled: false };
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

describe("sensor list", () => {
  it("[sensors] is sorted by name in numeric order, with the serial for a missing name, without COT", () => {
    expect(sensors.map(({ name }) => name)).toEqual(["5", "Sensor 2", "Sensor 3", "Sensor 10"]);
  });
  it("[sensors] merges soil types and FMS types into one category each and puts controllers last", () => {
    const counted = countCategories(sensors, { count: 2, troubled: 0 });
    expect(counted.map(({ name, count, troubled }) => [name, count, troubled])).toEqual([
      ["FMS", 1, 0],
      ["SOIL", 2, 1],
      ["AT", 1, 0],
      ["COT", 2, 0],
    ]);
    expect(countCategories(sensors, { count: 0, troubled: 0 })).toHaveLength(3);
  });
  it("[sensors] opens the whole category for a type in the address", () => {
    expect(categoryOf("SSH").types).toEqual(["SOIL", "SMS", "SSH"]);
    expect(categoryOf("LAT").types).toEqual(["LAT"]);
  });
  it("[sensors] is searched by name, serial, type and the type's translation", () => {
    const translateType = (type: string) => (type === "AT" ? "온실 환경 센서" : type);
    expect(ids(filterSensors(sensors, { ...none, text: "sensor 1" }, translateType))).toEqual(["10"]);
    expect(ids(filterSensors(sensors, { ...none, text: " 온실" }, translateType))).toEqual(["10"]);
    expect(ids(filterSensors(sensors, { ...none, text: "5" }, translateType))).toEqual(["5"]);
    expect(ids(filterSensors(sensors, { ...none, troubled: true }, translateType))).toEqual(["2"]);
    expect(ids(filterSensors(sensors, { ...none, types: ["SMS", "SSH"] }, translateType))).toEqual([
      "2",
      "3",
    ]);
  });
  it("[sensors] is grouped by category, or by farm with the other sensors last", () => {
    expect(sectionsByType(sensors, (name) => name).map(({ id, sensors: list }) => [id, ids(list)])).toEqual([
      ["FMS", ["5"]],
      ["SOIL", ["2", "3"]],
      ["AT", ["10"]],
    ]);
    const farms = new Map([
      ["1", { info: { id: 1, name: "House 1", description: null, sensorIds: ["2", "10"] } }],
      ["9", { info: { id: 9, name: "Empty", description: null, sensorIds: [] } }],
    ]);
    expect(
      sectionsByFarm(sensors, farms, "no farm").map(({ title, sensors: list }) => [title, ids(list)]),
    ).toEqual([
      ["House 1", ["2", "10"]],
      ["no farm", ["5", "3"]],
    ]);
  });
});
