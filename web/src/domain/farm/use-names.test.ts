import type { ChannelValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import type { LiveFarm } from "../../live/hooks.ts";
import { namesIn } from "./use-names.ts";

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

describe("names", () => {
  const title = (key: string, stored: { name?: string; number?: number } = {}) => {
    const thing = namesIn(farm).ofThing({ key, ...stored });
    return thing && [thing.name, ...(thing.number === undefined ? [] : [`CH ${thing.number}`])].join(" ");
  };

  it("[ALM-2] include the channel of an alarm, not only its valve unit", () => {
    expect([title("channel:13"), title("channel:cot:2")]).toEqual(["Valve box CH 3", "Old valve CH 2"]);
  });
  it("[NAME-1] use a channel's own name, else its sensors', else its valve unit's", () => {
    const titles = ["11", "12", "13"].map((id) => title(`channel:${id}`));
    expect(titles).toEqual(["Tomatoes CH 1", "Soil 1 CH 2", "Valve box CH 3"]);
  });
  it("[ALM-2] include the device or farm of an alarm, and are absent for an alarm about everything", () => {
    const keys = ["controller:c", "sensor:soil", "farm:1", "link:upstream", "channel:99"];
    expect(keys.map((key) => title(key))).toEqual(["Valve box", "Soil 1", "House 1", null, null]);
  });
  it("[ALM-2] use the stored name of a deleted thing and the current name of a present one", () => {
    expect(title("channel:99", { name: "Melons", number: 4 })).toBe("Melons CH 4");
    expect(title("controller:gone", { name: "South box" })).toBe("South box");
    expect(title("channel:11", { name: "Old name", number: 1 })).toBe("Tomatoes CH 1");
  });
});
