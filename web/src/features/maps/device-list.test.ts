import type { FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import { whenInfosChange } from "../../domain/farm/when-infos-change.ts";
import { farmOutlines } from "../../domain/map/geometry.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import {
  countCategories,
  countPlaced,
  countSensors,
  filterDevices,
  isShown,
  listDevices,
  typesIn,
  withCategory,
} from "./device-list.ts";

const sensor = (
  id: string,
  deviceType: string,
  info: Partial<SensorValue["info"]> = {},
): [string, SensorValue] => [
  id,
  {
    info: {
      id,
      deviceType,
      serial: Number(id),
      name: `House ${id}`,
      latitude: 36.2,
      longitude: 127.1,
      ...info,
    },
    reading: null,
    at: null,
    heardAt: null,
    quality: "fresh",
    via: "mqtt",
  },
];
const farm = (id: string, name: string, sensorIds: readonly string[]): [string, FarmValue] => [
  id,
  { info: { id, name, description: null, sensorIds: [...sensorIds] } },
];
const sensors = new Map([
  sensor("10", "AT"),
  sensor("2", "SMS"),
  sensor("3", "SSH", { latitude: 0, longitude: 0 }),
  sensor("4", "FMS"),
  sensor("5", "FMS02", { name: "", latitude: null }),
]);
const devices = listDevices(sensors);
const asIs = (type: string) => type;
const [soil = { name: "", types: [], count: 0 }] = countCategories(devices).filter(
  ({ name }) => name === "SOIL",
);

describe("device list of the map", () => {
  it("[maps] sorts by name with natural numbers, devices without a place included", () => {
    expect(devices.map(({ name, place }) => [name, place !== null])).toEqual([
      ["5", false],
      ["House 2", true],
      ["House 3", false],
      ["House 4", true],
      ["House 10", true],
    ]);
  });

  it("[spec 2] opens SOIL, SMS and SSH together for the soil category; FMS and FMS02 are separate", () => {
    expect(countCategories(devices).map(({ name, count }) => [name, count])).toEqual([
      ["AT", 1],
      ["FMS", 1],
      ["FMS02", 1],
      ["SOIL", 2],
    ]);
    expect(withCategory(soil, null)).toBe("/maps/type?deviceType=SOIL,SMS,SSH");
  });

  it("[maps] counts the same sensors as elsewhere, and valve units separately", () => {
    const withBox = listDevices(new Map([...sensors, sensor("6", "COT")]));
    expect(withBox).toHaveLength(6);
    expect(countSensors(withBox)).toBe(5);
    expect(countCategories(withBox)).toContainEqual(expect.objectContaining({ name: "COT", count: 1 }));
    const { placed, unplaced } = countPlaced(withBox, null);
    expect(placed + unplaced).toBe(5);
    const shown = countPlaced(withBox, ["COT"]);
    expect(shown.placed + shown.unplaced).toBe(1);
  });

  it("[spec 2] opens one type or a list of them by address", () => {
    expect(typesIn(new URLSearchParams("deviceType=SMS"))).toEqual(["SMS"]);
    expect(typesIn(new URLSearchParams("deviceType=SMS,SSH&deviceType=AT"))).toEqual(["SMS", "SSH", "AT"]);
    expect(typesIn(new URLSearchParams("deviceType="))).toBeNull();
    expect(typesIn(new URLSearchParams())).toBeNull();
    expect(filterDevices(devices, ["SMS", "AT"], "", asIs).map(({ id }) => id)).toEqual(["2", "10"]);
  });

  it("[maps] toggles a category beside others by a press; without any all are shown", () => {
    const at = { name: "AT", types: ["AT"] };
    expect(withCategory(at, ["SMS", "SSH", "SOIL"])).toBe("/maps/type?deviceType=SMS,SSH,SOIL,AT");
    expect(withCategory(soil, ["SMS", "SSH", "SOIL", "AT"])).toBe("/maps/type?deviceType=AT");
    expect(withCategory(at, ["AT"])).toBe("/maps");
    expect([isShown(at, ["AT"]), isShown(at, null), isShown(soil, ["SMS"])]).toEqual([true, false, true]);
  });

  it("[maps] searches name, serial and type label", () => {
    const texts = (type: string) => (type === "AT" ? "온실 환경" : type);
    expect(filterDevices(devices, null, "온실", texts).map(({ id }) => id)).toEqual(["10"]);
    expect(filterDevices(devices, null, " house 2", texts).map(({ id }) => id)).toEqual(["2"]);
    expect(filterDevices(devices, ["SMS"], "10", texts)).toEqual([]);
  });

  it("[maps] changes with a name or a place, and with nothing else", () => {
    const list = whenInfosChange((live) => listDevices(live.sensors));
    const none = new Map<string, never>();
    const live = (own: ReadonlyMap<string, SensorValue>): LiveFarm => ({
      sensors: own,
      farms: none,
      controllers: none,
      channels: none,
      waterings: none,
      alarms: none,
    });
    const [id, value] = sensor("2", "SMS");
    const first = new Map([...sensors, [id, value] as const]);
    const changed = (change: Partial<SensorValue>) =>
      list(live(new Map([...first, [id, { ...value, ...change }]])));
    const before = list(live(first));
    expect(changed({ reading: { moisture: 31 } })).toBe(before);
    expect(changed({ info: { ...value.info, name: "Greenhouse" } })).not.toBe(before);
    expect(list(live(new Map([...first].slice(1))))).not.toBe(before);
  });

  it("[maps] draws a farm's ground around its placed sensors, and none without one", () => {
    const farms = new Map([farm("1", "Nonsan", ["2", "10", "gone"]), farm("2", "Icheon", ["3"])]);
    expect(farmOutlines(farms, sensors).map(({ name }) => name)).toEqual(["Nonsan"]);
  });
});
