import { expect, test } from "vitest";
import { createAlarmRig } from "./testing/alarm-rig.ts";

const MINUTE = 60_000;
const modes = (active: "automatic" | "none", lowerBound: number | null, upperBound: number | null) => ({
  active,
  automatic: { lowerBound, upperBound, wateringDuration: 10 },
  reservation: null,
  period: null,
});

test("[ALM-1] soil beyond a bound of the automatic mode is P2; it wavers without being told again", async () => {
  const rig = await createAlarmRig();
  rig.channel("11", { modes: modes("automatic", 25, 40), moisture: 23 });
  expect(rig.active()).toEqual([]);
  rig.channel("11", { moisture: 21.5 });
  expect(rig.find("out-of-bounds")).toMatchObject({
    priority: 2,
    detail: { moisture: 21.5, lowerBound: 25 },
  });
  rig.channel("11", { moisture: 24 });
  rig.channel("11", { moisture: 21 });
  expect(rig.find("out-of-bounds")).toMatchObject({ active: true, count: 1, detail: { moisture: 21.5 } });
  expect(rig.told()).toHaveLength(1);
  rig.channel("11", { moisture: 25 });
  expect(rig.active()).toEqual([]);
  rig.channel("11", { moisture: 43.5 });
  expect(rig.active()).toEqual(["out-of-bounds channel:11"]);
});

test("[ALM-1] no bounds, no alarm; and a measurement that is missing says nothing", async () => {
  const rig = await createAlarmRig();
  rig.channel("11", { modes: modes("none", 25, 40), moisture: 5 });
  expect(rig.active()).toEqual([]);
  rig.channel("11", { modes: modes("automatic", 25, null) });
  expect(rig.active()).toEqual(["out-of-bounds channel:11"]);
  rig.channel("11", { moisture: null });
  expect(rig.active()).toEqual(["out-of-bounds channel:11"]);
  rig.channel("11", { modes: modes("none", 25, null) });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] soil that a watering did not make wetter is P3, until it is", async () => {
  const rig = await createAlarmRig();
  rig.channel("11", { moisture: 30 });
  rig.watering({ start: rig.iso(40 * MINUTE), moistureBefore: 30 });
  rig.watering({ end: rig.iso(30 * MINUTE), endReason: "done" });
  expect(rig.active()).toEqual([]);
  rig.watering({ moistureAfter: 30.4 });
  expect(rig.find("no-rise")).toMatchObject({
    key: "channel:11",
    priority: 3,
    detail: { before: 30, after: 30.4 },
  });
  rig.channel("11", { moisture: 30.9 });
  expect(rig.active()).toEqual(["no-rise channel:11"]);
  rig.channel("11", { moisture: 31 });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] a rinse of a minute, or soil that was wet enough, need not show", async () => {
  const rig = await createAlarmRig();
  rig.channel("11", { moisture: 30, modes: modes("automatic", null, 29) });
  rig.watering({ id: "a", start: rig.iso(31 * MINUTE), end: rig.iso(30 * MINUTE), moistureBefore: 20 });
  rig.watering({ id: "a", moistureAfter: 20 });
  rig.watering({ id: "b", start: rig.iso(50 * MINUTE), end: rig.iso(30 * MINUTE), moistureBefore: 30 });
  rig.watering({ id: "b", moistureAfter: 30 });
  expect(rig.active()).toEqual([]);
});
