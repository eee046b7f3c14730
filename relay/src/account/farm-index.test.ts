import { describe, expect, test } from "vitest";
import type { StateValue } from "../store/streams.ts";
import { allChannels, channelsOfFarm } from "./farm-index.ts";

const channel = (controllerId: string, number: number, sensorIds: number[] = []): StateValue => ({
  controllerId,
  number,
  sensorIds,
});

const state = new Map<string, StateValue>([
  ["farm:1", { info: { id: 1, name: "1", description: null, sensorIds: [101, "s-9"] } }],
  ["farm:2", { info: { id: 2, name: "2", description: null, sensorIds: [201] } }],
  ["farm:3", { info: { id: 3, name: "3", description: null, sensorIds: [] } }],
  ["controller:c1", { info: { id: "c1" } }],
  ["controller:c2", { info: { id: "c2", clusterId: 2 } }],
  ["controller:c3", { info: { id: "c3", clusterId: 0 } }],
  ["sensor:s-9", { info: { id: "s-9", deviceType: "COT" } }],
  ["channel:11", channel("c1", 1, [101])],
  ["channel:12", channel("c1", 2)],
  ["channel:21", channel("c2", 1, [101])],
  ["channel:31", channel("c3", 1)],
  ["channel:s-9:1", channel("s-9", 1)],
]);

describe("[RUN-5] the channels of a farm", () => {
  test("[RUN-5] include those of its COT sensors, and all channels of the controllers of its sensors", () => {
    expect(channelsOfFarm(state, "1")).toEqual(["channel:11", "channel:12", "channel:s-9:1"]);
  });
  test("[RUN-5] include those of the controllers that name it, whatever their sensors", () => {
    expect(channelsOfFarm(state, "2")).toEqual(["channel:21"]);
  });
  test("[RUN-5] are empty for a farm without valves, and null for an unknown farm", () => {
    expect(channelsOfFarm(state, "3")).toEqual([]);
    expect(channelsOfFarm(state, "4")).toBeNull();
  });
  test("[RUN-5] of the whole account include channels without a farm", () => {
    expect(allChannels(state)).toContain("channel:31");
    expect(allChannels(state)).toHaveLength(5);
  });
});
