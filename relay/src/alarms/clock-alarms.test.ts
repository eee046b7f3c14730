import { expect, test } from "vitest";
import { createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";
import { CLOCK_WRONG_MS } from "./clock-alarms.ts";

test("[ORD-2] a clock that is wrong for ten minutes is one P3 alarm of its device, until it is right", async () => {
  const harness = await createAlarmHarness();
  const since = harness.iso();
  harness.controller("20", { clockWrongSince: since });
  harness.channel("11", { clockWrongSince: since });
  harness.channel("12", { clockWrongSince: since });
  await harness.timers.pass(CLOCK_WRONG_MS - 1_000);
  expect(harness.active()).toEqual([]);
  await harness.timers.pass(1_000);
  expect(harness.active()).toEqual(["clock-wrong controller:20"]);
  expect(harness.find("clock-wrong")).toMatchObject({ priority: 3, detail: { since } });
  await harness.restart();
  expect(harness.active()).toEqual(["clock-wrong controller:20"]);
  harness.controller("20", { clockWrongSince: null });
  expect(harness.active()).toEqual([]);
});

test("[ORD-2] a clock that is set after the first message raises nothing", async () => {
  const harness = await createAlarmHarness();
  harness.sensor("1", { clockWrongSince: harness.iso() });
  await harness.timers.pass(60_000);
  harness.sensor("1", { clockWrongSince: null });
  await harness.timers.pass(2 * CLOCK_WRONG_MS);
  expect(harness.published()).toEqual([]);
});
