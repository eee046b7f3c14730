import { expect, it } from "vitest";
import { channelKey, cotChannelKey, parseDeviceKey, sensorKey } from "./device-keys.ts";

it("[SUB-1] reads back every key that it writes", () => {
  expect(parseDeviceKey(sensorKey("a-b"))).toEqual({ kind: "sensor", id: "a-b" });
  expect(parseDeviceKey(channelKey(12))).toEqual({ kind: "channel", id: "12" });
  expect(parseDeviceKey(cotChannelKey("a-b", 2))).toEqual({ kind: "channel", id: "a-b", number: 2 });
});

it("[SUB-1] accepts no other keys", () => {
  for (const key of ["", "sensor", ":1", "sensor:", "pump:1"]) expect(parseDeviceKey(key)).toBeNull();
});
