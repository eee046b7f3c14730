import type { ChannelValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import type { LiveFarm } from "../live/hooks.ts";
import { namesIn, thingTitle } from "./use-names.ts";

const silent = { at: null, heardAt: null, quality: null } as const;
const channel = (controllerId: string, number: number, change: Partial<ChannelValue> = {}): ChannelValue => ({
  ...silent,
  controllerId,
  serial: 1,
  number,
  sensorIds: [],
  onoff: 0,
  modes: null,
  moisture: null,
  runUntil: null,
  endsBy: null,
  command: null,
  ...change,
});
const sensor = (id: string, name: string, deviceType: string) => ({
  ...silent,
  info: { id, name, deviceType, serial: 1 },
  reading: null,
  via: null,
});

const farm: LiveFarm = {
  farms: new Map([["1", { info: { id: 1, name: "House 1", description: null, sensorIds: [] } }]]),
  sensors: new Map([
    ["soil", sensor("soil", "Soil 1", "SMS")],
    ["cot", sensor("cot", "Old valve", "COT")],
  ]),
  controllers: new Map([
    [
      "c",
      {
        info: { id: "c", name: "Valve box", serial: 1 },
        quality: null,
        rssi: null,
        fwversion: null,
        heardAt: null,
        link: null,
      },
    ],
  ]),
  channels: new Map([
    ["11", channel("c", 1, { name: "Tomatoes", sensorIds: ["soil"] })],
    ["12", channel("c", 2, { name: null, sensorIds: ["soil", "gone"] })],
    ["13", channel("c", 3)],
    ["cot:2", channel("cot", 2)],
  ]),
  waterings: new Map(),
  alarms: new Map(),
};

describe("the names of things", () => {
  const title = (key: string) => {
    const thing = namesIn(farm).ofThing(key);
    return thing && thingTitle(thing, (number) => `CH ${number}`);
  };

  it("[ALM-2] an alarm about a channel names it, and not its box alone", () => {
    expect([title("channel:13"), title("channel:cot:2")]).toEqual(["Valve box CH 3", "Old valve CH 2"]);
  });
  it("[NAME-1] a channel is called by its own name, else after its sensors, else after its box", () => {
    const titles = ["11", "12", "13"].map((id) => title(`channel:${id}`));
    expect(titles).toEqual(["Tomatoes CH 1", "Soil 1 CH 2", "Valve box CH 3"]);
  });
  it("[ALM-2] an alarm about a device or a farm names that, and one about everything nothing", () => {
    const keys = ["controller:c", "sensor:soil", "farm:1", "link:upstream", "channel:99"];
    expect(keys.map(title)).toEqual(["Valve box", "Soil 1", "House 1", null, null]);
  });
});
