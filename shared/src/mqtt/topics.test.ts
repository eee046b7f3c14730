import { expect, it } from "vitest";
import { parseDeviceTopic, parseOutTopic, topic } from "./topics.ts";

it("[MQTT-1] reads back every topic that it writes", () => {
  expect(parseDeviceTopic(topic.up(123))).toEqual({ kind: "up", serial: "123" });
  expect(parseDeviceTopic(topic.status(123))).toEqual({ kind: "status", serial: "123" });
  expect(parseDeviceTopic(topic.channelState(123, 4))).toEqual({ kind: "state", serial: "123", number: 4 });
  expect(parseOutTopic(topic.outSensor("u", "s"))).toEqual({ kind: "sensor", userId: "u", id: "s" });
  expect(parseOutTopic(topic.outChannel("u", "s:2"))).toEqual({ kind: "channel", userId: "u", id: "s:2" });
  expect(parseOutTopic(topic.outChanged("u"))).toEqual({ kind: "changed", userId: "u" });
  expect(parseOutTopic(topic.outNotification("u"))).toEqual({ kind: "noti", userId: "u" });
});

it("[MQTT-1] accepts no other topic", () => {
  for (const name of [
    "mulkko/x/up",
    "mulkko/1/ch/9/state",
    "mulkko/1/up/2",
    "mulkko/out/u/up",
    "other/1/up",
  ]) {
    expect(parseDeviceTopic(name)).toBeNull();
  }
  for (const name of ["mulkko/out/u", "mulkko/out/u/sensor", "mulkko/1/up"])
    expect(parseOutTopic(name)).toBeNull();
});
