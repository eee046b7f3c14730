import { expect, test } from "vitest";
import { createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";

const MINUTE = 60_000;
const modes = (active: "automatic" | "none", lowerBound: number | null, upperBound: number | null) => ({
  active,
  automatic: { lowerBound, upperBound, wateringDuration: 10 },
  reservation: null,
  period: null,
});

test("[ALM-1] soil beyond a bound of the automatic mode is P2, once while it varies around the bound", async () => {
  const harness = await createAlarmHarness();
  harness.channel("11", { modes: modes("automatic", 25, 40), moisture: 23 });
  expect(harness.active()).toEqual([]);
  harness.channel("11", { moisture: 21.5 });
  expect(harness.find("out-of-bounds")).toMatchObject({
    priority: 2,
    detail: { moisture: 21.5, lowerBound: 25 },
  });
  harness.channel("11", { moisture: 24 });
  harness.channel("11", { moisture: 21 });
  expect(harness.find("out-of-bounds")).toMatchObject({ active: true, count: 1, detail: { moisture: 21.5 } });
  expect(harness.published()).toHaveLength(1);
  harness.channel("11", { moisture: 25 });
  expect(harness.active()).toEqual([]);
  harness.channel("11", { moisture: 43.5 });
  expect(harness.active()).toEqual(["out-of-bounds channel:11"]);
});

test("[ALM-1] raises nothing without bounds, and ignores a missing measurement", async () => {
  const harness = await createAlarmHarness();
  harness.channel("11", { modes: modes("none", 25, 40), moisture: 5 });
  expect(harness.active()).toEqual([]);
  harness.channel("11", { modes: modes("automatic", 25, null) });
  expect(harness.active()).toEqual(["out-of-bounds channel:11"]);
  harness.channel("11", { moisture: null });
  expect(harness.active()).toEqual(["out-of-bounds channel:11"]);
  harness.channel("11", { modes: modes("none", 25, null) });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] soil that a watering did not make wetter is P3, until it is wetter", async () => {
  const harness = await createAlarmHarness();
  harness.channel("11", { moisture: 30 });
  harness.watering({ start: harness.iso(40 * MINUTE), moistureBefore: 30 });
  harness.watering({ end: harness.iso(30 * MINUTE), endReason: "done" });
  expect(harness.active()).toEqual([]);
  harness.watering({ moistureAfter: 30.4 });
  expect(harness.find("no-rise")).toMatchObject({
    key: "channel:11",
    priority: 3,
    detail: { before: 30, after: 30.4 },
  });
  harness.channel("11", { moisture: 30.9 });
  expect(harness.active()).toEqual(["no-rise channel:11"]);
  harness.channel("11", { moisture: 31 });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] ignores a run of a minute, and soil that was wet enough", async () => {
  const harness = await createAlarmHarness();
  harness.channel("11", { moisture: 30, modes: modes("automatic", null, 29) });
  harness.watering({
    id: "a",
    start: harness.iso(31 * MINUTE),
    end: harness.iso(30 * MINUTE),
    moistureBefore: 20,
  });
  harness.watering({ id: "a", moistureAfter: 20 });
  harness.watering({
    id: "b",
    start: harness.iso(50 * MINUTE),
    end: harness.iso(30 * MINUTE),
    moistureBefore: 30,
  });
  harness.watering({ id: "b", moistureAfter: 30 });
  expect(harness.active()).toEqual([]);
});
