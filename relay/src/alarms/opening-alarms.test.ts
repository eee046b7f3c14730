import { expect, test } from "vitest";
import { type AlarmRig, createAlarmRig } from "./testing/alarm-rig.ts";

const MINUTE = 60_000;
const CHANNEL = "channel:11";
const MODES = {
  active: "automatic",
  automatic: { lowerBound: 20, upperBound: null, wateringDuration: 30 },
  reservation: null,
  period: null,
};

async function openRig(cause: "person" | "automatic" | "external", change = {}): Promise<AlarmRig> {
  const rig = await createAlarmRig();
  rig.controller("c1");
  rig.channel("11", { onoff: 1, modes: MODES, moisture: 30, ...change });
  rig.watering({ cause });
  return rig;
}

test("[RUN-3] an opening that nobody knows of is P2 at once and P1 at the hard cap", async () => {
  const rig = await openRig("external");
  expect(rig.find("external-open")).toMatchObject({ key: CHANNEL, priority: 2, active: true });
  rig.timers.advance(120 * MINUTE - 1);
  expect(rig.find("external-open")?.priority).toBe(2);
  rig.timers.advance(1);
  expect(rig.find("external-open")).toMatchObject({ priority: 1, count: 1 });
  rig.channel("11", { onoff: 2 });
  expect(rig.active()).toEqual([]);
});

test("[RUN-1] the hard cap is the controller's own", async () => {
  const rig = await createAlarmRig();
  rig.capMinutes = 15;
  rig.controller("c1");
  rig.channel("11", { onoff: 1 });
  rig.watering({ cause: "external" });
  rig.timers.advance(15 * MINUTE);
  expect(rig.find("external-open")?.priority).toBe(1);
});

test("[RUN-3] a mode's watering is P2 at its time + 5 min and P1 at the hard cap", async () => {
  const rig = await openRig("automatic");
  rig.timers.advance(35 * MINUTE - 1);
  expect(rig.active()).toEqual([]);
  rig.timers.advance(1);
  expect(rig.find("open-too-long")).toMatchObject({ key: CHANNEL, priority: 2 });
  rig.timers.advance(85 * MINUTE);
  expect(rig.find("open-too-long")?.priority).toBe(1);
});

test("[RUN-3] a mode that may take longer than the cap is none before its own time", async () => {
  const rig = await openRig("automatic", {
    modes: { ...MODES, automatic: { ...MODES.automatic, wateringDuration: 300 } },
  });
  rig.timers.advance(305 * MINUTE - 1);
  expect(rig.active()).toEqual([]);
  rig.timers.advance(1);
  expect(rig.find("open-too-long")?.priority).toBe(1);
});

test("[ALM-1] a run beyond its end is P1, a minute after it; an extended one is none", async () => {
  const rig = await openRig("person");
  rig.channel("11", { runUntil: rig.iso(-10 * MINUTE) });
  rig.timers.advance(10 * MINUTE);
  rig.channel("11", { runUntil: rig.iso(-5 * MINUTE) });
  rig.timers.advance(6 * MINUTE - 1);
  expect(rig.active()).toEqual([]);
  rig.timers.advance(1);
  expect(rig.find("open-too-long")).toMatchObject({ priority: 1, detail: { cause: "person" } });
  rig.channel("11", { runUntil: rig.iso(-5 * MINUTE) });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] the end of a run stands while its close is under way", async () => {
  const rig = await openRig("person");
  rig.channel("11", { runUntil: rig.iso(-10 * MINUTE) });
  rig.timers.advance(10 * MINUTE);
  rig.channel("11", { runUntil: null });
  rig.timers.advance(MINUTE);
  expect(rig.find("open-too-long")?.priority).toBe(1);
});

test("[RUN-4] a clock that is set moves no alarm", async () => {
  const rig = await openRig("external");
  rig.clock.jump(24 * 60 * MINUTE);
  rig.timers.advance(119 * MINUTE);
  rig.channel("11", { modes: null });
  expect(rig.find("external-open")?.priority).toBe(2);
  rig.timers.advance(MINUTE);
  expect(rig.find("external-open")?.priority).toBe(1);
});

test("[ALM-6] an opening goes on being timed after a restart", async () => {
  const rig = await openRig("external");
  rig.timers.advance(100 * MINUTE);
  const start = rig.iso(100 * MINUTE);
  await rig.restart();
  rig.watering({ cause: "external", start });
  expect(rig.find("external-open")).toMatchObject({ priority: 2, count: 1 });
  rig.timers.advance(20 * MINUTE);
  expect(rig.find("external-open")?.priority).toBe(1);
  rig.watering({ end: rig.iso(), endReason: "closed" });
  expect(rig.active()).toEqual([]);
});
