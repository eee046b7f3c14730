import { expect, test } from "vitest";
import { createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";

const MINUTE = 60_000;

async function harnessWithChannel(onoff: 1 | 2) {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.channel("11", { onoff, heardAt: harness.iso(MINUTE) });
  return harness;
}

test("[ALM-1] a command without confirmation is P1, and over when the state arrives", async () => {
  const harness = await harnessWithChannel(1);
  harness.command({ state: "requested", target: 2 });
  harness.command({ state: "unconfirmed", target: 2, reason: "no-confirmation" });
  expect(harness.find("command-unconfirmed")).toMatchObject({ key: "channel:11", priority: 1, active: true });
  harness.clock.advance(MINUTE);
  harness.channel("11", { onoff: 2, heardAt: harness.iso() });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] a state known before the command confirms nothing", async () => {
  const harness = await harnessWithChannel(2);
  harness.command({ state: "unconfirmed", target: 2 });
  harness.channel("11", { moisture: 30 });
  expect(harness.active()).toEqual(["command-unconfirmed channel:11"]);
  harness.command({ state: "confirmed", target: 2 });
  expect(harness.active()).toEqual([]);
});

test("[CMD-14] a late opening is P1, names who commanded it and when, and is over when the valve is closed", async () => {
  const harness = await harnessWithChannel(1);
  const pressedAt = harness.iso(10 * MINUTE);
  harness.command({
    state: "requested",
    target: 2,
    reason: "late-open",
    lateOpening: { pressedAt, by: { id: "u1", nickname: "Kim" } },
  });
  expect(harness.find("late-opening")).toMatchObject({
    priority: 1,
    active: true,
    detail: { pressedAt, by: "Kim" },
  });
  harness.command({ state: "accepted", target: 2 });
  expect(harness.active()).toEqual(["late-opening channel:11"]);
  harness.channel("11", { onoff: 2, heardAt: harness.iso() });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] another command replaces the alarm of a failed one", async () => {
  const harness = await harnessWithChannel(2);
  harness.command({ state: "failed", reason: "store-down" });
  expect(harness.find("command-failed")).toMatchObject({ priority: 1, detail: { reason: "store-down" } });
  harness.command({ id: "k2", state: "requested" });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] an opening that failed is requested until the end of its run, also across a restart", async () => {
  const harness = await harnessWithChannel(2);
  harness.command({ state: "failed", runUntil: harness.iso(-10 * MINUTE) });
  harness.timers.advance(5 * MINUTE);
  await harness.restart();
  expect(harness.active()).toEqual(["command-failed channel:11"]);
  harness.timers.advance(5 * MINUTE);
  expect(harness.active()).toEqual([]);
});

test("[ALM-8] a command that ends before the lists are read after a start raises its alarm with them", async () => {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.command({ state: "unconfirmed", target: 2, reason: "no-confirmation" });
  expect(harness.active()).toEqual([]);
  harness.channel("11", { onoff: 1, heardAt: harness.iso(MINUTE) });
  expect(harness.find("command-unconfirmed")).toMatchObject({ key: "channel:11", priority: 1, active: true });
  harness.clock.advance(MINUTE);
  harness.channel("11", { onoff: 2, heardAt: harness.iso() });
  expect(harness.active()).toEqual([]);
});

test("[ALM-2] a command of a channel deleted meanwhile is no alarm", async () => {
  const harness = await harnessWithChannel(1);
  harness.state.del("channel:11");
  harness.command({ state: "failed", target: 2, reason: "gone" });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] a refusal, which the person has seen, is no alarm; nor is a command that moves no valve", async () => {
  const harness = await harnessWithChannel(2);
  harness.command({ state: "refused", reason: "controller-offline" });
  harness.command({ state: "failed", target: null });
  expect(harness.shown()).toEqual([]);
});
