import { buildController, buildSensor } from "@mulkko/shared/testing/builders";
import { describe, expect, test } from "vitest";
import type { StateValue } from "../store/streams.ts";
import { createFarmFilter, movesDevices, seenState } from "./farm-filter.ts";
import { controllerInfo, silentChannel, silentController, silentSensor } from "./normalise-lists.ts";

const alarm = (key: string, type = "offline"): StateValue => ({ id: "a", key, type });
const channel = (controllerId: string, sensorIds: string[]): StateValue => ({
  ...silentChannel({ controllerId, serial: 1, number: 1, sensorIds }),
});
const sensor = (id: string, change = {}): StateValue => ({ ...silentSensor(buildSensor({ id, ...change })) });
const controller = (id: string, change = {}): StateValue => ({
  ...silentController(buildController({ id, ...change })),
});
const farm = (id: number, sensorIds: string[]): StateValue => ({
  info: { id, name: `farm ${id}`, description: null, sensorIds },
});

const state: Record<string, StateValue> = {
  "farm:1": farm(1, ["s1", "shared"]),
  "farm:2": farm(2, ["s2", "shared"]),
  "sensor:s1": sensor("s1"),
  "sensor:s2": sensor("s2"),
  "sensor:shared": sensor("shared", {
    clusterId: 2,
    clusters: [
      { id: 1, name: "farm 1" },
      { id: 2, name: "farm 2" },
    ],
  }),
  "sensor:alone": sensor("alone", { clusterId: 0, clusters: [] }),
  "controller:c1": controller("c1"),
  "controller:c2": controller("c2"),
  "controller:named": controller("named", { clusterId: 1 }),
  "channel:11": { ...channel("c1", ["s1", "s2"]), name: "Tomatoes" },
  "channel:21": { ...channel("c2", ["s2"]), name: "Valve of farm 2" },
  "alarm:a1": { ...alarm("sensor:s1"), name: "farm 2 sensor" },
  "alarm:a2": alarm("sensor:s2"),
  "alarm:a3": alarm("link:upstream", "upstream-down"),
  "alarm:a4": alarm("account", "notice"),
  "alarm:a5": alarm("account", "no-access"),
  "alarm:a6": alarm("farm:2", "farm-link"),
  "alarm:a7": alarm("farm:1", "farm-link"),
  "alarm:a8": {
    ...alarm("controller:c1", "controller-offline-watering"),
    name: "farm 2 box",
    valves: [{ channelId: "11", number: 1, valveName: "farm 2 sensor", until: null }],
  },
  "watering:w1": { id: "w1", channelId: "11" },
  "watering:w2": { id: "w2", channelId: "21" },
};

describe("state of selected farms of an account", () => {
  test("[HS-2] includes their sensors, the controllers that water these, and related alarms and waterings", () => {
    expect(Object.keys(seenState(state, new Set(["1"]))).sort()).toEqual([
      "alarm:a1",
      "alarm:a3",
      "alarm:a5",
      "alarm:a7",
      "alarm:a8",
      "channel:11",
      "controller:c1",
      "controller:named",
      "farm:1",
      "sensor:s1",
      "sensor:shared",
      "watering:w1",
    ]);
  });

  test("[HS-2] redacts other farms and their sensors from a value", () => {
    const seen = seenState(state, new Set(["1"]));
    expect(seen["channel:11"]).toMatchObject({ sensorIds: ["s1"], name: "Tomatoes" });
    expect(seen["sensor:shared"]).toMatchObject({
      info: { clusterId: 1, clusters: [{ id: 1, name: "farm 1" }] },
    });
    expect(JSON.stringify(seen)).not.toContain("farm 2");
    expect(seen["alarm:a8"]?.valves).toEqual([{ channelId: "11", number: 1, until: null }]);
  });

  test("[HS-2] an unknown farm has nothing", () => {
    expect(Object.keys(seenState(state, new Set(["9"]))).sort()).toEqual(["alarm:a3", "alarm:a5"]);
    expect(createFarmFilter({}, new Set(["1"])).sees("sensor:s1", {})).toBe(false);
  });

  test("[FARM-1] a controller that names a deleted farm is on no farm, also for a display of that farm", () => {
    const deleted = {
      ...state,
      "controller:left": controller("left", { clusterId: 3 }),
      "channel:31": channel("left", ["s1"]),
      "alarm:a9": alarm("controller:left"),
      "watering:w3": { id: "w3", channelId: "31" },
    };
    for (const farms of [["3"], ["1", "3"]]) {
      const seen = Object.keys(seenState(deleted, new Set(farms)));
      for (const key of ["controller:left", "channel:31", "alarm:a9", "watering:w3"]) {
        expect(seen).not.toContain(key);
      }
    }
  });

  test("[HS-2] membership changes with farms, channels and controllers, but not with readings", () => {
    const before = sensor("s1");
    expect(movesDevices("sensor:s1", before, { ...before, reading: { moisture: 1 } })).toBe(false);
    expect(movesDevices("farm:1", farm(1, ["s1"]), farm(1, []))).toBe(true);
    expect(movesDevices("channel:11", channel("c1", ["s1"]), channel("c1", ["s2"]))).toBe(true);
    expect(movesDevices("channel:11", channel("c1", ["s1"]), { ...channel("c1", ["s1"]), onoff: 1 })).toBe(
      false,
    );
    const info = controllerInfo(buildController());
    expect(movesDevices("controller:c1", { info }, { info: { ...info, clusterId: 2 } })).toBe(true);
    expect(movesDevices("controller:c1", { info }, undefined)).toBe(true);
  });
});
