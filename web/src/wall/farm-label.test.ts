import type { FarmValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import { farmLabelOf, shortFarmName } from "./FarmLabel.tsx";
import { buildLiveFarm, channelEntry, controllerEntry, sensorEntry } from "./testing/build-live-farm.ts";

const farmEntry = (id: number, name: string, sensorIds: string[]): [string, FarmValue] => [
  `${id}`,
  { info: { id, name, description: null, sensorIds } },
];

const devices = buildLiveFarm(
  [sensorEntry("s1"), sensorEntry("s2"), sensorEntry("alone")],
  [channelEntry("11", "c1", { sensorIds: ["s2"] })],
  [],
  [controllerEntry("c1")],
);
const north = farmEntry(1, "North", ["s1"]);
const south = farmEntry(2, "South", ["s2"]);

describe("farm name on a wall", () => {
  it("[wall] is shown beside a device and a valve if the screen shows several farms", () => {
    const farm = { ...devices, farms: new Map([north, south]) };
    expect(
      ["sensor:s1", "sensor:s2", "channel:11", "controller:c1"].map((key) => farmLabelOf(farm, key)),
    ).toEqual(["North", "South", "South", "South"]);
    expect(["sensor:alone", "link:upstream"].map((key) => farmLabelOf(farm, key))).toEqual([null, null]);
  });

  it.each([
    ["논산 햇살딸기농원", "이천 물꼬논", "논산"],
    ["Sunny Farm North", "Sunny Farm South", "North"],
    ["Farm 1", "Farm 2", "Farm 1"],
    ["Home", "Home", "Home"],
  ])("[wall] on a tile %s beside %s is %s", (name, other, short) => {
    expect(shortFarmName(name, [other])).toBe(short);
  });

  it("[wall] is omitted with a single farm", () => {
    expect(farmLabelOf({ ...devices, farms: new Map([north]) }, "sensor:s1")).toBeNull();
  });
});
