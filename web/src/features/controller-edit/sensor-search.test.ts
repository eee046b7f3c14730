import type { SensorValue } from "@mulkko/shared/live/devices";
import { buildController, buildSensor } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { assignmentsOf, byNamePart, bySerial, sensorsFor } from "./SensorDialog.tsx";

const sensor = (id: string, serial: number, name: string, deviceType: string): [string, SensorValue] => {
  const { latestLog, ...info } = buildSensor({ id, serial, name, deviceType });
  return [id, { info, reading: latestLog ? {} : null, at: null, heardAt: null, quality: null, via: null }];
};
const SENSORS = new Map([
  sensor("a", 24110102, "House 10", "SMS"),
  sensor("b", 24110101, "house 2", "SMS"),
  sensor("c", 24110111, "Leaf", "LAT"),
  sensor("d", 24110120, "", "WATERLEVEL"),
  sensor("e", 24110103, "Soil", "SOIL"),
]);
const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);

describe("search for a channel's sensors", () => {
  it("[spec 5] offers the types that the controller accepts, by name", () => {
    expect(ids(sensorsFor("CON04V", SENSORS))).toEqual(["b", "a"]);
    expect(ids(sensorsFor("CON04E", SENSORS))).toEqual(["c"]);
    expect(ids(sensorsFor("CON01W", SENSORS))).toEqual(["d"]);
  });

  it.each(["", "VALVE-9"])(
    "[controller-edit] offers all sensors for a controller of the unknown type “%s”",
    (type) => {
      const valves = sensor("f", 24110130, "Valves", "COT");
      expect(ids(sensorsFor(type, new Map([...SENSORS, valves])))).toEqual(["d", "b", "a", "c", "e"]);
    },
  );

  it("[spec 5] finds serials by a part, and names by a part in any case", () => {
    const all = sensorsFor("CON04V", SENSORS);
    expect(ids(bySerial(all, "0101"))).toEqual(["b"]);
    expect(ids(byNamePart(all, "HOUSE 2"))).toEqual(["b"]);
    expect(byNamePart(all, "leaf")).toEqual([]);
  });

  it("[controller-edit] finds a sensor without a name by its serial in both fields", () => {
    const all = sensorsFor("CON01W", SENSORS);
    expect(all[0]?.name).toBe("24110120");
    expect(ids(byNamePart(all, "120"))).toEqual(["d"]);
  });
});

const controller = (id: string, name: string) => {
  const { channels: _channels, ...info } = buildController({ id, name });
  return [id, { info }] as const;
};

describe("assignments of the account's sensors", () => {
  it("[controller-edit] finds a sensor on its channel, on the lowest number if it is on several", () => {
    const assignments = assignmentsOf(
      new Map([controller("c", "House"), controller("d", "Field")]),
      new Map([
        ["12", { controllerId: "c", number: 2, sensorIds: ["s", 7] }],
        ["11", { controllerId: "d", number: 1, sensorIds: ["s"] }],
        ["x:1", { controllerId: "x", number: 1, sensorIds: ["u"] }],
      ]),
    );
    expect(assignments.get("s")).toEqual({ controllerId: "d", controller: "Field", number: 1 });
    expect(assignments.get("7")).toMatchObject({ controller: "House", number: 2 });
    expect(assignments.has("u")).toBe(false);
  });
});
