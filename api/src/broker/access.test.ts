import { expect, test } from "vitest";
import { mayPublish, maySubscribe } from "./access.ts";

const device = { kind: "device", serial: 100001 } as const;
const relay = { kind: "relay" } as const;

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
])("[broker] %o publishing %s: %s", (identity, name, allowed) => {
  expect(mayPublish(identity, name)).toBe(allowed);
});

test.each([
  [device, "mulkko/100001/ch/+/cmd/#", true],
  [device, "mulkko/100001/#", true],
  [device, "mulkko/+/up", false],
  [device, "mulkko/1000011/up", false],
  [device, "mulkko/out/#", false],
  [device, "#", false],
  [relay, "mulkko/out/#", true],
  [relay, "mulkko/out/some-account/#", true],
  [relay, "mulkko/out/+/sensor/+", true],
  [relay, "mulkko/#", false],
  [relay, "mulkko/+/sensor/x", false],
  [relay, "#", false],
])("[broker] %o subscribing %s: %s", (identity, filter, allowed) => {
  expect(maySubscribe(identity, filter)).toBe(allowed);
});
