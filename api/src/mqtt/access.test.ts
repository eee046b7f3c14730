import { expect, test } from "vitest";
import { mayPublish, maySubscribe } from "./access.ts";

const device = { kind: "device", serial: 100001, valves: null } as const;
const valves = {
  kind: "device",
  serial: 100003,
  valves: { serial: 100003, driver: "shelly-gen2", address: "shellyplus1pm-1" },
} as const;
const relay = { kind: "relay" } as const;
const server = { kind: "network-server" } as const;

test.each([
  [device, "mulkko/100001/up", true],
  [device, "mulkko/100001/status", true],
  [device, "mulkko/100001/ch/1/state", true],
  [device, "mulkko/100001/ch/1/cmd/onoff", false],
  [device, "mulkko/100002/up", false],
  [device, "mulkko/0100001/up", false],
  [device, "mulkko/out/a/sensor/b", false],
  [device, "$SYS/anything", false],
  [relay, "mulkko/100001/up", false],
  [relay, "mulkko/out/a/sensor/b", false],
  [relay, "application/a/device/b/event/up", false],
  [device, "application/a/device/b/event/up", false],
  [device, "v3/a/devices/b/up", false],
  [server, "application/a/device/b/event/up", true],
  [server, "application/a/device/b/event/join", true],
  [server, "application/a/device/b/command/down", false],
  [server, "v3/a@tenant/devices/b/up", true],
  [server, "mulkko/100001/up", false],
  [server, "mulkko/out/a/sensor/b", false],
])("[broker] %o publishing %s: %s", (identity, name, allowed) => {
  expect(mayPublish(identity, name)).toBe(allowed);
});

test.each([
  [device, "mulkko/100001/ch/+/cmd/#", true],
  [device, "mulkko/100001/#", true],
  [device, "mulkko/100001/ch/1/cmd/#", true],
  [device, "mulkko/100001/ch/+/cmd/+", true],
  [device, "mulkko/100001/ch/+/cmd/onoff", true],
  [device, "mulkko/100001/ch/8/state", true],
  [device, "mulkko/100001/up", true],
  [device, "mulkko/100001/ch/9/state", false],
  [device, "mulkko/100001/a", false],
  [device, `mulkko/100001/1${"/a".repeat(87)}`, false],
  [device, "mulkko/100001/ch/+/cmd/on/off", false],
  [valves, "shellyplus1pm-1/#", true],
  [valves, "shellyplus1pm-1/rpc", true],
  [valves, `shellyplus1pm-1/rpc${"/a".repeat(20)}`, false],
  [valves, `shellyplus1pm-1/${"a".repeat(200)}`, false],
  [device, "mulkko/+/up", false],
  [device, "mulkko/1000011/up", false],
  [device, "mulkko/out/#", false],
  [device, "#", false],
  [relay, "mulkko/out/#", true],
  [relay, "mulkko/out/some-account/#", true],
  [relay, "mulkko/out/+/sensor/+", true],
  [relay, "mulkko/out/+/noti", true],
  [relay, "mulkko/out/some-account/changed", true],
  [relay, "mulkko/out/some-account/sensor/some-sensor", true],
  [relay, "mulkko/out/a/b/c/d", false],
  [relay, "mulkko/#", false],
  [relay, "mulkko/+/sensor/x", false],
  [relay, "#", false],
  [server, "#", false],
  [server, "application/#", false],
  [server, "mulkko/out/#", false],
])("[broker] %o subscribing %s: %s", (identity, filter, allowed) => {
  expect(maySubscribe(identity, filter)).toBe(allowed);
});
