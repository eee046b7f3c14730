import { describe, expect, it } from "vitest";
import { type FarmFacts, indexFarms } from "./farm-of.ts";

const facts = (given: Partial<FarmFacts>): FarmFacts => ({
  farms: [],
  controllers: [],
  channels: [],
  ...given,
});

describe("the farm of a device", () => {
  it("[FARM-1] puts a sensor on every farm that lists it", () => {
    const farms = indexFarms(
      facts({
        farms: [
          ["1", [7, 8]],
          ["2", ["8"]],
        ],
      }),
    );
    expect(["sensor:7", "sensor:8", "sensor:9"].map((key) => farms.of(key))).toEqual([["1"], ["1", "2"], []]);
    expect(farms.membersOf("2")).toEqual(["sensor:8"]);
  });

  it("[FARM-1] puts a controller without sensors on the farm that it names", () => {
    const farms = indexFarms(facts({ farms: [["1", []]], controllers: [["c", 1]] }));
    expect(farms.of("controller:c")).toEqual(["1"]);
    expect(farms.membersOf("1")).toEqual(["controller:c"]);
  });

  it("[FARM-1] prefers the named farm to the farms of the channels' sensors", () => {
    const farms = indexFarms(
      facts({
        farms: [
          ["1", ["s"]],
          ["2", []],
        ],
        controllers: [["c", 2]],
        channels: [["11", { controllerId: "c", sensorIds: ["s"] }]],
      }),
    );
    expect([farms.of("controller:c"), farms.of("channel:11")]).toEqual([["2"], ["2"]]);
  });

  it("[FARM-1] treats a named farm that does not exist as no farm", () => {
    const farms = indexFarms(
      facts({
        farms: [["1", ["s"]]],
        controllers: [["c", 7]],
        channels: [["11", { controllerId: "c", sensorIds: ["s"] }]],
      }),
    );
    expect(farms.of("controller:c")).toEqual([]);
    expect(farms.membersOf("7")).toEqual([]);
  });

  it.each([null, undefined, 0, "0"])(
    "[FARM-1] puts a controller that names %s on the farms of its channels' sensors",
    (clusterId) => {
      const farms = indexFarms(
        facts({
          farms: [
            ["1", ["s1"]],
            ["2", ["s2", "s3"]],
          ],
          controllers: [
            ["c1", clusterId],
            ["c2", clusterId],
          ],
          channels: [
            ["11", { controllerId: "c1", sensorIds: ["s1"] }],
            ["12", { controllerId: "c1", sensorIds: [] }],
            ["21", { controllerId: "c2", sensorIds: ["s2", "s1"] }],
          ],
        }),
      );
      expect(["11", "12", "21", "99"].map((id) => farms.of(`channel:${id}`))).toEqual([
        ["1"],
        ["1"],
        ["2", "1"],
        [],
      ]);
    },
  );

  it("[FARM-1] puts the channels of a COT sensor on the sensor's own farms", () => {
    const farms = indexFarms(
      facts({ farms: [["3", [42]]], channels: [["42:1", { controllerId: 42, sensorIds: [] }]] }),
    );
    expect(farms.of("channel:42:1")).toEqual(["3"]);
  });

  it("[FARM-1] does not confuse a controller with a sensor of the same id", () => {
    const farms = indexFarms(
      facts({
        farms: [["3", [42]]],
        controllers: [[`42`, null]],
        channels: [["5", { controllerId: 42, sensorIds: [] }]],
      }),
    );
    expect([farms.of("controller:42"), farms.of("channel:5")]).toEqual([[], []]);
  });
});
